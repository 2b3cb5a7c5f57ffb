"""Days: `2026-03-02`, `2 March`, `tomorrow`, `next friday`, `in 3 days`, `5/3/2026`,
`the 12th`, `this weekend`, `the end of the month`.

What may mean two days is refused, not guessed: `5/3/2026` in English, a two-digit year far
away, a weekday that does not fall on the date it is said with, 29 February without a year.
"""

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any

from soni.slots.reading.words import in_digits

_FIXED = {
    "today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "tonight": 0,
    "day before yesterday": -2, "hoy": 0, "mañana": 1, "manana": 1, "ayer": -1,
    "pasado mañana": 2, "pasado manana": 2, "anteayer": -2, "antes de ayer": -2,
    "this morning": 0, "this afternoon": 0, "this evening": 0, "last night": -1,
    "esta mañana": 0, "esta manana": 0, "esta tarde": 0, "esta noche": 0, "anoche": -1,
    "anteanoche": -2,
}  # fmt: skip
# The part of the day says nothing of which day it is.
_PART = re.compile(
    r" (?:in the )?(?:morning|afternoon|evening|night)$|"
    r" (?:(?:por|en|a) la |de )?(?:mañana|manana|tarde|noche|madrugada)$|"
    r" (?:a|al) (?:primera hora|mediod[ií]a)$"
)
_LEADING = re.compile(r"^(?:(?:on|for|by|the|el|la|para|día|dia),? )+")
_NEAREST = "this|this coming|coming|este|esta|próximo|proximo"
_WEEKDAY = re.compile(
    rf"(?:(?P<nearest>{_NEAREST})|(?P<next>next)|(?P<last>last|past|pasado)|)\ ?"
    r"(?P<day>[^\W\d_]+\.?)"
    r"(?P<after> que viene| próximo| proximo| this week| de esta semana|)"
    r"(?P<following> (?:of )?next week| de la (?:semana que viene|próxima semana)|)"
    r"(?P<past> pasado|)"
)
_AWAY = re.compile(
    r"(?:(?P<ahead>in|within|en|dentro de) )?(?P<hace>hace )?(?P<count>\d{1,4}|an?|una?) "
    r"(?:(?P<day>days?|d[ií]as?)|(?P<week>weeks?|semanas?)|(?P<fortnight>fortnights?)|(?P<month>months?|mes(?:es)?)"
    r"|(?P<year>years?|años?))(?P<ago> ago| atrás)?(?P<from_now> from (?:now|today))?"
)
_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_IN_MONTH = re.compile(
    r"(?:(?:on|for|by) )?(?:the )?(\d{1,2})(?:st|nd|rd|th)|(?:para )?el (?:d[ií]a )?(\d{1,2})"
)
_DATED = re.compile(
    r"(?:on )?(?:the |(?:para )?(?P<el>el ))?(?P<day>[^\W\d_]+),? (?P<the>the |d[ií]a )?"
    r"(?P<number>\d{1,2})(?(the)|(?(el)|(?=st|nd|rd|th)))(?:st|nd|rd|th)?"
)
_WEEKEND = re.compile(
    r"(?:(?:on|at|for|over) )?(?:(?:this|the|this coming|next) )?weekend|"
    r"(?:para )?(?:este|el|el próximo) fin de semana"
)
_LAST_WEEKEND = re.compile(
    r"(?:(?:on|at|over) )?last weekend|el fin de semana pasado|el pasado fin de semana"
)
_OF_MONTH = re.compile(
    r"(?:(?:at|on|by|until|from|since) )?(?:the )?(?:very )?"
    r"(?:(?P<end>end|last day)|(?P<start>start|beginning|first day)) of "
    r"(?:(?:the|this|(?P<next>next|the next|the coming)) )?(?P<month>[^\W\d_]+)|"
    r"(?:(?:a|para|hasta) )?(?P<fin>el fin|fin|final|finales|último día) de(?:l)? "
    r"(?P<mes>[^\W\d_]+)(?P<próximo> que viene| próximo)?"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|[ºª°ᵒᵃ])\b|(?<=\d)[ºª°]")
# A century is guessed only where no other one could be meant.
_NEAR_YEARS = 10


def read_day(text: str, today: date, language: str, *, past: bool = False) -> date | None:
    """The day that the whole of a tidied text says, seen from `today`.

    `past`: what comes again and again is the last one that was, not the next one to come.
    """
    digits = in_digits(text, language, ordinals=True)
    readers = (
        _in_month,
        _weekend,
        partial(_on_weekday, language=language),
        partial(_of_month, language=language),
    )
    for reader in readers:
        if (found := reader(digits, today, past=past)) is not None:
            return found
    said = _LEADING.sub("", _ORDINAL.sub("", digits).strip(" ,.!"))
    if said in _FIXED:
        return moved(today, days=_FIXED[said])
    day = _PART.sub("", said)
    if day != said and day in _FIXED:
        return moved(today, days=_FIXED[day])
    return (
        _numeric(said, today, language, past=past)
        or _weekday(day, today, language, past=past)
        or _away(said, today)
        or _with_month(said, today, language, past=past)
    )


def _in_month(text: str, today: date, *, past: bool) -> date | None:
    """ "The 12th": the next one to come, or the last one that was."""
    found = _IN_MONTH.fullmatch(text.strip(" ,.!"))
    if found is None:
        return None
    number = int(found[1] or found[2])
    first = today.replace(day=1)
    near = (
        day
        for months in range(12)
        if (month := moved(first, months=-months if past else months))
        and (day := _day(month.year, month.month, number))
    )
    return next((day for day in near if (day <= today if past else day >= today)), None)


