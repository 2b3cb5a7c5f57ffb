"""From where to where: the two must never be swapped, so their words decide and not a guess."""

import re
from collections.abc import Mapping, Sequence
from itertools import dropwhile
from typing import Any, Final

from soni.du.context import SlotBrief
from soni.du.local.values.choices import is_undecided, named_values, wanted
from soni.du.local.values.ends import twins
from soni.du.local.words.words import normal, spoken

_SOURCE: Final = re.compile(
    r"\b(?:from|origin|start\w*|depart\w*|leav\w*|source|pick ?up|salida|origen)\b"
)
_GOAL: Final = re.compile(
    r"\b(?:to|destination|arriv\w*|goes|going|drop ?off|target|destino|llegada)\b"
)
_STOP: Final = (
    r"(?:on|at|for|by|in|with|via|after|before|around|about|next|this|tomorrow|today|tonight|"
    r"please|pls|and|or|but|leaving|departing|returning|instead|el|la|para|con|por|mañana|hoy|y)"
)
_NAME: Final = (
    rf"(?!{_STOP}\b)[^\s,.;!?]+(?:\s+(?!{_STOP}\b|from\b|to\b|desde\b|hasta\b)[^\s,.;!?]+){{0,3}}"
)
_FROM: Final = rf"\b(?:from|leaving from|leaving|departing|desde)\s+(?P<source>{_NAME})"
_TO: Final = rf"\b(?:to|going to|towards|hasta|a)\s+(?P<goal>{_NAME})"
_LEAVES: Final = frozenset({"from", "leaving", "departing", "desde"})
_GOES: Final = frozenset({"to", "towards", "into", "reach", "visit", "hasta", "hacia", "a"})
_BY_THE_WAY: Final = frozenset({"via", "through", "over", "por"})
_NO_PLACE: Final = re.compile(
    r"(?:\d|(?:any|some|no|every)\w*|where\w*|be|go|see|visit|do|get|t?here|home|work|next|last|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|lunes|martes|mi[eé]rcoles|jueves|viernes|"
    r"s[aá]bado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|"
    r"noviembre|diciembre|donde|cualquier|alg[uú]n)\b",
    re.IGNORECASE,
)
_BOTH: Final = tuple(
    re.compile(pattern, re.IGNORECASE) for pattern in (rf"{_FROM}\s+{_TO}", rf"{_TO}\s+{_FROM}")
)

# "Ticket Millbrook to Fenwick": without a word before the first, it is what is written as a name.
_CALLED: Final = r"[A-ZÀ-ÖØ-Þ][\w'\u2019-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w'\u2019-]*){0,3}"
_BARE: Final = re.compile(
    rf"(?<![\w'\u2019])(?P<source>{_CALLED})\s+"
    rf"(?:(?:over )?to|->|\u2192|[-\u2013])\s+(?P<goal>{_CALLED})"
)
# With these a sentence begins, in a capital too.
_OPENS: Final = re.compile(
    r"(?:i|we|you|he|she|they|it|can|could|please|want\w*|need\w*|go(?:ing)?|get\w*|back|next|return|"
    r"single|one|two|an?|my|our|tickets?|seats?|trains?|bus|coach|ferry|flights?|fly\w*|trip|"
    r"travel\w*|journey|rides?|taxi|cab|transfers?|send\w*|mov\w*|chang\w*|driv\w*|tak\w*|book\w*|"
    r"close|due|up|down|over|how|what|when|is|are|do|does|hi|hello|hey|ok|okay|yes|no|thanks|welcome)",
    re.IGNORECASE,
)


def route(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """Both ends of a way, where the message names both and the flow has a slot for each."""
    texts = [slot for slot in slots if slot.kind.is_short_text]
    source, goal = _only(texts, _SOURCE, _GOAL), _only(texts, _GOAL, _SOURCE)
    if source is None or goal is None:
        return _chosen(message, [slot for slot in slots if slot.kind.has_values])
    for pattern in _BOTH:
        match = pattern.search(message)
        if match:
            return {source.name: match["source"], goal.name: match["goal"]}
    is_way = twins((source.name, goal.name)).get(source.name) == goal.name
    return _bare(message, source, goal) if is_way else {}


def _bare(message: str, source: SlotBrief, goal: SlotBrief) -> dict[str, str]:
    """The ends as names with a "to" between them and nothing before."""
    match = None if message.isupper() else _BARE.search(message)
    if match is None:
        return {}
    start = list(dropwhile(_OPENS.fullmatch, match["source"].split()))
    places = " ".join(start), match["goal"]
    if not start or any(_NO_PLACE.match(place) for place in places):
        return {}
    return dict(zip((source.name, goal.name), places, strict=True))


def _chosen(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """The ends where both are chosen from the same places: one of them, or both."""
    source, goal = _only(slots, _SOURCE, _GOAL), _only(slots, _GOAL, _SOURCE)
    if source is None or goal is None or source.values.keys() != goal.values.keys():
        return {}
    ends: dict[str, str] = {}
    rest: list[str] = []
    if is_undecided(message, source):
        # Nobody can tell which, and the other is no end either.
        return {}
    for value, before in named_values(wanted(message, source), source):
        end = source if before in _LEAVES else goal if before in _GOES else None
        if before in _BY_THE_WAY:
            continue
        if end is None or end.name in ends:
            rest.append(value)
        else:
            ends[end.name] = value
    # "Madrid - Oslo", "Madrid to Oslo", "to Oslo, and Madrid it is where I start".
    missing = [slot.name for slot in (source, goal) if slot.name not in ends]
    if ends or len(rest) == len(missing):
        ends |= dict(zip(missing, rest, strict=False))
    return _unknown(message, source, goal) | ends if len(ends) == 1 else ends


def _unknown(message: str, source: SlotBrief, goal: SlotBrief) -> dict[str, str]:
    """Both ends as they are said: one is none of the places, and whoever said it should hear so."""
    match = next(filter(None, (pattern.search(message) for pattern in _BOTH)), None)
    said = {source.name: match["source"], goal.name: match["goal"]} if match else {}
    return {
        name: place
        for name, place in said.items()
        if not _NO_PLACE.match(place) and (place[0].isupper() or " " not in place)
    }


def without_twins(
    values: Mapping[str, Any], ends: Mapping[str, str], slots: Sequence[SlotBrief]
) -> dict[str, Any]:
    """The values but those that take the place of one end for the other as well."""
    choices = {slot.name for slot in slots if slot.kind.has_values}
    told = set(ends.values())
    return {n: v for n, v in values.items() if n in ends or n not in choices or v not in told}


def _only(
    slots: Sequence[SlotBrief], is_it: re.Pattern[str], other: re.Pattern[str]
) -> SlotBrief | None:
    """The one slot that is about this end; its name says more than what follows."""
    named = [s for s in slots if is_it.search(spoken(s.name)) and not other.search(spoken(s.name))]
    found = named or [
        s
        for s in slots
        if is_it.search(normal(s.description)) and not other.search(normal(s.description))
    ]
    return found[0] if len(found) == 1 else None
