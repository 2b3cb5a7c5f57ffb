"""The filters a text may use."""

import pytest

from soni.core.filters import FILTERS


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("raw", "C++", "C++"),
        ("raw", 1000.5, "1000.5"),
        ("raw", True, "true"),
        ("raw", None, ""),
        ("raw", {"città": [1]}, '{"città": [1]}'),
        ("iso", "2026-03-05", "2026-03-05"),
        ("upper", "ann", "ANN"),
        ("lower", "ANN", "ann"),
        ("title", "ann lee", "Ann Lee"),
        ("number", 1234567.5, "1,234,567.5"),
        ("number", 0.1 + 0.2, "0.3"),
        ("number", 10**17 + 1, "100,000,000,000,000,001"),
        ("percent", 0.255, "25.5%"),
        ("money", {"amount": 12.5, "currency": "EUR"}, "€12.50"),
        ("money", 12.5, "$12.50"),
        ("date", "2026-03-02", "2 March 2026"),
        ("date", "2026-03-02T17:30:00+00:00", "2 March 2026"),
        ("time", "17:30:00", "5:30 pm"),
        ("time", "2026-03-02T17:30:00", "5:30 pm"),
        ("short", "2026-03-02", "2 Mar 2026"),
        ("short", "2026-03-02T17:30:00", "2 Mar 2026, 5:30 pm"),
        ("short", "17:30:00", "5:30 pm"),
        ("long", "2026-03-02", "Monday, 2 March 2026"),
        ("long", "2026-03-02T17:30:00", "Monday, 2 March 2026, 5:30 pm"),
    ],
)
def test_a_filter_turns_a_stored_value_into_text(name, value, shown):
    assert FILTERS[name](value, "en") == shown


def test_these_are_all_filters():
    assert sorted(FILTERS) == [
        "date", "iso", "long", "lower", "money", "number", "percent", "raw", "short", "time",
        "title", "upper",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("number", 1234567.5, "1.234.567,5"),
        ("percent", 0.25, "25 %"),
        ("money", {"amount": 12.5, "currency": "EUR"}, "12,50 €"),
        ("money", 12.5, "12,50 €"),
        ("date", "2026-03-02", "2 de marzo de 2026"),
        ("time", "17:30:00", "17:30"),
        ("short", "2026-03-02", "2 mar 2026"),
        ("long", "2026-03-02", "lunes, 2 de marzo de 2026"),
    ],
)
def test_a_filter_writes_as_the_language_does(name, value, shown):
    assert FILTERS[name](value, "es") == shown


@pytest.mark.parametrize("name", sorted(FILTERS.keys() - {"upper", "lower", "title"}))
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Ann {x}", "Ann {x}"),
        (True, "true"),
        (["a"], '["a"]'),
        ({"amount": "a lot"}, '{"amount": "a lot"}'),
        (None, ""),
        (10**19, "1" + "0" * 19),
    ],
)
def test_a_value_that_a_filter_is_not_made_for_is_shown_as_it_is_stored(name, value, shown):
    assert FILTERS[name](value, "en") == shown


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter_says_in_a_line_what_it_does(name):
    assert FILTERS[name].__doc__
    assert "\n" not in FILTERS[name].__doc__