def _on_weekday(text: str, today: date, *, language: str, past: bool) -> date | None:
    """ "Friday the 6th": that 6th, if it is a Friday."""
    dated = _DATED.fullmatch(text.strip(" ,.!"))
    if dated is None:
        return None
    day = _in_month(f"the {dated['number']}th", today, past=past)
    weekday = _names("day", language).get(dated["day"])
    return day if day and weekday == day.weekday() else None


def _of_month(text: str, today: date, *, language: str, past: bool) -> date | None:
    """ "The end of March", "the start of next month": its last day, or its first."""
    found = _OF_MONTH.fullmatch(text.strip(" ,.!"))
    said = (found["month"] or found["mes"]) if found else None
    if found is None or said is None:
        return None
    first = today.replace(day=1)
    if said in ("month", "mes"):
        later = bool(found["next"] or found["próximo"] or found["start"])
        begins = moved(first, months=(-1 if past else 1) if later else 0)
    else:
        number = _names("month", language).get(said)
        begins = _near(number, 1, first, past=past) if number else None
    if begins is None or found["start"]:
        return begins
    return begins.replace(day=monthrange(begins.year, begins.month)[1])


def _weekend(text: str, today: date, *, past: bool) -> date | None:
    """The Saturday to come, or today where it is the weekend already."""
    said = text.strip(" ,.!")
    if _LAST_WEEKEND.fullmatch(said) or (past and _WEEKEND.fullmatch(said)):
        return moved(today, days=-2 - today.weekday())
    if _WEEKEND.fullmatch(said) is None:
        return None
    if "next" in said or "próximo" in said:
        return moved(today, days=7 - today.weekday() + 5)
    return moved(today, days=max(0, 5 - today.weekday()))


def moved(day: date, days: int = 0, months: int = 0) -> date | None:
    """A day so many days and months away; the 31st of a short month is its last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    try:
        last = monthrange(year, month + 1)[1]
        return date(year, month + 1, min(day.day, last)) + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _numeric(said: str, today: date, language: str, *, past: bool) -> date | None:
    if found := _YEAR_FIRST.fullmatch(said):
        return _day(int(found[1]), int(found[3]), int(found[4]))
    found = _NUMERIC.fullmatch(said)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    if _day_first(language) or first == second or first > 12:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    else:
        return None
    if found[4] is None:
        return _near(month, day, today, past=past)
    year = int(found[4])
    if len(found[4]) == 2:
        year += today.year // 100 * 100
        if abs(year - today.year) > _NEAR_YEARS:
            return None
    return _day(year, month, day)


def _weekday(said: str, today: date, language: str, *, past: bool) -> date | None:
    found = _WEEKDAY.fullmatch(said)
    number = _names("day", language).get(found["day"].rstrip(".")) if found else None
    if found is None or number is None:
        return None
    ahead = (number - today.weekday() - 1) % 7 + 1
    is_open = not (found["nearest"] or found["next"] or found["after"] or found["following"])
    if found["last"] or found["past"] or (past and is_open):
        return moved(today, days=ahead - 7 if number != today.weekday() else -7)
    if found["next"] or found["following"]:
        return moved(today, days=7 - today.weekday() + number)
    # A weekday said on that weekday means the next one.
    return moved(today, days=ahead)


def _away(said: str, today: date) -> date | None:
    found = _AWAY.fullmatch(said)
    if found is None:
        return None
    count = int(found["count"]) if found["count"].isdecimal() else 1
    if found["hace"] or found["ago"]:
        count = -count
    if found["month"] or found["year"]:
        return moved(today, months=count * (12 if found["year"] else 1))
    days = 14 if found["fortnight"] else 7 if found["week"] else 1
    return moved(today, days=count * days)


def _with_month(said: str, today: date, language: str, *, past: bool) -> date | None:
    words = re.findall(r"[^\W\d_]+|\d+", said)
    if re.search(r"[^\w\s,.'/-]", said) or len(words) > 8:
        return None
    months, weekdays = _names("month", language), _names("day", language)
    named = [months[word] for word in words if word in months]
    dated = [weekdays[word] for word in words if word in weekdays and word not in months]
    numbers = [word for word in words if word.isdecimal()]
    fillers = {"of", "the", "de", "del", "el", "on"}
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
    near = _near(named[0], days[0], today, past=past)
    found = _day(years[0], named[0], days[0]) if years else near
    return None if found and dated and found.weekday() != dated[0] else found


def _near(month: int, day: int, today: date, *, past: bool) -> date | None:
    """The next such day, or the last one, today included, within a year."""
    this_year = _day(today.year, month, day)
    if this_year and (this_year <= today if past else this_year >= today):
        return this_year
    return _day(today.year + (-1 if past else 1), month, day)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _names(unit: str, language: str) -> dict[str, int]:
    """The language's and the English names of the days (Monday is 0) or months (January is 1)."""
    from babel import Locale, UnknownLocaleError

    names = {"sept": 9} if unit == "month" else {}
    for tried in ("en", language):
        try:
            locale = Locale.parse(tried)
        except (UnknownLocaleError, ValueError):
            continue
        known: Any = locale.days if unit == "day" else locale.months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in known[context][width].items():
                    name = name.lower().rstrip(".")
                    names |= {name: number, _plain_vowels(name): number}
    return names


def _plain_vowels(name: str) -> str:
    return name.translate(str.maketrans("áéíóú", "aeiou"))


@lru_cache(maxsize=64)
def _day_first(language: str) -> bool:
    """Whether a language writes the day before the month; English does both."""
    from babel import Locale, UnknownLocaleError

    try:
        pattern = str(Locale.parse(language).date_formats["short"].pattern)
    except (UnknownLocaleError, ValueError):
        return False
    return language != "en" and pattern.find("d") < pattern.find("M")
