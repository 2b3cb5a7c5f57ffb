"""Values as people write them in a language, by the Unicode locale data that Babel carries.

Babel is imported on first use, so that loading an assistant stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from soni.language import find_language, get_base_language

if TYPE_CHECKING:
    from babel import Locale

Width = Literal["short", "usual", "long"]

_WIDTHS: Final[dict[Width, Literal["medium", "long", "full"]]] = {
    "short": "medium",
    "usual": "long",
    "long": "full",
}
_UNITS: Final = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))

DECIMAL_COMMA: Final = frozenset({"es", "de", "fr", "it", "pt", "nl"})
"""Where the comma is the decimal sign, and the point groups thousands."""


def show_plain(value: Any, language: str) -> str:
    """Any stored value, without regard to a slot type."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return show_boolean(value, language)
    if isinstance(value, int | float):
        return show_digits(value, language)
    if isinstance(value, list):
        return ", ".join(show_plain(item, language) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show_plain(item, language)}" for key, item in value.items())
    return str(value)


def show_boolean(value: bool, language: str) -> str:
    """`yes` or `no`."""
    [word] = find_language(language).words("formats.affirmed" if value else "formats.denied")
    return word


def show_digits(value: int | float, language: str) -> str:
    """Without a trailing `.0`, and not grouped because it may be a year or a reference."""
    text = f"{value:.10f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text.replace(".", ",") if get_base_language(language) in DECIMAL_COMMA else text


def show_date(day: date, language: str, width: Width = "usual") -> str:
    """`2 March 2026`; short: `2 Mar 2026`; long: `Monday, 2 March 2026`."""
    from babel.dates import format_date

    return _replace_special_spaces(format_date(day, _WIDTHS[width], _find_date_locale(language)))


def show_time(moment: time, language: str) -> str:
    """`5:30 pm`, in Spanish `17:30`; seconds only if there are any."""
    from babel.dates import format_time

    width: Literal["medium", "short"] = "medium" if moment.second else "short"
    text = format_time(moment.replace(tzinfo=None), width, locale=_find_date_locale(language))
    return _replace_special_spaces(text)


def show_datetime(moment: datetime, language: str, width: Width = "usual") -> str:
    """The day, then the time."""
    return f"{show_date(moment.date(), language, width)}, {show_time(moment.time(), language)}"


def show_money(amount: float, currency: str, language: str) -> str:
    """`$12.50`, in Spanish `12,50 €`."""
    from babel.numbers import format_currency

    text = format_currency(_to_decimal(amount), currency, locale=_find_locale(language))
    return _replace_special_spaces(text)


def show_number(value: float, language: str) -> str:
    """With its thousands grouped: `1,234.5`, in Spanish `1.234,5`."""
    from babel.numbers import format_decimal

    locale = _find_locale(language)
    text = format_decimal(_to_decimal(value), locale=locale, decimal_quantization=False)
    return _replace_special_spaces(text)


def show_percent(share: float, language: str) -> str:
    """A share of one: `25%` for 0.25, in Spanish `25 %`."""
    from babel.numbers import format_percent

    locale = _find_locale(language)
    text = format_percent(_to_decimal(share), locale=locale, decimal_quantization=False)
    return _replace_special_spaces(text)


def show_list(items: Sequence[str], language: str) -> str:
    """`bread, milk and eggs`."""
    from babel.lists import format_list

    return _replace_special_spaces(format_list(items, locale=_find_date_locale(language)))


def show_duration(span: timedelta, language: str) -> str:
    """`1 hour and 30 minutes`."""
    from babel.units import format_unit

    rest = round(span.total_seconds())
    parts: list[str] = []
    for unit, seconds in _UNITS:
        count, rest = divmod(rest, seconds)
        if count or (unit == "second" and not parts):
            parts.append(format_unit(count, f"duration-{unit}", locale=_find_date_locale(language)))
    return show_list(parts, language)


def load_formats(languages: Iterable[str]) -> None:
    """Read what these languages need from disk now: the first sentence would do so in a turn."""
    for language in languages:
        show_datetime(datetime(2026, 3, 2), language)
        show_duration(timedelta(hours=1), language)
        show_money(1, find_home_currency(language), language)


@lru_cache(maxsize=64)
def find_home_region(language: str) -> str:
    """The country with most speakers of a language, for phone numbers and prices without one."""
    from babel.core import get_global

    likely = get_global("likely_subtags")
    return str(likely.get(get_base_language(language), likely["en"])).rpartition("_")[2]


@lru_cache(maxsize=64)
def find_home_currency(language: str) -> str:
    """The currency of that country."""
    from babel.numbers import get_territory_currencies

    return str(get_territory_currencies(find_home_region(language))[0])


@lru_cache(maxsize=64)
def _find_locale(language: str) -> Locale:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(get_base_language(language))
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


def _find_date_locale(language: str) -> Locale:
    """The locale for dates: English ones are international, `2 March` instead of `March 2`."""
    from babel import Locale

    locale = _find_locale(language)
    return Locale.parse("en_001") if locale.language == "en" else locale


def _to_decimal(value: float) -> Decimal:
    # Ten decimals, so that 0.1 + 0.2 is shown as 0.3.
    return Decimal(value) if isinstance(value, int) else Decimal(f"{value:.10f}").normalize()


def _replace_special_spaces(text: str) -> str:
    # Non-breaking spaces look the same but break searches for a copied text.
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
