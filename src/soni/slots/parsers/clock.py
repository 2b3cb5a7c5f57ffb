"""Times of day: `17:30`, `5 pm`, `half past five in the afternoon`, `a las 5 de la tarde`."""

import re
from datetime import time

from soni.language import Language, find_language
from soni.slots.parsers.words import convert_number_words

_PERIODS = ("morning", "forenoon", "early", "late", "night")
_ROUND_MINUTES = (5, 10, 20, 25)
_TIME_GROUPS = ("at", "sign", "part", "half", "share", "unit", *_PERIODS)


def read_clock(text: str, language: str) -> time | None:
    """The time of day that the whole of a tidied text says."""
    # "five thirty pm" comes as "5 30 pm".
    lang = find_language(language)
    said = lang.pattern("clock.apart", cased=True).sub(
        r"\1:\2 ", convert_number_words(text, language)
    )
    if named := lang.pattern("clock.named", cased=True).fullmatch(said):
        return time(12 if named["noon"] else 0)
    found = lang.pattern("clock.time", cased=True).fullmatch(said)
    return _make_time(found, lang) if found else None


def is_ambiguous_time(text: str, language: str) -> bool:
    """Whether a tidied text says a time without saying morning or afternoon."""
    clock = find_language(language).pattern("clock.time", cased=True)
    found = clock.fullmatch(convert_number_words(text, language))
    if found is None or found["sign"] or not any(found[group] for group in _TIME_GROUPS):
        return False
    # "From 2 to 4" is no time: nobody says so many minutes by themselves.
    part = found["part"] or ""
    if part.isdecimal() and int(part) not in _ROUND_MINUTES:
        return False
    return 1 <= int(found["hour"]) <= 12 and not any(found[name] for name in _PERIODS)


def split_clock(text: str, language: str) -> tuple[str, time | None]:
    """A tidied text without its time of day, and the time; None if it says none."""
    lang = find_language(language)
    said = convert_number_words(text, language)
    named = lang.pattern("clock.named", cased=True).search(said)
    if named:
        return _cut_out(said, named), time(12 if named["noon"] else 0)
    for found in lang.pattern("clock.time", cased=True).finditer(said):
        if any(found[group] for group in _TIME_GROUPS):
            rest, part = _split_part_of_day(_cut_out(said, found), found, lang)
            return rest, _make_time(found, lang, part)
    return said, None


def _split_part_of_day(rest: str, clock: re.Match[str], lang: Language) -> tuple[str, str | None]:
    """`tomorrow morning at 10`: the part of the day said apart from the hour."""
    said = lang.pattern("clock.part_of_day", cased=True).search(rest)
    if said is None or any(clock[name] for name in _PERIODS):
        return rest, None
    part = {"am": "morning", "pm": "late"}.get(str(said.lastgroup), said.lastgroup)
    today = "today" if lang.pattern("clock.of_today", cased=True).match(said[0]) else ""
    return " ".join(f"{rest[: said.start()]} {today} {rest[said.end() :]}".split()), part


def _make_time(found: re.Match[str], lang: Language, part: str | None = None) -> time | None:
    period = next((name for name in _PERIODS if found[name]), part)
    # A point or nothing between hour and minutes is a time only if something else says so.
    if found["sign"] == "." and not (period or found["unit"]):
        return None
    hour = _to_24_hours(int(found["hour"]), period)
    if hour is None and not period and found["sign"] in (":", "h"):
        hour = int(found["hour"])
    minutes = _find_minutes(found, int(found["minute"] or 0), lang)
    if hour is None or hour > 23 or minutes is None:
        return None
    total = (hour * 60 + minutes) % 1440
    return time(total // 60, total % 60, int(found["second"] or 0))


def _find_minutes(found: re.Match[str], minute: int, lang: Language) -> int | None:
    # "Half nine" means "half past nine".
    said = found["part"] or found["half"] or found["share"]
    if said is None:
        return minute
    away = lang.table("clock.shares").get(said) or int(re.sub(r"\D", "", said) or 0)
    if found["minute"] or away > 59:
        return None
    return -away if found["to"] or found["minus"] else away


def _to_24_hours(hour: int, period: str | None) -> int | None:
    """The hour on the 24-hour clock; None if it may be either of two."""
    if hour == 0:
        return hour if period is None else None
    if hour > 12:
        return hour if period in (None, "late", "night") else None
    match period:
        case None:
            return None
        case "morning" | "early":
            return hour % 12
        case "forenoon":
            return hour
        case "late":
            return hour % 12 + 12
        case _:
            return hour % 12 if hour == 12 or hour < 5 else hour + 12


def _cut_out(text: str, found: re.Match[str]) -> str:
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
