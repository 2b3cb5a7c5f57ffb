"""Origin and destination. They must never be swapped, so words decide and not a model."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import Any

from soni.du.context import SlotBrief
from soni.du.local.values.choices import find_named_values, is_undecided, strip_refused
from soni.du.local.words.words import normalise, speak_name
from soni.language import Language


def find_route(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """Origin and destination by slot, if the flow has a slot for each."""
    texts = [slot for slot in slots if slot.kind.is_short_text]
    source, goal = _find_both_ends(texts, lang)
    if source is None or goal is None:
        return _choose_ends(message, [slot for slot in slots if slot.kind.has_values], lang)
    said = _find_said_ends(message, source, goal, lang)
    if said:
        return said
    is_way = pair_ends((source.name, goal.name), lang).get(source.name) == goal.name
    return _find_bare_route(message, source, goal, lang) if is_way else {}


def _find_said_ends(
    message: str, source: SlotBrief, goal: SlotBrief, lang: Language
) -> dict[str, str]:
    for name in ("route.from_to", "route.to_from"):
        match = lang.pattern(name).search(message)
        if match:
            return {source.name: match["source"], goal.name: match["goal"]}
    return {}


def _find_bare_route(
    message: str, source: SlotBrief, goal: SlotBrief, lang: Language
) -> dict[str, str]:
    """The ends as names with a "to" between them and nothing before."""
    match = None if message.isupper() else lang.pattern("route.bare", cased=True).search(message)
    if match is None:
        return {}
    start = list(dropwhile(lang.pattern("route.opening").fullmatch, match["source"].split()))
    places = " ".join(start), match["goal"]
    if not start or any(map(lang.pattern("route.no_place").match, places)):
        return {}
    return dict(zip((source.name, goal.name), places, strict=True))


def _choose_ends(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """The ends where both are chosen from the same places: one of them, or both."""
    source, goal = _find_both_ends(slots, lang)
    if source is None or goal is None or source.values.keys() != goal.values.keys():
        return {}
    ends: dict[str, str] = {}
    rest: list[str] = []
    leaves, goes = lang.words("route.leaves"), lang.words("route.goes")
    if is_undecided(message, source, lang):
        # Nobody can tell which, and the other is no end either.
        return {}
    for value, before in find_named_values(strip_refused(message, source, lang), source, lang):
        end = source if before in leaves else goal if before in goes else None
        if before in lang.words("route.by_the_way"):
            continue
        if end is None or end.name in ends:
            rest.append(value)
        else:
            ends[end.name] = value
    # "Madrid - Oslo", "Madrid to Oslo", "to Oslo, and Madrid it is where I start".
    missing = [slot.name for slot in (source, goal) if slot.name not in ends]
    if ends or len(rest) == len(missing):
        ends |= dict(zip(missing, rest, strict=False))
    return _find_unknown_ends(message, source, goal, lang) | ends if len(ends) == 1 else ends


def _find_unknown_ends(
    message: str, source: SlotBrief, goal: SlotBrief, lang: Language
) -> dict[str, str]:
    """Both ends as they are said: one is none of the places, and whoever said it should hear so."""
    said = _find_said_ends(message, source, goal, lang)
    no_place = lang.pattern("route.no_place")
    return {
        name: place
        for name, place in said.items()
        if not no_place.match(place) and (place[0].isupper() or " " not in place)
    }


def drop_twins(
    values: Mapping[str, Any], ends: Mapping[str, str], slots: Sequence[SlotBrief]
) -> dict[str, Any]:
    """Drop values that use the place of one end for the other end too."""
    choices = {slot.name for slot in slots if slot.kind.has_values}
    told = set(ends.values())
    return {n: v for n, v in values.items() if n in ends or n not in choices or v not in told}


def _find_both_ends(
    slots: Sequence[SlotBrief], lang: Language
) -> tuple[SlotBrief | None, SlotBrief | None]:
    source = lang.pattern("route.slot_of_source", cased=True)
    goal = lang.pattern("route.slot_of_goal", cased=True)
    return _find_only_slot(slots, source, goal), _find_only_slot(slots, goal, source)


def _find_only_slot(
    slots: Sequence[SlotBrief], is_it: re.Pattern[str], other: re.Pattern[str]
) -> SlotBrief | None:
    """The one slot that is about this end; its name says more than what follows."""

    def tells(text: str) -> bool:
        return is_it.search(text) is not None and not other.search(text)

    named = [slot for slot in slots if tells(speak_name(slot.name))]
    found = named or [slot for slot in slots if tells(normalise(slot.description))]
    return found[0] if len(found) == 1 else None


def find_other_end(
    slot: str, message: str, start: int, names: Iterable[str], lang: Language
) -> str | None:
    """The slot for the other end, if the word before a value says that it is meant for that."""
    side = _find_side(slot, lang)
    if side is None:
        return None
    opposite = lang.pattern("ends.to_before" if side == "begin" else "ends.from_before")
    return pair_ends(names, lang).get(slot) if opposite.search(message[:start]) else None


def pair_ends(names: Iterable[str], lang: Language) -> Mapping[str, str]:
    """Slots that are the two ends of one thing: `from_city` and `to_city`."""
    sides_of = lang.words("ends.begin") | lang.words("ends.end") | lang.words("ends.dull")
    known: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for name in names:
        side = _find_side(name, lang)
        if side is not None:
            rest = tuple(w for w in speak_name(name).split() if w not in sides_of)
            known.setdefault(rest, {}).setdefault(side, []).append(name)
    pairs: dict[str, str] = {}
    for sides in known.values():
        begin, end = sides.get("begin", []), sides.get("end", [])
        if len(begin) == len(end) == 1:
            pairs |= {begin[0]: end[0], end[0]: begin[0]}
    return pairs


def _find_side(name: str, lang: Language) -> str | None:
    words = set(speak_name(name).split())
    begins, ends = (bool(words & lang.words(f"ends.{side}")) for side in ("begin", "end"))
    return None if begins == ends else "begin" if begins else "end"
