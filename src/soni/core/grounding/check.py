"""Checks that a text by a language model states the facts of its source and no others."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from soni.core.grounding.denials import find_reworded_denial, find_unfounded_denial
from soni.core.grounding.statements import Statements, read_statements

# A rewording may be somewhat longer, but must not add content.
_MAX_RATIO: Final = 2
_MAX_EXTRA: Final = 40

# The share of words that a rewording must keep, and that an answer must have from its entry.
_MIN_KEPT: Final = 1 / 3
_MIN_FOUNDED: Final = 1 / 2
_MIN_WORD_LENGTH: Final = 4
_STEM_LENGTH: Final = 5


def find_rewording_mistake(
    original: str, written: str, language: str, marks: Collection[str] = ()
) -> str | None:
    """Why `written` does not say the same as `original`; None: no difference was found.

    `marks` stand in both texts for values.
    """
    if not written.strip():
        return "nothing was written"
    if len(written) > _MAX_RATIO * len(original) + _MAX_EXTRA:
        return "it is too long"
    was = read_statements(original, language, marks)
    now = read_statements(written, language, marks)
    return (
        _find_facts_mistake(was, now)
        or _find_names_mistake(was, now)
        or ("it has more sentences" if now.sentences > was.sentences else None)
        or _find_question_mistake(was, now)
        or find_reworded_denial(was, now)
        or (None if _measure_shared_words(was, (now,)) >= _MIN_KEPT else "it says something else")
    )


def _find_facts_mistake(was: Statements, now: Statements) -> str | None:
    lost = Counter(was.facts) - Counter(now.facts)
    added = Counter(now.facts) - Counter(was.facts)
    if lost or added:
        return "; ".join([*_format_facts("missing", lost), *_format_facts("added", added)])
    if was.facts != now.facts:
        return "the order of what it states has changed"
    # Signs such as ½ are numbers too.
    return None if was.digits == now.digits else "a number has changed"


def _find_names_mistake(was: Statements, now: Statements) -> str | None:
    lost = [name for name in was.names if name.casefold() not in now.words]
    added = [name for name in now.names if name.casefold() not in was.words]
    if lost or added:
        return "; ".join([*_format_facts("missing", lost), *_format_facts("added", added)])
    kept = [name for name in now.names if name in was.names]
    ordered = [name for name in was.names if name in now.names]
    # A name may be repeated, but the order of first mentions must stay.
    changed = list(dict.fromkeys(kept)) != list(dict.fromkeys(ordered))
    return "the order of the names has changed" if changed else None


def _find_question_mistake(was: Statements, now: Statements) -> str | None:
    if was.asks and not now.asks:
        return "it is no longer a question"
    if was.asks != now.asks or was.ends_asking != now.ends_asking:
        return "it has become a question" if now.ends_asking else "it asks elsewhere"
    return None


def find_answer_mistake(
    answer: str, entry: str, language: str, *, questions: Sequence[str] = (), asked: str = ""
) -> str | None:
    """Why an answer is not grounded in `entry`; None: no difference was found.

    Its facts must occur in the entry, in that order, or in the `questions` of the entry. Names and
    words may also come from what the user `asked`, but facts may not.
    """
    if not answer.strip():
        return "nothing was written"
    if len(answer) > _MAX_RATIO * len(entry) + _MAX_EXTRA:
        return "it is too long"
    said, known = read_statements(answer, language), read_statements(entry, language)
    written = [read_statements(text, language) for text in questions]
    heard = (known, *written, read_statements(asked, language))
    return (
        _find_unknown_facts(said, known, written)
        or _find_unknown_names(said, heard)
        or find_unfounded_denial(said, known, heard)
        or _find_unfounded_words(said, heard)
    )


def _find_unknown_facts(
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


def _find_unknown_names(said: Statements, known: Iterable[Statements]) -> str | None:
    words = frozenset[str]().union(*(each.words for each in known))
    added = [name for name in said.names if name.casefold() not in words]
    return next(iter(_format_facts("added", added)), None)


def _find_unfounded_words(said: Statements, known: Iterable[Statements]) -> str | None:
    """Most words must come from the entry or the question, not from the model's knowledge."""
    founded = _measure_shared_words(said, known) >= _MIN_FOUNDED
    return None if founded else "it says other things than the entry"


def _measure_shared_words(said: Statements, others: Iterable[Statements]) -> float:
    """The share of longer words whose stem occurs in the other texts."""
    stems = {word[:_STEM_LENGTH] for each in others for word in each.words}
    long = [word[:_STEM_LENGTH] for word in said.words if len(word) >= _MIN_WORD_LENGTH]
    # A single word may well be replaced by a synonym.
    return sum(stem in stems for stem in long) / len(long) if len(long) > 1 else 1.0


def _format_facts(what: str, facts: Iterable[str]) -> list[str]:
    named = ", ".join(dict.fromkeys(facts))
    return [f"{what}: {named}"] if named else []
