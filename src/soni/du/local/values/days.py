"""Days and clocks in a message: am or pm, misspelt days, days in the past."""

import re
from collections.abc import Iterator
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import describe_slot, is_slot_about, normalise
from soni.language import Language
from soni.slots import SlotEnv
from soni.slots.parsers.clock import is_ambiguous_time, read_clock
from soni.slots.parsers.days import read_day
from soni.slots.parsers.words import convert_number_words, tidy_text

# Shorter words are like too many others.
_MIN_LENGTH: Final = 5
_MIN_SIMILARITY: Final = 0.82
# With more letters too many, or too few, words are not so much alike.
_MAX_LENGTH_DIFFERENCE: Final = 3
_NOON: Final = 12
_SPLIT_CLOCK: Final = re.compile(
    r"(?P<hour>[1-9]|1\d|2[0-3])[. ](?P<minute>[0-5]\d)|(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)"
)


def iter_clock_readings(
    message: str, start: int, end: int, slot: SlotBrief, env: SlotEnv
) -> Iterator[str]:
    """The words of a clock with the half of the day that they mean; the likelier one first."""
    said = strip_contraction(message, start, end, env.lang)
    ends = said != message[start:end] or env.lang.pattern("values.goes_on").match(message, end)
    text = tidy_text(correct_day_words(said, env.lang))
    alone = not f"{message[:start]}{message[end:]}".strip(" .,!")
    if alone and (
        apart := _SPLIT_CLOCK.fullmatch(convert_number_words(text or "", env.base_language))
    ):
        # "11.15", "eleven thirty", "1500".
        hour, minute = apart["hour"] or apart["h"], apart["minute"] or apart["m"]
        at, few = f"{hour}:{minute}", apart["hour"] is not None and int(hour) <= _NOON
        yield from (f"{at} {half}" for half in _order_halves(at, "", slot, env)) if few else (at,)
        return
    if alone and said.isdecimal():
        # "11" to "at what time?" is an hour.
        yield from (f"{said} {half}" for half in _order_halves(f"at {said}", "", slot, env))
        yield f"{said}:00"
        return
    # Most words are no clock, and reading them as one takes a while.
    if not text or not env.lang.pattern("am_pm.hint", cased=True).search(text):
        return
    if not is_ambiguous_time(text, env.base_language) or not ends:
        return
    rest = normalise(f"{message[:start]} {message[end:]}")
    for half in _order_halves(text, rest, slot, env):
        yield f"{text} {half}"


def _order_halves(text: str, rest: str, slot: SlotBrief, env: SlotEnv) -> tuple[str, str]:
    early, late = (read_clock(f"{text} {half}", env.base_language) for half in ("am", "pm"))
    morning, evening = "am", "pm"
    if early is not None and late is not None and late < early:
        # "Quarter to twelve am" is before midnight.
        early, late, morning, evening = late, early, evening, morning
    for words in (rest, describe_slot(slot)):
        if env.lang.pattern("am_pm.morning", cased=True).search(words):
            return morning, evening
        if env.lang.pattern("am_pm.evening", cased=True).search(words):
            return evening, morning
        if env.lang.pattern("am_pm.lunch", cased=True).search(words) and early is not None:
            return (morning, evening) if early.hour == 11 else (evening, morning)
    now = env.now.time().replace(tzinfo=None)
    # The next one to come: this morning's if it is not over, or this afternoon's, or tomorrow's.
    both = [(at, half) for at, half in ((early, morning), (late, evening)) if at is not None]
    coming = next((half for at, half in both if at > now), morning)
    return (coming, evening if coming == morning else morning)


def correct_day_words(said: str, lang: Language) -> str:
    """The words of a day as they were meant; themselves if nothing is wrong with them."""
    if is_now(said, lang):
        return "today"
    return " ".join(_correct_word(word, lang) for word in said.split())


def is_now(said: str, lang: Language) -> bool:
    """Whether words say how urgent something is: a day only for who was asked for one."""
    return lang.pattern("misspellings.now").fullmatch(said) is not None


def strip_contraction(message: str, start: int, end: int, lang: Language) -> str:
    """Words without the "is" or "will" that is written with them: "wensday's good"."""
    found = lang.pattern("misspellings.contracted").fullmatch(message, start, end)
    if found is None:
        return message[start:end]
    is_day = lang.pattern("misspellings.day_of_its_own").fullmatch(found["bare"])
    suits = lang.pattern("misspellings.suits").match(message, end)
    owns = found["may"] and not (is_day or suits)
    return message[start:end] if owns else found["bare"]


def _correct_word(word: str, lang: Language) -> str:
    low = word.casefold()
    short = lang.table("misspellings.short")
    if low in short:
        return str(short[low])
    beside, known = lang.words("misspellings.beside"), _list_known_words(lang)
    if len(low) < _MIN_LENGTH - 1 or not low.isalpha():
        return word
    if low in known or low in lang.words("misspellings.other_word"):
        return word
    known = beside if len(low) < _MIN_LENGTH else known
    # People miss a first letter less often than they use another word. Comparing takes long.
    may = [
        one
        for one in known
        if one[0] == low[0] and abs(len(one) - len(low)) <= _MAX_LENGTH_DIFFERENCE
    ]
    near = get_close_matches(low, may, 1, _MIN_SIMILARITY) if may else []
    return near[0] if near else word


@lru_cache(maxsize=16)
def _list_known_words(lang: Language) -> frozenset[str]:
    names = ("misspellings.day", "misspellings.beside", "calendar.weekdays", "calendar.months")
    return frozenset().union(*map(lang.words, names))


def find_past_day(
    message: str, start: int, end: int, said: str, slot: SlotBrief, env: SlotEnv
) -> date | None:
    """The day in the past that is meant; None if nothing says that it is past."""
    text = tidy_text(said)
    if not text or not _has_been(message, start, end, slot, env.lang):
        return None
    return read_day(text, env.now.date(), env.base_language, past=True)


def is_over(message: str, start: int, end: int, value: str, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether a day is past, and so no value for a slot about the future."""
    if is_slot_about(slot, "past.slot", env.lang):
        return False
    if not is_slot_about(slot, "past.slot_to_come", env.lang):
        return False
    today = env.now.date().isoformat()
    return value < today or (value == today and _has_been(message, start, end, slot, env.lang))


def _has_been(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    # Up to where something else is said.
    clause_end = lang.pattern("past.clause_end")
    before, after = clause_end.split(message[:start])[-1], clause_end.split(message[end:])[0]
    if is_slot_about(slot, "past.slot", lang):
        return not lang.pattern("past.will_be").search(f"{before}{after}")
    wished, happened = lang.pattern("past.wished"), lang.pattern("past.happened")
    if wished.search(before) or wished.search(after):
        return False
    return bool(happened.search(before) or happened.search(after))
