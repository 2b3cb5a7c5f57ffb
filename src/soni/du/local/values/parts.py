"""Numbers that are a part of something else: of a time, an address, a price for each."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.lengths import is_no_length
from soni.du.local.words.words import normal, spoken, standing

# So many digits in groups are a phone number, a day or a card, and none of their parts an amount.
_GROUPED: Final = re.compile(r"\+?\d(?:[\s().-]{0,2}\d){6,}")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:([., ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?")
_HOUR: Final = (
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|una|dos|tres|"
    r"cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
)
# What can be nothing but a time. "4 tonight" may be four people.
_CLOCK: Final = re.compile(
    rf"\b\d{{1,2}}[:h][0-5]\d\b|\b{_HOUR}(?:[.:]\d\d)?\s*[ap]\.?m\b|"
    rf"\b(?:half|quarter|\d{{1,2}}|five|ten|twenty)\s+past\s+{_HOUR}\b|"
    rf"\bquarter\s+to\s+{_HOUR}\b|\b{_HOUR}\s+(?:o'?clock|sharp|on the dot|en punto)\b|"
    rf"\b(?:at|by)\s+{_HOUR}\s+in the (?:morning|afternoon|evening)\b|"
    rf"\ba\s+las?\s+{_HOUR}\b(?:\s+(?:y|menos)\s+\w+)?",
    re.IGNORECASE,
)
_HOUSE: Final = re.compile(
    r"\b\d{1,4}[a-z]?\s+(?:(?!(?:on|in|at|to|for|of|by|from|near|and|or|the|this|your|my)\b)"
    r"[^\W\d_][\w'.-]*\s+){0,2}"
    r"(?:(?i:street|road|rd|lane|avenue|ave|boulevard|blvd|crescent|terrace)|"
    r"St|Drive|Close|Court|Way|Square|Place|Row|Gardens|Hill|Walk|Mews|Quay)\b"
)
_AGE: Final = re.compile(
    r"\b\d{1,2}[\s-]*(?:years?|yrs?|months?|weeks?)[\s-]*olds?\b|"
    r"\baged?\s+\d{1,2}(?:(?:,\s*|\s+and\s+|\s+to\s+)\d{1,2})*\b",
    re.IGNORECASE,
)
_AGED: Final = re.compile(r"\b(?:ages?|old|years?|edad|años?)\b")
_EACH: Final = (
    r"(?:person|people|head|guest|child|adult|day|night|week|month|year|hour|minute|room|piece|item|"
    r"visit|time|km|mile|kilo|litre|persona|d[ií]a|noche|semana|mes|año|hora)"
)
_RATE: Final = re.compile(
    rf"\s*(?:per|an?|every|por|al|a\s+la)\s+{_EACH}\b|\s*/\s*{_EACH}\b|\s*p\.?p\b", re.IGNORECASE
)
_ONCE: Final = re.compile(
    rf"(?:\d[\d.,]*k?|[€$£]|\b(?:once|twice|{_HOUR[3:-1]}|hundred|thousand|twenty|thirty|forty|"
    r"fifty|sixty|seventy|eighty|ninety|cien))\s+"
    r"(?:(?!(?:for|in|within|after|of|per|an?|por|durante|en)\b)[^\W\d_]+\s+)?"
    r"(?:(?:an?|per|every|each|al|por)\s+)?$",
    re.IGNORECASE,
)
_ONE: Final = re.compile(rf"(?:(?:an?|per|every|each|al|por)\s+)?{_EACH}", re.IGNORECASE)
_RATED: Final = re.compile(
    rf"\b(?:(?:per|an?|every|each|por|al)\s+{_EACH}|daily|weekly|monthly|rate)\b", re.IGNORECASE
)


def parts_of_others(message: str, slot: SlotBrief) -> list[tuple[int, int]]:
    """Where a message says something that no value of the slot may be cut from."""
    if slot.kind.dimension == "time":
        return [house.span() for house in _HOUSE.finditer(message)]
    if not slot.kind.is_countable:
        return []
    runs = (run for run in _GROUPED.finditer(message) if not run[0].isdecimal())
    # "1.250.000" is in groups as well, and a number.
    grouped = [run.span() for run in runs if not _THOUSANDS.fullmatch(run[0])]
    patterns = [_CLOCK, _HOUSE]
    if not _AGED.search(f"{spoken(slot.name)} {normal(slot.description)}"):
        patterns.append(_AGE)
    return grouped + [one.span() for pattern in patterns for one in pattern.finditer(message)]


def is_part(value: str, message: str, slot: SlotBrief) -> bool:
    """Whether a number or a length stands in a message only as a part of something else."""
    places = [(a, b) for a, b in standing(value, message) if message[a - 1 : a] not in (".", ",")]
    if slot.kind.dimension == "duration":
        return bool(places) and all(is_no_length(message, *place, slot) for place in places)
    if not slot.kind.is_countable:
        return False
    others = parts_of_others(message, slot)
    counted = slot.kind.dimension != "money" and not holds_rate(slot)
    return bool(places) and all(
        any(first <= start and end <= last for first, last in others)
        or (counted and is_rate(message, end))
        for start, end in places
    )


def is_rate(message: str, end: int) -> bool:
    """Whether a number that ends there is so much for each of something: "17 per person"."""
    return _RATE.match(message, end) is not None


def is_of_rate(message: str, start: int, end: int) -> bool:
    """Whether words say for how long so much holds, and not how long: the "day" of "50 a day"."""
    return bool(_ONE.fullmatch(message, start, end) and _ONCE.search(message[:start]))


def holds_rate(slot: SlotBrief) -> bool:
    """Whether a slot says how many there are of something in a day, or for each of us."""
    return _RATED.search(f"{spoken(slot.name)} {normal(slot.description)}") is not None
