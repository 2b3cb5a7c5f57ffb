"""Currencies by code, symbol or name."""

from functools import lru_cache

from soni.core.formats import home_currency
from soni.language import find_language

_SIGNS = {"us$": "USD", "$": "USD"}


def is_word(code: str, language: str) -> bool:
    """Whether a currency's code says something else too, unless it is in capitals."""
    return code.lower() in find_language(language).words("money.codes_like_words")


def currency_of(said: str, language: str) -> str | None:
    """The code of the currency that a tidied text names; the language's own for none."""
    return _list_names(language).get(said) if said else home_currency(language)


@lru_cache(maxsize=16)
def _list_names(language: str) -> dict[str, str]:
    from babel import Locale, UnknownLocaleError
    from babel.numbers import get_currency_name, get_currency_symbol, list_currencies

    known: dict[str, str] = {}
    for tried in ("en", language):
        try:
            locale = Locale.parse(tried)
        except (UnknownLocaleError, ValueError):
            continue
        for code in list_currencies():
            names = [get_currency_name(code, count, locale) for count in (None, 1, 2)]
            known |= {name.lower(): code for name in (*names, get_currency_symbol(code, locale))}
    known |= {code.lower(): code for code in list_currencies()}
    return known | dict(find_language(language).table("money.currencies")) | _SIGNS


def decimals_of(currency: str) -> int:
    """How many decimals a currency's amounts have: two for euros, none for yen."""
    from babel.numbers import get_currency_precision

    return int(get_currency_precision(currency))
