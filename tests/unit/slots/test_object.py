"""object: named values that an action or an API hands over."""

from datetime import date
from types import MappingProxyType

import pytest

from soni.slots import slot_types

REFUSED = "invalid_object"


def nested(depth):
    value = "x"
    for _ in range(depth):
        value = {"in": value}
    return value


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({}, {}),
        ({"city": "Madrid", "nights": 3}, {"city": "Madrid", "nights": 3}),
        ({1: {"day": date(2026, 3, 2)}}, {"1": {"day": "2026-03-02"}}),
        (MappingProxyType({"a": (1, 2)}), {"a": [1, 2]}),
        (nested(8), nested(8)),
        (nested(9), REFUSED),
        ({"a": object()}, REFUSED),
        ({(1, 2): "a"}, REFUSED),
        ({"a" * 10_001: 1}, REFUSED),
        ({str(n): n for n in range(101)}, REFUSED),
        ("{}", REFUSED),
        ([], REFUSED),
        ("city: Madrid", REFUSED),
    ],
)
def test_only_plain_data_of_a_bounded_size_is_taken(coerce, given, stored):
    assert coerce("object", given) == stored


def test_a_ring_of_data_is_refused(coerce):
    ring = {}
    ring["again"] = ring
    assert coerce("object", ring) == REFUSED


def test_actions_get_their_own_copy():
    stored = {"a": {"b": 1}}
    slot_types()["object"].revive(stored)["a"]["b"] = 2
    assert stored == {"a": {"b": 1}}


def test_it_is_shown_name_by_name():
    shown = slot_types()["object"].show({"city": "Madrid", "breakfast": True}, "es")
    assert shown == "city: Madrid, breakfast: sí"
