"""Moments: a day and a time of day, or so long from now."""

import re
from datetime import datetime, timedelta

from soni.language import find_language
from soni.slots.reading.clock import split_clock
from soni.slots.reading.days import read_day, shift_day
from soni.slots.reading.spans import read_span

_ISO = re.compile(
    r"\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})?", re.ASCII
)
_AWAY = (("moments.from_now", 1), ("moments.ago", -1))


def read_moment(text: str, now: datetime, language: str) -> datetime | None:
    """The moment that a tidied text says, seen from `now` and in its time zone."""
    if text in find_language(language).words("moments.now"):
        return now
    if _ISO.fullmatch(text):
        return _iso(text, now)
    if (away := from_now(text, language)) is not None:
        return _later(now, away)
    rest, clock = split_clock(text, language)
    if clock is None:
        return None
    if rest:
        day = read_day(rest, now.date(), language)
    else:
        # A time alone is the next one to come.
        day = shift_day(now.date(), days=int(clock <= now.time()))
    return datetime.combine(day, clock, now.tzinfo) if day else None


def from_now(text: str, language: str) -> timedelta | None:
    """How far away a text says: `in 2 hours`, `hace 10 minutos`."""
    lang = find_language(language)
    for name, sign in _AWAY:
        found = lang.pattern(name, cased=True).fullmatch(text)
        span = read_span(found[found.lastindex or 0], language) if found else None
        if span is not None:
            return sign * span
    return None


def at_the_clock(moment: datetime, now: datetime) -> datetime:
    """A moment in the time zone of the conversation's clock; one without a zone is in it."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=now.tzinfo)
    try:
        return moment.astimezone(now.tzinfo) if now.tzinfo else moment
    except OverflowError:
        return moment


def _iso(text: str, now: datetime) -> datetime | None:
    try:
        return at_the_clock(datetime.fromisoformat(text.upper()), now)
    except ValueError:
        return None


def _later(now: datetime, away: timedelta) -> datetime | None:
    try:
        return now + away
    except OverflowError:
        return None
