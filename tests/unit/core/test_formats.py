"""Values as people write them, whatever their slot."""

from datetime import timedelta

import pytest

from soni.core.formats import find_home_currency, find_home_region, show_duration, show_plain


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [
        (None, "en", ""),
        ("{x}", "en", "{x}"),
        (True, "en", "yes"),
        (True, "es-MX", "sí"),
        (3.0, "en", "3"),
        (2026, "en", "2026"),
        (2.5, "es", "2,5"),
        (1e-7, "en", "0.0000001"),
        (["a", 1, False], "en", "a, 1, no"),
        ({"price": 2.5, "tags": ["x", "y"]}, "en", "price: 2.5, tags: x, y"),
    ],
)
def test_plain_data_reads_as_words(value, language, shown):
    assert show_plain(value, language) == shown


@pytest.mark.parametrize(
    ("language", "region", "currency"),
    [
        ("en", "US", "USD"),
        ("en-GB", "US", "USD"),
        ("es", "ES", "EUR"),
        ("pt", "BR", "BRL"),
        ("xx", "US", "USD"),
    ],
)
def test_a_language_has_a_home(language, region, currency):
    assert find_home_region(language) == region
    assert find_home_currency(language) == currency


def test_a_duration_is_rounded_to_the_second():
    assert show_duration(timedelta(seconds=61.6), "en") == "1 minute and 2 seconds"
