"""The filters a text may put behind a name: ``{name | upper}``. These and no others.

A filter never fails: a value it is not made for is shown as it is stored.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from soni.core import formats

Filter: TypeAlias = Callable[[Any, str], str]
"""From a stored value and a language to the text to show."""

TEXT_FILTERS: Final = frozenset({"upper", "lower", "title"})
"""Filters that work on the displayed text instead of the stored value."""

_MAX_NUMBER: Final = 10**18


def format_raw(value: Any, language: str) -> str:
    """As it is stored."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def format_iso(value: Any, language: str) -> str:
    """Dates, times and durations as ISO 8601 text, which is how they are stored."""
    return format_raw(value, language)


def format_upper(value: Any, language: str) -> str:
    """In capitals."""
    return format_raw(value, language).upper()


def format_lower(value: Any, language: str) -> str:
    """In small letters."""
    return format_raw(value, language).lower()


def format_title(value: Any, language: str) -> str:
    """Every word with a capital."""
    return format_raw(value, language).title()


def format_number(value: Any, language: str) -> str:
    """A number with its thousands grouped: `1,234.5`, in Spanish `1.234,5`."""
    show = formats.show_number if _is_showable_number(value) else format_raw
    return show(value, language)


def format_percent(value: Any, language: str) -> str:
    """A share of one in percent: `25%` for 0.25."""
    show = formats.show_percent if _is_showable_number(value) else format_raw
    return show(value, language)


def format_money(value: Any, language: str) -> str:
    """An amount with its currency; a bare number is in the currency of the language's country."""
    if isinstance(value, dict):
        amount, currency = value.get("amount", ""), value.get("currency", "")
    else:
        amount, currency = value, formats.find_home_currency(language)
    if _is_showable_number(amount) and isinstance(currency, str):
        return formats.show_money(amount, currency, language)
    return format_raw(value, language)


def format_day(value: Any, language: str) -> str:
    """The day of a date or datetime: `2 March 2026`."""
    moment = _parse_moment(value)
    if moment is None or isinstance(moment, time):
        return format_raw(value, language)
    return formats.show_date(moment, language)


def format_clock(value: Any, language: str) -> str:
    """The time of a time or datetime: `5:30 pm`, in Spanish `17:30`."""
    moment = _parse_moment(value)
    if isinstance(moment, datetime):
        moment = moment.time()
    if isinstance(moment, time):
        return formats.show_time(moment, language)
    return format_raw(value, language)


def format_short(value: Any, language: str) -> str:
    """A date or datetime with a short month: `2 Mar 2026`."""
    return _format_width(value, language, "short")


def format_long(value: Any, language: str) -> str:
    """A date or datetime with its weekday: `Monday, 2 March 2026`."""
    return _format_width(value, language, "long")


FILTERS: Final[Mapping[str, Filter]] = MappingProxyType(
    {
        "date": format_day,
        "iso": format_iso,
        "long": format_long,
        "lower": format_lower,
        "money": format_money,
        "number": format_number,
        "percent": format_percent,
        "raw": format_raw,
        "short": format_short,
        "time": format_clock,
        "title": format_title,
        "upper": format_upper,
    }
)


def _is_showable_number(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and -_MAX_NUMBER <= value <= _MAX_NUMBER


def _parse_moment(value: Any) -> date | time | None:
    if isinstance(value, str):
        for kind in (date, datetime, time):
            with suppress(ValueError):
                return kind.fromisoformat(value)
    return None


def _format_width(value: Any, language: str, width: formats.Width) -> str:
    moment = _parse_moment(value)
    if isinstance(moment, datetime):
        return formats.show_datetime(moment, language, width)
    if isinstance(moment, date):
        return formats.show_date(moment, language, width)
    return formats.show_time(moment, language) if moment else format_raw(value, language)
