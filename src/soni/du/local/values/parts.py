"""Numbers that are part of something else: a time, an address, a rate."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import describe_slot, find_whole_words, is_slot_about
from soni.language import Language

# So many digits in groups are a phone number, a day or a card, and none of their parts an amount.
_GROUPED: Final = re.compile(r"\+?\d(?:[\s().-]{0,2}\d){6,}")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:([., ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?")


def find_other_spans(message: str, slot: SlotBrief, lang: Language) -> list[tuple[int, int]]:
    """Spans of other things, from which no value of the slot may be cut."""
    if slot.kind.dimension == "time":
        return [one.span() for one in lang.pattern("parts.house", cased=True).finditer(message)]
    if not slot.kind.is_countable:
        return []
    runs = (run for run in _GROUPED.finditer(message) if not run[0].isdecimal())
    # "1.250.000" is in groups as well, and a number.
    grouped = [run.span() for run in runs if not _THOUSANDS.fullmatch(run[0])]
    patterns = [lang.pattern("parts.clock"), lang.pattern("parts.house", cased=True)]
    if not is_slot_about(slot, "parts.slot_of_age", lang):
        patterns.append(lang.pattern("parts.age"))
    return grouped + [one.span() for pattern in patterns for one in pattern.finditer(message)]


def is_part_of_other(value: str, message: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a number or a length stands in a message only as a part of something else."""
    places = [
        (a, b) for a, b in find_whole_words(value, message) if message[a - 1 : a] not in (".", ",")
    ]
    if slot.kind.dimension == "duration":
        return bool(places) and all(is_no_length(message, *place, slot, lang) for place in places)
    if not slot.kind.is_countable:
        return False
    others = find_other_spans(message, slot, lang)
    counted = slot.kind.dimension != "money" and not holds_rate(slot, lang)
    return bool(places) and all(
        any(first <= start and end <= last for first, last in others)
        or (counted and is_rate(message, end, lang))
        for start, end in places
    )


def is_rate(message: str, end: int, lang: Language) -> bool:
    """Whether a number that ends there is so much for each of something: "17 per person"."""
    return lang.pattern("parts.rate").match(message, end) is not None


def is_of_rate(message: str, start: int, end: int, lang: Language) -> bool:
    """Whether words say for how long so much holds, and not how long: the "day" of "50 a day"."""
    one = lang.pattern("parts.one_each").fullmatch(message, start, end)
    return bool(one and lang.pattern("parts.once").search(message[:start]))


def holds_rate(slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot says how many there are of something in a day, or for each of us."""
    return lang.pattern("parts.slot_of_rate").search(describe_slot(slot)) is not None


def is_no_length(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    """Whether a unit only says which ("the day"), or how often ("every two weeks")."""
    before = message[:start]
    if lang.pattern("lengths.long").search(before):
        return True
    # "A second car" is one more.
    second = lang.pattern("lengths.second").fullmatch(message, start, end)
    if second and not lang.pattern("values.goes_on").match(message, end):
        return True
    if lang.pattern("lengths.often").search(before):
        return not is_slot_about(slot, "lengths.slot_of_frequency", lang)
    if not lang.pattern("units.time").fullmatch(message, start, end):
        return False
    if lang.pattern("lengths.all_of").search(before):
        return False
    alone = lang.pattern("lengths.alone").fullmatch(before)
    return not (alone and lang.pattern("lengths.nothing_more").match(message, end))
