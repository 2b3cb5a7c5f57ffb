"""money: an amount and its currency."""

from decimal import Decimal

import pytest

from soni.slots import slot_types

REFUSED = "invalid_money"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("$50", "en", (50, "USD")),
        ("$ 1,000,000", "en", (1_000_000, "USD")),
        ("20 bucks", "en", (20, "USD")),
        ("twenty dollars", "en", (20, "USD")),
        ("a hundred dollars", "en", (100, "USD")),
        ("1,200.50 USD", "en", (1200.5, "USD")),
        ("50 euros", "en", (50, "EUR")),
        ("€ 12,50", "en", (12.5, "EUR")),
        ("EUR 50", "en", (50, "EUR")),
        ("eur 50", "en", (50, "EUR")),
        ("TRY 50", "en", (50, "TRY")),
        ("50 Turkish lira", "en", (50, "TRY")),
        ("1.200,50 €", "en", (1200.5, "EUR")),
        ("£9.99", "en", (9.99, "GBP")),
        ("fifty quid", "en", (50, "GBP")),
        ("1200 yen", "en", (1200, "JPY")),
        ("50 Mexican pesos", "en", (50, "MXN")),
        # In "$50 CAD" the sign says less than the code.
        ("$50 CAD", "en", (50, "CAD")),
        ("-$5", "en", (-5, "USD")),
        ("$-5", "en", (-5, "USD")),
        # A bare number is in the currency of the country where most people speak the language.
        ("50", "en", (50, "USD")),
        ("50", "es", (50, "EUR")),
        (12.5, "es-MX", (12.5, "EUR")),
        (0, "en", (0, "USD")),
        ("12,50 €", "es", (12.5, "EUR")),
        ("1.200,50", "es", (1200.5, "EUR")),
        ("veinte euros", "es", (20, "EUR")),
        ("20 dólares", "es", (20, "USD")),
        ("50 pesos mexicanos", "es", (50, "MXN")),
        # Data is rounded to the cent ...
        (12.345, "en", (12.35, "USD")),
        (0.1 + 0.2, "en", (0.3, "USD")),
        (Decimal("12.50"), "en", (12.5, "USD")),
        ({"amount": 5, "currency": "eur"}, "en", (5, "EUR")),
        ({"amount": "5.50", "currency": "EUR"}, "en", (5.5, "EUR")),
        ({"amount": 5}, "es", (5, "EUR")),
        # ... but a person who says thousandths meant something else.
        ("1.200 USD", "en", REFUSED),
        ("12.5 yen", "en", REFUSED),
        # Eight countries have pesos.
        ("50 pesos", "en", REFUSED),
        ("€50 USD", "en", REFUSED),
        ("50 bananas", "en", REFUSED),
        ("$1e5", "en", REFUSED),
        ("$", "en", REFUSED),
        ("", "en", REFUSED),
        (True, "en", REFUSED),
        (10**13, "en", REFUSED),
        ({"amount": 5, "currency": "XXQ"}, "en", REFUSED),
        ({"amount": 5, "currency": ""}, "en", REFUSED),
        ({"amount": 5, "currency": 5}, "en", REFUSED),
        ({"amount": True, "currency": "EUR"}, "en", REFUSED),
        ({"amount": "a lot", "currency": "EUR"}, "en", REFUSED),
        ({"amount": 5, "currency": "EUR", "note": "x"}, "en", REFUSED),
        ({"currency": "EUR"}, "en", REFUSED),
    ],
)
def test_amounts_are_taken_as_people_write_them(coerce, said, language, stored):
    found = coerce("money", said, language)
    assert found == (REFUSED if stored == REFUSED else dict(zip(KEYS, stored, strict=True)))


KEYS = ("amount", "currency")


def test_actions_get_their_own_copy():
    stored = {"amount": 12.5, "currency": "EUR"}
    slot_types()["money"].revive(stored)["amount"] = 0
    assert stored == {"amount": 12.5, "currency": "EUR"}


@pytest.mark.parametrize(
    ("amount", "currency", "language", "shown"),
    [
        (1200.5, "EUR", "en", "€1,200.50"),
        (1200.5, "EUR", "es", "1.200,50 €"),
        (50, "USD", "en", "$50.00"),
        (50, "USD", "es", "50,00 US$"),
        (1200, "JPY", "en", "¥1,200"),
        (-5, "USD", "en", "-$5.00"),
    ],
)
def test_it_is_shown_in_the_usual_form(amount, currency, language, shown):
    stored = {"amount": amount, "currency": currency}
    assert slot_types()["money"].show(stored, language) == shown


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("a tenner", "en", (10, "USD")),
        ("a fiver", "en", (5, "USD")),
        ("a grand", "en", (1000, "USD")),
        ("two grand", "en", (2000, "USD")),
        ("15k", "en", (15_000, "USD")),
        ("1.5k euros", "en", (1500, "EUR")),
        ("60 thousand dollars", "en", (60_000, "USD")),
        ("85 mil euros", "es", (85_000, "EUR")),
        ("un millón de euros", "es", (1_000_000, "EUR")),
        ("1,5 millones", "es", (1_500_000, "EUR")),
    ],
)
def test_large_sums_and_notes_may_be_said_in_short(coerce, said, language, stored):
    assert coerce("money", said, language) == {"amount": stored[0], "currency": stored[1]}


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("86 euros 40", "en", (86.4, "EUR")),
        ("86 euros and 40 cents", "en", (86.4, "EUR")),
        ("12 dollars fifty", "en", (12.5, "USD")),
        ("9 pounds 99 pence", "en", (9.99, "GBP")),
        ("86 euros con 40", "es", (86.4, "EUR")),
        ("86 con 40", "es", (86.4, "EUR")),
        ("3€50", "es", (3.5, "EUR")),
    ],
)
def test_cents_may_follow_the_currency(coerce, said, language, stored):
    assert coerce("money", said, language) == {"amount": stored[0], "currency": stored[1]}
