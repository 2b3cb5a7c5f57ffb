"""Which half of the day a clock means: "ten to seven" may be two times."""

import re
from collections.abc import Iterator
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.slips import correct_day_words, strip_contraction
from soni.du.local.words.words import normal, speak_name
from soni.slots import SlotEnv
from soni.slots.reading.clock import may_be_two, read_clock
from soni.slots.reading.words import in_digits, tidy_text

_NOON: Final = 12
_APART: Final = re.compile(
    r"(?P<hour>[1-9]|1\d|2[0-3])[. ](?P<minute>[0-5]\d)|(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)"
)


def clocks(message: str, start: int, end: int, slot: SlotBrief, env: SlotEnv) -> Iterator[str]:
    """The words of a clock with the half of the day that they mean; the likelier one first."""
    said = strip_contraction(message, start, end, env.lang)
    ends = said != message[start:end] or env.lang.pattern("values.goes_on").match(message, end)
    text = tidy_text(correct_day_words(said, env.lang))
    alone = not f"{message[:start]}{message[end:]}".strip(" .,!")
    if alone and (apart := _APART.fullmatch(in_digits(text or "", env.base_language))):
        # "11.15", "eleven thirty", "1500".
        hour, minute = (
            (apart["hour"], apart["minute"]) if apart["hour"] else (apart["h"], apart["m"])
        )
        at, few = f"{hour}:{minute}", apart["hour"] is not None and int(hour) <= _NOON
        yield from (f"{at} {half}" for half in _order(at, "", slot, env)) if few else (at,)
        return
    if alone and said.isdecimal():
        # "11" to "at what time?" is an hour.
        yield from (f"{said} {half}" for half in _order(f"at {said}", "", slot, env))
        yield f"{said}:00"
        return
    # Most words are no clock, and reading them as one takes a while.
    if not text or not env.lang.pattern("am_pm.hint", cased=True).search(text):
        return
    if not may_be_two(text, env.base_language) or not ends:
        return
    rest = normal(f"{message[:start]} {message[end:]}")
    for half in _order(text, rest, slot, env):
        yield f"{text} {half}"


def _order(text: str, rest: str, slot: SlotBrief, env: SlotEnv) -> tuple[str, str]:
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    early, late = (read_clock(f"{text} {half}", env.base_language) for half in ("am", "pm"))
    morning, evening = "am", "pm"
    if early is not None and late is not None and late < early:
        # "Quarter to twelve am" is before midnight.
        early, late, morning, evening = late, early, evening, morning
    for words in (rest, told):
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
