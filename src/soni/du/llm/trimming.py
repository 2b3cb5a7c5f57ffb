"""Values without the words around them: "50 to Bob" is no amount, "50" is."""

import re
from collections.abc import Iterator
from typing import Final

from soni.core.errors import Refused
from soni.du.context import SlotBrief
from soni.slots import SlotEnv, slot_types

_WORD: Final = re.compile(r"\S+")
FREE: Final = frozenset({"string", "text", "list", "object", "boolean"})
"""Types whose values have no form to be known by."""

_LONGEST: Final = 12
"""Words of what is looked through: a model that copies more has not looked for a value."""


def trimmed(words: str, slot: SlotBrief, env: SlotEnv) -> str:
    """The longest part that the slot's type reads; all of it, if it reads that or nothing."""
    if slot.type in FREE or _is_read(words, slot, env):
        return words
    return readable_part(words, slot, env) or words


def readable_part(words: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    """The longest part that the slot's type reads, if the type has a form to be known by."""
    if slot.type in FREE:
        return None
    return next((part for part in _parts(words) if _is_read(part, slot, env)), None)


def _parts(words: str) -> Iterator[str]:
    """Runs of words, the longest first."""
    spans = [match.span() for match in _WORD.finditer(words)][:_LONGEST]
    for length in range(len(spans), 0, -1):
        for first in range(len(spans) - length + 1):
            start, end = spans[first][0], spans[first + length - 1][1]
            yield words[start:end].strip(",;:.!?")


def _is_read(words: str, slot: SlotBrief, env: SlotEnv) -> bool:
    try:
        slot_types()[slot.type].coerce(words, slot, env)
    except (KeyError, Refused):
        return False
    return True
