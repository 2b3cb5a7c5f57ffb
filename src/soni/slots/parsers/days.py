"""Days: `2026-03-02`, `2 March`, `tomorrow`, `next friday`, `in 3 days`, `5/3/2026`,
`the 12th`, `this weekend`, `the end of the month`.

Ambiguous days are refused, not guessed: `5/3/2026` in English, a two-digit year far away, a
weekday that does not match its date, 29 February without a year.
"""

import re
from calendar import monthrange
from datetime import date, datetime, timedelta
from functools import lru_cache

from soni.language import Language, find_language, has_language
from soni.slots.parsers.clock import split_clock
from soni.slots.parsers.spans import read_span
from soni.slots.parsers.words import convert_number_words

_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
# The century of a two-digit year is assumed only within this many years of today.
_NEAR_YEARS = 10


def read_day(text: str, today: date, language: str, *, past: bool = False) -> date | None:
    """The day that the whole of a tidied text says, seen from `today`.

    `past`: a recurring day such as "Friday" means the last one instead of the next one.
    """
    digits = convert_number_words(text, language, ordinals=True)
    lang = find_language(language)
    bare = digits.strip(" ,.!")
    found = (
        _read_day_of_month(bare, today, lang, past=past)
        or _read_weekend(bare, today, lang, past=past)
        or _read_weekday_with_number(bare, today, language, past=past)
        or _read_end_of_month(bare, today, language, past=past)
    )
    if found is not None:
        return found
    bare = lang.pattern("days.ordinal", cased=True).sub("", digits).strip(" ,.!")
    said = lang.pattern("days.leading", cased=True).sub("", bare)
    relative = lang.table("calendar.relative")
    if said in relative:
        return shift_day(today, days=relative[said])
    day = lang.pattern("days.part_of_day", cased=True).sub("", said)
    if day != said and day in relative:
        return shift_day(today, days=relative[day])
    return (
        _read_numeric(said, today, language, past=past)
        or _read_weekday(day, today, language, past=past)
        or _read_distance(said, today, lang)
        or _read_with_month(said, today, language, past=past)
    )


def _read_day_of_month(said: str, today: date, lang: Language, *, past: bool) -> date | None:
    """ "The 12th": the next one to come, or the last one that was."""
    found = lang.pattern("days.in_month", cased=True).fullmatch(said)
    return _find_near_number(int(found[found.lastindex or 0]), today, past=past) if found else None


def _find_near_number(number: int, today: date, *, past: bool) -> date | None:
    """The next day with that number in its month, or the last one."""
    first = today.replace(day=1)
    near = (
        day
        for months in range(12)
        if (month := shift_day(first, months=-months if past else months))
        and (day := _make_date(month.year, month.month, number))
    )
    return next((day for day in near if (day <= today if past else day >= today)), None)


def _read_weekday_with_number(said: str, today: date, language: str, *, past: bool) -> date | None:
    """ "Friday the 6th": that 6th, if it is a Friday."""
    dated = find_language(language).pattern("days.dated", cased=True).fullmatch(said)
    if dated is None or not (dated["article"] or dated["the"] or dated["ending"]):
        return None
    day = _find_near_number(int(dated["number"]), today, past=past)
    weekday = _list_names("weekdays", language).get(dated["day"])
    return day if day and weekday == day.weekday() else None


def _read_end_of_month(said: str, today: date, language: str, *, past: bool) -> date | None:
    """ "The end of March", "the start of next month": its last day, or its first."""
    lang = find_language(language)
    found = lang.pattern("days.of_month", cased=True).fullmatch(said)
    if found is None:
        return None
    first = today.replace(day=1)
    if found["month"] in lang.words("days.month"):
        later = bool(found["next"] or found["coming"] or found["start"])
        begins = shift_day(first, months=(-1 if past else 1) if later else 0)
    else:
        number = _list_names("months", language).get(found["month"])
        begins = _find_near_date(number, 1, first, past=past) if number else None
    if begins is None or found["start"]:
        return begins
    return begins.replace(day=monthrange(begins.year, begins.month)[1])


def _read_weekend(said: str, today: date, lang: Language, *, past: bool) -> date | None:
    """The Saturday to come, or today where it is the weekend already."""
    found = lang.pattern("days.weekend", cased=True).fullmatch(said)
    if lang.pattern("days.last_weekend", cased=True).fullmatch(said) or (past and found):
        return shift_day(today, days=-2 - today.weekday())
    if found is None:
        return None
    if lang.pattern("days.next_weekend", cased=True).search(said):
        return shift_day(today, days=7 - today.weekday() + 5)
    return shift_day(today, days=max(0, 5 - today.weekday()))


