"""What "the second" is one of: the days of a month, or whatever is named behind it."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.halves import GOES_ON
from soni.du.local.words.words import normal, spoken
from soni.slots.reading.words import in_digits, tidied

_ORDINAL: Final = re.compile(r"(?:(?:on|for|by) )?(?:the )?\d{1,2}(?:st|nd|rd|th)")
# "The 22nd" is a day, unless it is one of these.
_FIGURE: Final = re.compile(r"\bthe\s+\d", re.IGNORECASE)
_THING: Final = re.compile(
    r"[\s-]+(?:floors?|row|street|st|avenue|ave|road|century|birthday|anniversary|grade|year|class|"
    r"edition|time|attempt|try|one|person|car|item|place|page|chapter|season|episode|party|hand|"
    r"series|gen(?:eration)?|instal?lment|payment|visit|level|hole|bay|platform|stop|exit)\b",
    re.IGNORECASE,
)
# Behind an ordinal in words, or without "the", these go on with something else.
_OF_A_DAY: Final = re.compile(
    r"\s+(?:of|at|from|until|till|through|onwards?|as|so|because|since|when|while|after|before|"
    r"around|about|not|instead|suits?|work|should|could|can|may|might|was|has|does|doesn|isn|won|"
    r"i|we|he|she|it|they|you|my|our|the|a|an|any|some|maybe|perhaps|actually|latest|though|too|"
    r"also|there|here|morning|afternoon|evening|night|ideally|preferably|a\.?m|p\.?m|\d)\b|"
    r"\s*(?:['\u2019]|-(?!\w)|\u2013|:|/|\"|&|\+)",
    re.IGNORECASE,
)

_OF_MONTH: Final = re.compile(
    r"\b(?:day|date) (?:of|in) (?:the|each|every) month\b|\bdía del mes\b"
)


def holds_day_of_month(slot: SlotBrief) -> bool:
    """Whether a number is the day of any month: "on the 28th"."""
    told = f"{spoken(slot.name)} {normal(slot.description)}"
    return slot.kind.dimension == "count" and _OF_MONTH.search(told) is not None


def day_of_month(said: str, language: str) -> str | None:
    """The number of an ordinal; None: the words are none."""
    digits = in_digits(tidied(said) or "", language, ordinals=True)
    return re.sub(r"\D", "", digits) if _ORDINAL.fullmatch(digits) else None


def is_which_one(message: str, start: int, end: int, language: str) -> bool:
    """Whether an ordinal tells which of something it is: "a second car", "the 4th floor"."""
    if day_of_month(message[start:end], language) is None:
        return False
    if _FIGURE.search(message, start, end):
        return _THING.match(message, end) is not None
    return not (GOES_ON.match(message, end) or _OF_A_DAY.match(message, end))
