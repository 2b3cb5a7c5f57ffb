"""Checks that a text by a language model states the facts of its source and no others."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from soni.core.grounding.denials import denial_mistake, find_denial_mistake
from soni.core.grounding.reading import Statements, statements_of

# A rewording may be somewhat longer, but must not add content.
_TIMES: Final = 2
_MORE: Final = 40

# The share of words that a rewording must keep, and that an answer must have from its entry.
_KEPT: Final = 1 / 3
_FOUNDED: Final = 1 / 2
_LONG: Final = 4
_STEM: Final = 5


def find_rewording_mistake(
    original: str, written: str, language: str, marks: Collection[str] = ()
) -> str | None:
    """Why `written` does not say the same as `original`; None: no difference was found.

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
    # Signs such as ½ are numbers too.
    return None if was.digits == now.digits else "a number has changed"


def _names_mistake(was: Statements, now: Statements) -> str | None:
    lost = [name for name in was.names if name.casefold() not in now.words]
    added = [name for name in now.names if name.casefold() not in was.words]
    if lost or added:
        return "; ".join([*_format_facts("missing", lost), *_format_facts("added", added)])
    kept = [name for name in now.names if name in was.names]
    ordered = [name for name in was.names if name in now.names]
    # A name may be repeated, but the order of first mentions must stay.
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
    """Why an answer is not grounded in `entry`; None: no difference was found.

    Its facts must occur in the entry, in that order, or in the `questions` of the entry. Names and
    words may also come from what the user `asked`, but facts may not.
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
    """Most words must come from the entry or the question, not from the model's knowledge."""
    founded = _measure_shared_words(said, known) >= _FOUNDED
    return None if founded else "it says other things than the entry"


def _measure_shared_words(said: Statements, others: Iterable[Statements]) -> float:
    """The share of longer words whose stem occurs in the other texts."""
    stems = {word[:_STEM] for each in others for word in each.words}
    long = [word[:_STEM] for word in said.words if len(word) >= _LONG]
    # A single word may well be replaced by a synonym.
    return sum(stem in stems for stem in long) / len(long) if len(long) > 1 else 1.0


def _format_facts(what: str, facts: Iterable[str]) -> list[str]:
    named = ", ".join(dict.fromkeys(facts))
    return [f"{what}: {named}"] if named else []
