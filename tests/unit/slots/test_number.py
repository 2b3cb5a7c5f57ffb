"""number: with or without decimals."""

from decimal import Decimal

import pytest

from soni.slots import slot_types

REFUSED = "invalid_number"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        (2.5, "en", 2.5),
        (0, "en", 0),
        (2.0, "en", 2),
        ("2.5", "en", 2.5),
        ("1,000.50", "en", 1000.5),
        ("-3", "en", -3),
        ("1.000,50", "es", 1000.5),
        ("2,5", "es", 2.5),
        ("2.5", "es", 2.5),
        ("1.000", "es", 1000),
        ("2,5", "en", REFUSED),
        ("two", "en", 2),
        ("dos", "es", 2),
        ("21 and a half", "en", 21.5),
        ("eight and a quarter", "en", 8.25),
        ("thirty point five", "en", 30.5),
        ("38 point 7", "en", 38.7),
        ("dos y medio", "es", 2.5),
        ("two and six", "en", REFUSED),
        ("1,200.50", "es", 1200.5),
        ("1.200,50", "en", 1200.5),
        (Decimal("2.5"), "en", 2.5),
        (10**400, "en", REFUSED),
        (Decimal("sNaN"), "en", REFUSED),
        ("", "en", REFUSED),
        (True, "en", REFUSED),
        (float("nan"), "en", REFUSED),
        (float("inf"), "en", REFUSED),
        (1e19, "en", REFUSED),
    ],
)
def test_numbers_are_taken_as_the_language_writes_them(coerce, said, language, stored):
    found = coerce("number", said, language)
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize(
    ("stored", "language", "shown"),
    [
        (3, "en", "3"),
        (3.0, "en", "3"),
        (2.5, "en", "2.5"),
        (2.5, "es", "2,5"),
        (0.1, "en", "0.1"),
        (1e-7, "en", "0.0000001"),
    ],
)
def test_it_is_shown_without_a_trailing_zero(stored, language, shown):
    assert slot_types()["number"].show(stored, language) == shown


@pytest.mark.parametrize(
    ("said", "language", "stored"), [("1.2k", "en", 1200), ("60 mil", "es", 60_000)]
)
def test_a_number_may_be_said_in_thousands(coerce, said, language, stored):
    assert coerce("number", said, language) == stored
