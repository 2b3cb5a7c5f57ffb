"""Currencies by code, symbol or name."""

from functools import lru_cache

from soni.core.formats import home_currency

# What people say in short; "pesos" alone is no currency, there are eight.
_SHORT = {
    "dollar": "USD", "dollars": "USD", "buck": "USD", "bucks": "USD", "dólar": "USD",
    "dólares": "USD", "dolar": "USD", "dolares": "USD", "euro": "EUR", "euros": "EUR",
    "pound": "GBP", "pounds": "GBP", "quid": "GBP", "libra": "GBP", "libras": "GBP",
    "yen": "JPY", "yenes": "JPY", "us$": "USD", "$": "USD",
}  # fmt: skip

# Codes that are words of English or Spanish as well: "all 40" is no amount of leks.
_WORDS = frozenset({
    *("all", "arm", "bad", "bam", "ban", "bob", "che", "cop", "cup", "gel", "mad", "mop", "nic"),
    *("pen", "ron", "sit", "sos", "std", "sur", "top", "try", "ves"),
})  # fmt: skip


def is_word(code: str) -> bool:
    """Whether a currency's code says something else too, unless it is in capitals."""
    return code.lower() in _WORDS


def currency_of(said: str, language: str) -> str | None:
    """The code of the currency that a tidied text names; the language's own for none."""
    return _known(language).get(said) if said else home_currency(language)


@lru_cache(maxsize=16)
def _known(language: str) -> dict[str, str]:
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
    return known | {code.lower(): code for code in list_currencies()} | _SHORT


def decimals_of(currency: str) -> int:
    """How many decimals a currency's amounts have: two for euros, none for yen."""
    from babel.numbers import get_currency_precision

    return int(get_currency_precision(currency))
