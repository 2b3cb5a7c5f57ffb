"""phone: stored as E.164."""

import pytest

from soni.slots import slot_types

REFUSED = "invalid_phone"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("+34 600 123 456", "en", "+34600123456"),
        ("+1 (415) 555-2671", "es", "+14155552671"),
        # Without a country code: as in the country where most people speak the language.
        ("(415) 555-2671", "en", "+14155552671"),
        ("600 12 34 56", "es", "+34600123456"),
        ("0034 600 123 456", "es", "+34600123456"),
        (600123456, "es", "+34600123456"),
        ("600 12 34 56", "en", REFUSED),
        ("911", "en", REFUSED),
        ("+999 123 456 789", "en", REFUSED),
        ("+34 600 123 456 ext. 5", "en", REFUSED),
        ("call me", "en", REFUSED),
        ("1" * 41, "en", REFUSED),
        ("", "en", REFUSED),
        (True, "en", REFUSED),
    ],
)
def test_numbers_are_taken_as_people_write_them(coerce, said, language, stored):
    assert coerce("phone", said, language) == stored


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("+34600123456", "+34 600 12 34 56"),
        ("+14155552671", "+1 415-555-2671"),
        ("+999123", "+999123"),
    ],
)
def test_it_is_shown_in_groups(stored, shown):
    assert slot_types()["phone"].show(stored, "en") == shown
