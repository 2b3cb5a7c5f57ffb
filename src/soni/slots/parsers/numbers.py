"""Numbers as they are written or spelled out."""

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Any

from soni.core.formats import DECIMAL_COMMA, find_home_currency
from soni.language import find_language
from soni.slots.parsers.words import convert_number_words

# Beyond this, neither JSON clients nor databases keep a number exactly.
MAX_NUMBER = 10**18


def parse_digits(text: str, language: str) -> Decimal | None:
    """A number in digits, with the language's signs for decimals and thousands."""
    usual = (",", ".") if language in DECIMAL_COMMA else (".", ",")
    found = _parse_with_signs(text, *usual)
    if found is None and "." in text and "," in text:
        # With both signs it is clear which is which in any language.
        found = _parse_with_signs(text, *reversed(usual))
    if found is None and re.fullmatch(r"[+-]?\d{1,18}\.\d{1,10}", text):
        # Most people type the point whatever their language.
        found = Decimal(text)
    return found


def parse_scaled(text: str, language: str) -> Decimal | None:
    """A number in digits and a word for its size: `15k`, `60 mil`, `1.5 million`."""
    found = find_language(language).pattern("numbers.scaled", cased=True).fullmatch(text)
    digits = parse_digits(found["digits"], language) if found else None
    if found is None or digits is None:
        return None
    return digits * (1_000 if found["thousand"] else 1_000_000)


def parse_share(text: str, language: str) -> Decimal | None:
    """A number and a part of one, or its decimals in words: `21 and a half`, `dos y medio`."""
    lang = find_language(language)
    found = lang.pattern("numbers.shared", cased=True).fullmatch(text)
    if found is None and not lang.pattern("numbers.decimals", cased=True).search(text):
        return None
    said = convert_number_words(found["whole"] if found else text, language)
    whole = parse_digits(lang.pattern("numbers.decimal_point", cased=True).sub(".", said), language)
    if found is None or whole is None:
        return whole
    return whole + Decimal(str(lang.table("numbers.shares")[found["share"]]))


def parse_words(text: str, language: str) -> int | None:
    """A whole number in words: `two`, `treinta y cinco`."""
    from text_to_num import text2num  # type: ignore[import-untyped]

    lang = find_language(language)
    # A single letter is no number word, though text2num reads "o" as zero.
    if len(text) < 2 or text in lang.words("numbers.about"):
        return None
    counts = lang.table("numbers.counts")
    if text in counts:
        return int(counts[text])
    for tried in dict.fromkeys((language, "en")):
        try:
            return int(text2num(text, tried))
        except ValueError:
            continue
    return None


def normalise_number(value: Any) -> int | float | None:
    """A finite number that is not too large, whole ones as int; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float | Decimal):
        value = _make_whole(value)
    return value if isinstance(value, int | float) and abs(value) <= MAX_NUMBER else None


def _make_whole(value: float | Decimal) -> int | float | None:
    finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    if not finite or not -MAX_NUMBER <= value <= MAX_NUMBER:
        return None
    near = float(value)
    return int(value) if near.is_integer() else near


def _parse_with_signs(text: str, point: str, group: str) -> Decimal | None:
    digits = rf"(?:\d{{1,3}}(?:{re.escape(group)}\d{{3}})+|\d{{1,18}})"
    if not re.fullmatch(rf"[+-]?{digits}(?:{re.escape(point)}\d{{1,10}})?", text):
        return None
    return Decimal(text.replace(group, "").replace(point, "."))


_CURRENCY_SIGNS = {"us$": "USD", "$": "USD"}


def is_ambiguous_code(code: str, language: str) -> bool:
    """Whether a currency's code is also a word, unless it is in capitals."""
    return code.lower() in find_language(language).words("money.codes_like_words")


def find_currency(said: str, language: str) -> str | None:
    """The code of the currency that a tidied text names; the language's own for none."""
    return _list_currency_names(language).get(said) if said else find_home_currency(language)


@lru_cache(maxsize=16)
def _list_currency_names(language: str) -> dict[str, str]:
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
    return known | dict(find_language(language).table("money.currencies")) | _CURRENCY_SIGNS


def count_decimals(currency: str) -> int:
    """How many decimals a currency's amounts have: two for euros, none for yen."""
    from babel.numbers import get_currency_precision

    return int(get_currency_precision(currency))
