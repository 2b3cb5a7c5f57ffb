"""How many people: "my wife, the two kids and me" are four."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.halves import GOES_ON
from soni.du.local.words.words import normal, spoken
from soni.slots.reading.numbers import spelled

_OF_PEOPLE: Final = re.compile(
    r"\b(?:people|persons?|passengers?|guests?|travell?ers?|adults?|party|diners?|visitors?|"
    r"attendees?|participants?|seats?|portions|servings|covers|personas?|pasajer[oa]s?|viajer[oa]s?|adult[oa]s?|invitad[oa]s?|"
    r"comensales|asistentes|hu[ée]spedes|ocupantes|plazas)\b"
)
_ME: Final = re.compile(r"(?:just |and |solo )?(?:me|i|myself|yo|yo mism[oa])")
_ONE: Final = re.compile(
    r"(?:my|our|a|an|one|her|his|mi|un|una|nuestr[oa]|su|el|la) (?P<who>[^\W\d_]+)"
)
_SOME: Final = re.compile(
    r"(?:(?:my|our|the|his|her|mis|los|las|nuestr[oa]s|sus) )?(?:other |otr[oa]s )?"
    r"(?P<count>[^\W\d_]+|\d{1,2}) (?P<who>[^\W_]+)"
)
_BETWEEN: Final = re.compile(r"\s*,\s*(?:and\s+|y\s+|e\s+)?|\s+(?:and|y|e|plus|más|con)\s+")
_LEAD: Final = re.compile(
    r"^(?:(?:it'?s|it is|it will be|there'?s|that'?s|we are|we're|we'll be|somos|seremos|vamos|"
    r"vendremos|just|only|para|for|pues|well|um+)\s+)+",
    re.IGNORECASE,
)
_WE_ARE: Final = re.compile(
    r"\b(?:somos|ser[íi]amos|seremos|ir[íi]amos|iremos|vendremos|we are|we're|we were|"
    r"we will be|we'll be|there are|there will be|there'll be|party of|group of|grupo de)\s+"
    r"(?:(?:about|around|just|only|unos|unas|solo|sólo|ya)\s+)?$",
    re.IGNORECASE,
)
_FOR: Final = re.compile(
    r"\b(?:for|para)\s+(?:(?:about|around|roughly|maybe|up to|unos|unas)\s+)?$", re.IGNORECASE
)
_OF_US: Final = re.compile(r"\s+(?:of us|people|personas|en total|in total)\b", re.IGNORECASE)
# More than this is told in figures.
_MANY: Final = 20


def is_of_people(slot: SlotBrief) -> bool:
    """Whether a slot says how many people there are."""
    return _OF_PEOPLE.search(f"{spoken(slot.name)} {normal(slot.description)}") is not None


def is_party(message: str, start: int, end: int) -> bool:
    """Whether a number of a message is how many "we" are."""
    before, after = message[:start], message[end:]
    return _WE_ARE.search(before) is not None or _OF_US.match(after) is not None


def is_for(message: str, start: int, end: int) -> bool:
    """Whether something is for so many, of whom nothing else is said: "sushi for 9"."""
    return _FOR.search(message[:start]) is not None and GOES_ON.match(message, end) is not None


def company(said: str, language: str) -> int | None:
    """How many people a list of them has; None: it is no such list, or does not say."""
    text = _LEAD.sub("", " ".join(said.casefold().split()).strip(" .!"))
    members = [member.strip() for member in _BETWEEN.split(text) if member.strip()]
    # Who does not count themselves may be listing anything.
    if len(members) < 2 or not any(_ME.fullmatch(member) for member in members):
        return None
    sizes = [_size(member, language) for member in members]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) and sum(known) <= _MANY else None


def _size(member: str, language: str) -> int | None:
    if _ME.fullmatch(member):
        return 1
    some = _SOME.fullmatch(member)
    count = _number(some["count"], language) if some else None
    if count is not None:
        return count
    one = _ONE.fullmatch(member)
    # "My kids" are more than one, but how many?
    return 1 if one and not one["who"].endswith("s") else None


def _number(said: str, language: str) -> int | None:
    return int(said) if said.isdecimal() else spelled(said, language)
