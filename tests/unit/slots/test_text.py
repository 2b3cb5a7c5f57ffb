"""text: several lines, up to 10,000 characters."""

import pytest

from soni.slots import slot_types


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("  Dear all,\n\nit broke. ", "Dear all,\n\nit broke."),
        ("{pin} {{7*7}} %s", "{pin} {{7*7}} %s"),
        ("", ""),
        (42, "42"),
        ("a" * 10_000, "a" * 10_000),
        ("a" * 10_001, "value_too_long"),
        (True, "invalid_text"),
    ],
)
def test_lines_are_kept(coerce, said, stored):
    assert coerce("text", said) == stored


def test_it_is_shown_as_it_is():
    assert slot_types()["text"].show("a\n{b}", "en") == "a\n{b}"
