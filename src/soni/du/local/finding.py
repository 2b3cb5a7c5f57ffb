"""Values in the middle of a sentence: whatever a slot's type takes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from soni.core.errors import Refused
from soni.du.context import SlotBrief
from soni.du.local.slips import mended
from soni.slots import SlotEnv, SlotType, slot_types

# Free text has no form to be known by; a yes is told by the question it answers.
_FORMLESS = frozenset({"string", "text", "list", "object", "boolean"})

# A value has few words, and a message that is longer than this is hardly an answer.
_LONGEST, _WORDS = 7, 60

_WORD = re.compile(r"[^\s,;:!?()\"“”]+(?:,\d+)*")
_CLOCK = re.compile(
    r"(?:(?:at|by|around|about) )?(?:(?:a )?(?:half|quarter)) (?:past|to) \w+",
    re.IGNORECASE,
)
_DULL = re.compile(r"(?:a|an|the|one|may|on|in|at|to|no|un|una|el|la|y|and)", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A part of a message that is a value."""

    start: int
    end: int
    value: Any
    """As a write would store it."""

    said: str
    """In words that the slot's type takes."""


def found(message: str, slot: SlotBrief, env: SlotEnv) -> list[Found]:
    """The values of the slot's type in a message, in order; the longest where they overlap."""
    kind = slot_types().get(slot.type)
    if kind is None or slot.type in _FORMLESS:
        return []
    taken: list[Found] = []
    for start, end in _spans(message):
        if any(start < other.end and other.start < end for other in taken):
            continue
        for said in _spellings(message[start:end], slot, env):
            value = _taken(kind, said, slot, env)
            if value is not None:
                taken.append(Found(start, end, value, said))
                break
    return sorted(taken, key=lambda one: one.start)


def is_cut(value: str, message: str) -> bool:
    """Whether a value stands in a message only as a part of a word or number: the 2 of "2.5"."""
    if value not in message:
        return False
    whole = rf"(?<!\w)(?<!\d[.,]){re.escape(value)}(?![.,]\d)(?!\w)"
    return re.search(whole, message) is None


def _spellings(said: str, slot: SlotBrief, env: SlotEnv) -> Iterator[str]:
    """The words, and what they may stand for."""
    yield said
    if slot.type == "date" and (meant := mended(said)) != said:
        yield meant
    if slot.type == "time" and _CLOCK.fullmatch(said):
        # "Half past eight" may be two times: the one that comes first from now.
        yield from (f"{said} {part}" for part in _halves(env.now.hour))


def _halves(hour: int) -> tuple[str, str]:
    return ("am", "pm") if hour < 6 or hour >= 20 else ("pm", "am")


def _taken(kind: SlotType, said: str, slot: SlotBrief, env: SlotEnv) -> Any:
    try:
        return kind.coerce(said, slot, env)
    except Refused:
        return None


def _spans(message: str) -> Iterator[tuple[int, int]]:
    """Runs of words, longest first."""
    words = [(w.start(), w.start() + len(w[0].rstrip("."))) for w in _WORD.finditer(message)]
    words = [word for word in words[:_WORDS] if word[0] < word[1]]
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            span = words[first][0], words[first + length - 1][1]
            if length > 1 or not _DULL.fullmatch(message, *span):
                yield span
