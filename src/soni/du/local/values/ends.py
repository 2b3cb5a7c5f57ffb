"""Both ends of a way or of a time: what stands behind "from" is where it begins, never where to."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from soni.du.local.words.words import spoken

_BEGINS: Final = frozenset({
    *("from", "origin", "start", "departure", "depart", "leaving", "source", "pickup", "pick"),
    *("checkin", "begin", "outbound", "origen", "salida", "inicio"),
})  # fmt: skip
_ENDS: Final = frozenset({
    *("to", "destination", "end", "return", "arrival", "arrive", "dropoff", "drop", "target"),
    *("checkout", "inbound", "until", "destino", "llegada", "vuelta", "fin"),
})  # fmt: skip
_THE: Final = r"\s+(?:the\s+|el\s+|la\s+)?$"
_FROM: Final = re.compile(rf"\b(?:from|starting|beginning|desde){_THE}", re.IGNORECASE)
_TO: Final = re.compile(
    rf"(?<!up )\b(?:to|until|till|til|through|towards|hasta){_THE}", re.IGNORECASE
)


def other_end(slot: str, message: str, start: int, names: Iterable[str]) -> str | None:
    """The slot for the other end, if the word before a value says that it is meant for that."""
    before = message[:start]
    side = _side(slot)
    wrong = (side == "begin" and _TO.search(before)) or (side == "end" and _FROM.search(before))
    return twins(names).get(slot) if wrong else None


def twins(names: Iterable[str]) -> Mapping[str, str]:
    """Slots that are the two ends of one thing: `from_city` and `to_city`."""
    known: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for name in names:
        side = _side(name)
        if side is not None:
            rest = tuple(w for w in spoken(name).split() if w not in _BEGINS | _ENDS | _DULL)
            known.setdefault(rest, {}).setdefault(side, []).append(name)
    pairs: dict[str, str] = {}
    for sides in known.values():
        begin, end = sides.get("begin", []), sides.get("end", [])
        if len(begin) == len(end) == 1:
            pairs |= {begin[0]: end[0], end[0]: begin[0]}
    return pairs


_DULL: Final = frozenset({"up", "off", "in", "out", "of"})


def _side(name: str) -> str | None:
    words = set(spoken(name).split())
    begins, ends = bool(words & _BEGINS), bool(words & _ENDS)
    return None if begins == ends else "begin" if begins else "end"
