"""integer: a whole number."""

from decimal import Decimal

import pytest

from soni.slots import slot_types

REFUSED = "invalid_integer"


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (3, 3),
        (0, 0),
        (-3, -3),
        (3.0, 3),
        ("3", 3),
        (" +3 ", 3),
        ("1,000", 1000),
        ("1.000.000", 1_000_000),
        ("1 000", 1000),
        (3.5, REFUSED),
        ("3.5", REFUSED),
        ("three", 3),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("a couple", 2),
        ("Twenty-one", 21),
        ("one hundred and five", 105),
        (Decimal("3"), 3),
        ("o", REFUSED),
        ("one two", REFUSED),
        (Decimal("3.5"), REFUSED),
        (Decimal("NaN"), REFUSED),
        (10**400, REFUSED),
        ("", REFUSED),
        ("1,00", REFUSED),
        (True, REFUSED),
        (10**19, REFUSED),
        ("9" * 19, REFUSED),
        (float("inf"), REFUSED),
        (float("nan"), REFUSED),
    ],
)
def test_whole_numbers_are_taken_however_they_are_written(coerce, said, stored):
    found = coerce("integer", said)
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("dos", "es", 2),
        ("treinta y cinco", "es-MX", 35),
        ("two", "es", 2),
        ("dos", "en", REFUSED),
        ("two", "xx", 2),
    ],
)
def test_words_of_the_language_and_of_english_are_numbers(coerce, said, language, stored):
    assert coerce("integer", said, language) == stored


def test_it_is_shown_in_digits():
    assert slot_types()["integer"].show(1000, "en") == "1000"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("15k", "en", 15_000),
        ("1.5k", "en", 1500),
        ("60 thousand", "en", 60_000),
        ("2 million", "en", 2_000_000),
        ("60 mil", "es", 60_000),
        ("85.000", "es", 85_000),
        ("1,5 millones", "es", 1_500_000),
        ("1.2345k", "en", REFUSED),
        ("15km", "en", REFUSED),
    ],
)
def test_thousands_and_millions_may_be_words(coerce, said, language, stored):
    assert coerce("integer", said, language) == stored


@pytest.mark.parametrize("said", ["unos", "unas"])
def test_about_is_no_number(coerce, said):
    assert coerce("integer", said, "es") == REFUSED
