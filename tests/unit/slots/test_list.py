"""list: several values in one slot."""

from datetime import date
from enum import Enum

import pytest

from soni.slots import slot_types

REFUSED = "invalid_list"


class Size(Enum):
    SMALL = "small"


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("bread, milk and eggs", "en", ["bread", "milk", "eggs"]),
        ("bread, milk, and eggs", "en", ["bread", "milk", "eggs"]),
        ("fish and chips", "en", ["fish", "chips"]),
        # Beside commas only the last "and" separates.
        ("salt and pepper, oil", "en", ["salt and pepper", "oil"]),
        ("a;b\nc", "en", ["a", "b", "c"]),
        ("a,,b", "en", ["a", "b"]),
        ("bread", "en", ["bread"]),
        ("andorra", "en", ["andorra"]),
        ("vitamin e pills", "en", ["vitamin e pills"]),
        ("pan, leche y huevos", "es", ["pan", "leche", "huevos"]),
        ("padre e hijo", "es", ["padre", "hijo"]),
        ([], "en", []),
        (("a", 1, True, None, 2.5), "en", ["a", 1, True, None, 2.5]),
        ([{"day": date(2026, 3, 2)}, Size.SMALL], "en", [{"day": "2026-03-02"}, "small"]),
        (["a"] * 100, "en", ["a"] * 100),
        (nested(8), "en", nested(8)),
        ("", "en", REFUSED),
        (" , ", "en", REFUSED),
        (5, "en", REFUSED),
        ({"a": 1}, "en", REFUSED),
        (["a"] * 101, "en", REFUSED),
        (", ".join("a" * 101), "en", REFUSED),
        (nested(9), "en", REFUSED),
        ([["a"] * 100] * 10, "en", REFUSED),
        (["a" * 10_001], "en", REFUSED),
        ([float("nan")], "en", REFUSED),
        ([10**400], "en", REFUSED),
        ([object()], "en", REFUSED),
    ],
)
def test_lists_are_taken_as_data_or_as_words(coerce, said, language, stored):
    assert coerce("list", said, language) == stored


def test_actions_get_their_own_copy():
    stored = [["a"]]
    slot_types()["list"].revive(stored)[0].append("b")
    assert stored == [["a"]]


@pytest.mark.parametrize(
    ("stored", "language", "shown"),
    [
        (["bread", "milk", "eggs"], "en", "bread, milk and eggs"),
        (["pan", "leche", "huevos"], "es", "pan, leche y huevos"),
        ([True, 2.5], "es", "sí y 2,5"),
        ([{"city": "Madrid"}], "en", "city: Madrid"),
        ([], "en", ""),
    ],
)
def test_it_is_shown_as_people_say_it(stored, language, shown):
    assert slot_types()["list"].show(stored, language) == shown
