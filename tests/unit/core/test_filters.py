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
    ],
)
def test_a_filter_turns_a_stored_value_into_text(name, value, shown):
    assert FILTERS[name](value, "en") == shown


def test_these_are_all_filters():
    assert sorted(FILTERS) == ["iso", "lower", "raw", "title", "upper"]
