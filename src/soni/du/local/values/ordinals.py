"""What "the second" is one of: the days of a month, or whatever is named behind it."""

import re

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, speak_name
from soni.language import Language, find_language
from soni.slots.reading.words import in_digits, tidy_text


def holds_day_of_month(slot: SlotBrief, lang: Language) -> bool:
    """Whether a number is the day of any month: "on the 28th"."""
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    of_month = lang.pattern("ordinals.slot_of_month_day", cased=True).search(told)
    return slot.kind.dimension == "count" and of_month is not None


def day_of_month(said: str, language: str) -> str | None:
    """The number of an ordinal; None: the words are none."""
    digits = in_digits(tidy_text(said) or "", language, ordinals=True)
    ordinal = find_language(language).pattern("ordinals.ordinal", cased=True).fullmatch(digits)
    return re.sub(r"\D", "", digits) if ordinal else None


def is_which_one(message: str, start: int, end: int, language: str) -> bool:
    """Whether an ordinal tells which of something it is: "a second car", "the 4th floor"."""
    if day_of_month(message[start:end], language) is None:
        return False
    lang = find_language(language)
    # "The 22nd" is a day, unless it is one of something.
    if lang.pattern("ordinals.figure").search(message, start, end):
        return lang.pattern("ordinals.thing").match(message, end) is not None
    is_day = ("values.goes_on", "ordinals.of_a_day")
    return not any(lang.pattern(name).match(message, end) for name in is_day)
