"""Values without the words around them: "50 to Bob" is no amount, "50" is."""

import re
from collections.abc import Iterator
from typing import Any, Final

from soni.core.errors import Refusal
from soni.du.context import SlotBrief
from soni.slots import SlotEnv

_WORD: Final = re.compile(r"\S+")
END_SIGNS: Final = ",;:.!?"
"""Punctuation at the end of words."""

_MAX_VALUE_WORDS: Final = 12
"""The most words of a value that has a form."""

_MAX_SEARCHED_WORDS: Final = 60
"""The most words that are searched."""

_NOTHING: Final = object()


def trim_words(words: str, slot: SlotBrief, env: SlotEnv) -> str:
    """The longest part that the slot's type reads; all of it, if it reads that or nothing."""
    if not slot.kind.has_form or is_readable(words, slot, env):
        return words
    return next((part for part, _ in _iter_readable_parts(words, slot, env)), words)


def find_same_part(copy: str, message: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    """The part of a message with the value that a model wrote otherwise: "fifty" for "50"."""
    meant = _coerce_words(copy, slot, env)
    found = _iter_readable_parts(message, slot, env) if slot.kind.has_form else ()
    return next((part for part, value in found if value == meant), None)


def find_only_part(message: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    """The part that the slot's type reads, if there is just one."""
    found = [*_iter_readable_parts(message, slot, env)] if slot.kind.has_form else []
    return found[0][0] if len(found) == 1 else None


def has_readable_part(message: str, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether the slot's type reads any part."""
    return slot.kind.has_form and any(True for _ in _iter_readable_parts(message, slot, env))


def is_readable(words: str, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether the slot's type makes a value of these words."""
    return _coerce_words(words, slot, env) is not _NOTHING


def is_stored_value(words: str, stored: Any, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether words say a value that is stored."""
    return words == str(stored) or (
        slot.kind.has_form and _coerce_words(words, slot, env) == stored
    )


def _iter_readable_parts(words: str, slot: SlotBrief, env: SlotEnv) -> Iterator[tuple[str, Any]]:
    """Parts that the slot's type reads, with their values; the longest first, none twice."""
    spans = [match.span() for match in _WORD.finditer(words)][:_MAX_SEARCHED_WORDS]
    taken: set[int] = set()
    for length in range(min(len(spans), _MAX_VALUE_WORDS), 0, -1):
        for first in range(len(spans) - length + 1):
            run = range(first, first + length)
            part = words[spans[first][0] : spans[run[-1]][1]].strip(END_SIGNS)
            value = _NOTHING if taken.intersection(run) else _coerce_words(part, slot, env)
            if value is not _NOTHING:
                taken.update(run)
                yield part, value


def _coerce_words(words: str, slot: SlotBrief, env: SlotEnv) -> Any:
    try:
        return slot.kind.coerce(words, slot, env)
    except Refusal:
        return _NOTHING
