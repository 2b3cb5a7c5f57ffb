"""string: text as it was said."""

import pytest

from soni.slots import slot_types


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("Ann", "Ann"),
        ("  C++  ", "C++"),
        ("Paris, France", "Paris, France"),
        ("", ""),
        (42, "42"),
        (2.5, "2.5"),
        (True, "invalid_string"),
        (10**400, "invalid_string"),
        (float("nan"), "invalid_string"),
        ("a" * 1000, "a" * 1000),
        ("a" * 1001, "value_too_long"),
    ],
)
def test_text_is_kept_without_the_space_around_it(coerce, said, stored):
    assert coerce("string", said) == stored


def test_it_is_shown_as_it_is():
    assert slot_types()["string"].show("{name} C++", "en") == "{name} C++"
    assert slot_types()["string"].revive("x") == "x"
