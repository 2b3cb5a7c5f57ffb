"""Whether a text by a language model still states what it should, and nothing else."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from soni.core.grounding.denials import denial_mistake, find_denial_mistake
from soni.core.grounding.reading import Statements, statements_of

# Other words may be longer ones, but nothing is to be told beside.
_TIMES: Final = 2
_MORE: Final = 40

# So much of a text must be found again in other words for it, and of an answer in its entry.
_KEPT: Final = 1 / 3
_FOUNDED: Final = 1 / 2
_LONG: Final = 4
_STEM: Final = 5


def find_rewording_mistake(
    original: str, written: str, language: str, marks: Collection[str] = ()
) -> str | None:
    """Why `written` does not say the same as `original`; None: nothing speaks against it.

    `marks` stand in both texts for values.
    """
    if not written.strip():
        return "nothing was written"
    if len(written) > _TIMES * len(original) + _MORE:
        return "it is too long"
    was = statements_of(original, language, marks)
    now = statements_of(written, language, marks)
    return (
        _facts_mistake(was, now)
        or _names_mistake(was, now)
        or ("it has more sentences" if now.sentences > was.sentences else None)
        or _question_mistake(was, now)
        or denial_mistake(was, now)
        or (None if _measure_shared_words(was, (now,)) >= _KEPT else "it says something else")
    )


def _facts_mistake(was: Statements, now: Statements) -> str | None:
    lost = Counter(was.facts) - Counter(now.facts)
    added = Counter(now.facts) - Counter(was.facts)
    if lost or added:
        return "; ".join([*_format_facts("missing", lost), *_format_facts("added", added)])
    if was.facts != now.facts:
        return "the order of what it states has changed"
    # Signs such as ½ stand for numbers too, wherever they stand.
    return None if was.digits == now.digits else "a number has changed"


def _names_mistake(was: Statements, now: Statements) -> str | None:
    lost = [name for name in was.names if name.casefold() not in now.words]
    added = [name for name in now.names if name.casefold() not in was.words]
    if lost or added:
        return "; ".join([*_format_facts("missing", lost), *_format_facts("added", added)])
    kept = [name for name in now.names if name in was.names]
    ordered = [name for name in was.names if name in now.names]
    # A name may be said again, but not in another's place.
    changed = list(dict.fromkeys(kept)) != list(dict.fromkeys(ordered))
    return "the order of the names has changed" if changed else None


def _question_mistake(was: Statements, now: Statements) -> str | None:
    if was.asks and not now.asks:
        return "it is no longer a question"
    if was.asks != now.asks or was.ends_asking != now.ends_asking:
        return "it has become a question" if now.ends_asking else "it asks elsewhere"
    return None


def answer_mistake(
    answer: str, entry: str, language: str, *, questions: Sequence[str] = (), asked: str = ""
) -> str | None:
    """Why an answer is not what `entry` says; None: nothing speaks against it.

    What it states must stand in the entry, in that order, or in the `questions` that the entry is
    for. Names and words may be those of the person who `asked`; what they take for a fact may not.
    """
    if not answer.strip():
        return "nothing was written"
    if len(answer) > _TIMES * len(entry) + _MORE:
        return "it is too long"
    said, known = statements_of(answer, language), statements_of(entry, language)
    written = [statements_of(text, language) for text in questions]
    heard = (known, *written, statements_of(asked, language))
    return (
        _unknown_facts(said, known, written)
        or _unknown_names(said, heard)
        or find_denial_mistake(said, known, heard)
        or _find_unfounded_words(said, heard)
    )


def _unknown_facts(
    said: Statements, known: Statements, questions: Iterable[Statements]
) -> str | None:
    beside = {fact for each in questions for fact in each.facts}
    at = 0
    for fact in said.facts:
        if fact in known.facts[at:]:
            at = known.facts.index(fact, at) + 1
        elif fact not in beside:
            again = fact in known.facts
            return "the order of what it states has changed" if again else f"added: {fact}"
    return None


def _unknown_names(said: Statements, known: Iterable[Statements]) -> str | None:
    words = frozenset[str]().union(*(each.words for each in known))
    added = [name for name in said.names if name.casefold() not in words]
    return next(iter(_format_facts("added", added)), None)


def _find_unfounded_words(said: Statements, known: Iterable[Statements]) -> str | None:
    """Most of the words must be somebody's: what a model knows by itself is not asked for."""
    founded = _measure_shared_words(said, known) >= _FOUNDED
    return None if founded else "it says other things than the entry"


def _measure_shared_words(said: Statements, others: Iterable[Statements]) -> float:
    """How much of the longer words others say as well, in whatever form."""
    stems = {word[:_STEM] for each in others for word in each.words}
    long = [word[:_STEM] for word in said.words if len(word) >= _LONG]
    # One word alone may well be said otherwise.
    return sum(stem in stems for stem in long) / len(long) if len(long) > 1 else 1.0


def _format_facts(what: str, facts: Iterable[str]) -> list[str]:
    named = ", ".join(dict.fromkeys(facts))
    return [f"{what}: {named}"] if named else []
