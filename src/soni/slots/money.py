"""An amount of money, stored as `{amount, currency}`."""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from soni.core.formats import DECIMAL_COMMA, show_money
from soni.language import find_language
from soni.slots.base import SlotEnv, SlotLike, SlotType
from soni.slots.parsers.numbers import (
    count_decimals,
    find_currency,
    is_ambiguous_code,
    normalise_number,
    parse_digits,
    parse_scaled,
)
from soni.slots.parsers.words import convert_number_words, tidy_text

# Up to here a float keeps the cents exactly.
MAX_AMOUNT = 10**12

_AMOUNT_PATTERN = re.compile(
    r"(?P<minus>[-\u2212] ?)?(?P<before>[^\d\s.,+-]{1,4} ?)?"
    r"(?P<amount>[+-]?\d[\d.,]*)(?P<after> ?[^\d,+-]{1,60})?"
)


class MoneySlot(SlotType):
    """`$50`, `12,50 €`, `1,200.50 USD`, `twenty euros`, or a number in the language's currency."""

    kind = "money"
    json_type = "object"
    dimension = "money"
    form_rank = 7

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> dict[str, Any]:
        """Take amounts with or without a currency; text may not be finer than its cents."""
        read = _read_mapping if isinstance(value, Mapping) else _parse_money
        return self.require(read(value, env.base_language))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """An amount and a currency's code, and nothing else."""
        if not isinstance(stored, dict) or stored.keys() != {"amount", "currency"}:
            return False
        amount, currency = stored["amount"], stored["currency"]
        return (
            isinstance(amount, int | float)
            and _is_in_range(amount)
            and isinstance(currency, str)
            and re.fullmatch("[A-Z]{3}", currency) is not None
        )

    def revive(self, stored: Any) -> dict[str, Any]:
        """`{amount, currency}`: expressions compare `price.amount`."""
        return dict(stored)

    def show(self, stored: Any, language: str) -> str:
        """`$12.50`, `12,50 €`."""
        return show_money(stored["amount"], stored["currency"], language)


def _read_mapping(value: Mapping[Any, Any], language: str) -> dict[str, Any] | None:
    if not {"amount"} <= value.keys() <= {"amount", "currency"}:
        return None
    named = value.get("currency")
    said = "" if named is None else tidy_text(named)
    if said is None or (named is not None and not said):
        return None
    amount = value["amount"]
    if isinstance(amount, str):
        amount = parse_digits(tidy_text(amount) or "", language)
    return _make_money(amount, find_currency(said, language))


def _parse_money(value: Any, language: str) -> dict[str, Any] | None:
    text = tidy_text(value)
    if text is None:
        return _make_money(value, find_currency("", language))
    found = _AMOUNT_PATTERN.fullmatch(_rewrite_in_figures(text, language))
    if found is None:
        return None
    before, after = ((found[side] or "").strip() for side in ("before", "after"))
    if any(
        is_ambiguous_code(side, language) and side.upper() not in value for side in (before, after)
    ):
        return None
    # In "$50 CAD" the code is more specific than the sign.
    currency = find_currency(after or before, language)
    if after and before not in ("", "$") and find_currency(before, language) != currency:
        return None
    amount = parse_digits(found["amount"], language)
    if amount is None and re.fullmatch(r"[+-]?\d+,\d{1,2}", found["amount"]):
        # A comma before one or two digits groups nothing: it can only be the decimal sign.
        amount = Decimal(found["amount"].replace(",", "."))
    if amount is None or (currency and -int(amount.as_tuple().exponent) > count_decimals(currency)):
        return None
    return _make_money(-amount if found["minus"] else amount, currency)


def _rewrite_in_figures(text: str, language: str) -> str:
    """The text with one number in it: `2 grand` as `2000`, `86 euros 40` as `86.40 euros`."""
    # Before: text2num would read "60 thousand" as two numbers. After: for "two grand".
    lang = find_language(language)
    notes = lang.table("money.notes")
    said = convert_number_words(_expand_thousands(text, language), language)
    said = lang.pattern("money.note", cased=True).sub(
        lambda note: str(notes.get(note[1], f"1 {note[1]}")), said
    )
    said = lang.pattern("money.of_currency", cased=True).sub(" ", _expand_thousands(said, language))
    said = lang.pattern("money.half", cased=True).sub(f"{_get_point(language)}50", said)
    cents = lang.pattern("money.cents_said", cased=True).fullmatch(said)
    if cents is None:
        return said
    return f"{cents['whole']}{_get_point(language)}{cents['cents']} {cents['unit'] or ''}".strip()


def _expand_thousands(text: str, language: str) -> str:
    def figure(found: re.Match[str]) -> str:
        amount = parse_scaled(found["figure"], language)
        return found[0] if amount is None else f"{amount:f}".replace(".", _get_point(language))

    return find_language(language).pattern("money.thousands", cased=True).sub(figure, text)


def _get_point(language: str) -> str:
    return "," if language in DECIMAL_COMMA else "."


def _make_money(amount: Any, currency: str | None) -> dict[str, Any] | None:
    if currency is None or not _is_in_range(amount):
        return None
    cents = Decimal(1).scaleb(-count_decimals(currency))
    rounded = normalise_number(Decimal(str(amount)).quantize(cents, ROUND_HALF_UP))
    return {"amount": rounded, "currency": currency} if rounded is not None else None


def _is_in_range(amount: Any) -> bool:
    number = normalise_number(amount)
    return number is not None and abs(number) <= MAX_AMOUNT


SLOT = MoneySlot()