def shift_day(day: date, days: int = 0, months: int = 0) -> date | None:
    """A day so many days and months away; the 31st of a short month is its last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    try:
        last = monthrange(year, month + 1)[1]
        return date(year, month + 1, min(day.day, last)) + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _read_numeric(said: str, today: date, language: str, *, past: bool) -> date | None:
    if found := _YEAR_FIRST.fullmatch(said):
        return _make_date(int(found[1]), int(found[3]), int(found[4]))
    found = _NUMERIC.fullmatch(said)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    if _is_day_first(language) or first == second or first > 12:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    else:
        return None
    if found[4] is None:
        return _find_near_date(month, day, today, past=past)
    year = int(found[4])
    if len(found[4]) == 2:
        year += today.year // 100 * 100
        if abs(year - today.year) > _NEAR_YEARS:
            return None
    return _make_date(year, month, day)


def _read_weekday(said: str, today: date, language: str, *, past: bool) -> date | None:
    found = find_language(language).pattern("days.weekday", cased=True).fullmatch(said)
    number = _list_names("weekdays", language).get(found["day"].rstrip(".")) if found else None
    if found is None or number is None:
        return None
    ahead = (number - today.weekday() - 1) % 7 + 1
    is_open = not (found["nearest"] or found["next"] or found["after"] or found["following"])
    if found["last"] or found["past"] or (past and is_open):
        return shift_day(today, days=ahead - 7 if number != today.weekday() else -7)
    if found["next"] or found["following"]:
        return shift_day(today, days=7 - today.weekday() + number)
    # A weekday said on that weekday means the next one.
    return shift_day(today, days=ahead)


def _read_distance(said: str, today: date, lang: Language) -> date | None:
    found = lang.pattern("days.away", cased=True).fullmatch(said)
    if found is None:
        return None
    count = int(found["count"]) if found["count"].isdecimal() else 1
    if found["was"] or found["ago"]:
        count = -count
    if found["month"] or found["year"]:
        return shift_day(today, months=count * (12 if found["year"] else 1))
    days = 14 if found["fortnight"] else 7 if found["week"] else 1
    return shift_day(today, days=count * days)


def _read_with_month(said: str, today: date, language: str, *, past: bool) -> date | None:
    words = re.findall(r"[^\W\d_]+|\d+", said)
    if re.search(r"[^\w\s,.'/-]", said) or len(words) > 8:
        return None
    months, weekdays = _list_names("months", language), _list_names("weekdays", language)
    named = [months[word] for word in words if word in months]
    dated = [weekdays[word] for word in words if word in weekdays and word not in months]
    numbers = [word for word in words if word.isdecimal()]
    fillers = find_language(language).words("days.filler")
    if (
        len(named) != 1
        or len(dated) > 1
        or any(word not in {*months, *weekdays, *fillers, *numbers} for word in words)
    ):
        return None
    days = [int(number) for number in numbers if len(number) <= 2]
    years = [int(number) for number in numbers if len(number) == 4]
    if len(days) != 1 or len(years) > 1 or len(days) + len(years) != len(numbers):
        return None
    near = _find_near_date(named[0], days[0], today, past=past)
    found = _make_date(years[0], named[0], days[0]) if years else near
    return None if found and dated and found.weekday() != dated[0] else found


def _find_near_date(month: int, day: int, today: date, *, past: bool) -> date | None:
    """The next such day, or the last one, today included, within a year."""
    this_year = _make_date(today.year, month, day)
    if this_year and (this_year <= today if past else this_year >= today):
        return this_year
    return _make_date(today.year + (-1 if past else 1), month, day)


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _list_names(unit: str, language: str) -> dict[str, int]:
    """The language's and the English names, long and short, of the `weekdays` or `months`."""
    lang = find_language(language)
    names = {**lang.table(f"calendar.{unit}"), **lang.table(f"calendar.{unit}_short")}
    if not has_language(language):
        from soni.language.source import name_calendar

        known = name_calendar(language)
        names |= known.get(unit, {}) | known.get(f"{unit}_short", {})
    return names


@lru_cache(maxsize=64)
def _is_day_first(language: str) -> bool:
    """Whether a language writes the day before the month; English does both."""
    from babel import Locale, UnknownLocaleError

    try:
        pattern = str(Locale.parse(language).date_formats["short"].pattern)
    except (UnknownLocaleError, ValueError):
        return False
    return pattern.find("d") < pattern.find("M")


_ISO = re.compile(
    r"\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})?", re.ASCII
)


_OFFSET_PATTERNS = (("moments.from_now", 1), ("moments.ago", -1))


def read_moment(text: str, now: datetime, language: str) -> datetime | None:
    """The moment that a tidied text says, seen from `now` and in its time zone."""
    if text in find_language(language).words("moments.now"):
        return now
    if _ISO.fullmatch(text):
        return _read_iso(text, now)
    if (away := read_time_offset(text, language)) is not None:
        return _add_offset(now, away)
    rest, clock = split_clock(text, language)
    if clock is None:
        return None
    if rest:
        day = read_day(rest, now.date(), language)
    else:
        # A time alone is the next one to come.
        day = shift_day(now.date(), days=int(clock <= now.time()))
    return datetime.combine(day, clock, now.tzinfo) if day else None


def read_time_offset(text: str, language: str) -> timedelta | None:
    """How far away a text says: `in 2 hours`, `hace 10 minutos`."""
    lang = find_language(language)
    for name, sign in _OFFSET_PATTERNS:
        found = lang.pattern(name, cased=True).fullmatch(text)
        span = read_span(found[found.lastindex or 0], language) if found else None
        if span is not None:
            return sign * span
    return None


def convert_to_clock_zone(moment: datetime, now: datetime) -> datetime:
    """A moment in the time zone of the conversation's clock; one without a zone is in it."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=now.tzinfo)
    try:
        return moment.astimezone(now.tzinfo) if now.tzinfo else moment
    except OverflowError:
        return moment


def _read_iso(text: str, now: datetime) -> datetime | None:
    try:
        return convert_to_clock_zone(datetime.fromisoformat(text.upper()), now)
    except ValueError:
        return None


def _add_offset(now: datetime, away: timedelta) -> datetime | None:
    try:
        return now + away
    except OverflowError:
        return None
