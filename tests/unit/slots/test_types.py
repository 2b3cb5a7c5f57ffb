"""The slot types there are, and what all of them have in common."""

import pytest

from soni.config.slot import SlotConfig
from soni.core.responses import BUILT_IN
from soni.slots import slot_types


def test_these_are_all_slot_types():
    assert sorted(slot_types()) == ["boolean", "choice", "date", "integer", "number", "string"]


@pytest.mark.parametrize("kind", slot_types())
def test_every_type_has_its_sentence_for_a_value_it_refuses(kind):
    assert f"invalid_{kind}" in BUILT_IN


@pytest.mark.parametrize("kind", slot_types())
@pytest.mark.parametrize("value", [None, [], {}, ["a"], {"a": 1}, object()])
def test_no_type_takes_what_is_not_one_value(coerce, kind, value):
    assert coerce(kind, value, values=["a"]) == f"invalid_{kind}"


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("integer", True),
        ("integer", 2.5),
        ("integer", "3"),
        ("number", True),
        ("number", float("nan")),
        ("number", "3"),
        ("boolean", 1),
        ("boolean", "yes"),
        ("date", "2026-02-30"),
        ("date", "tomorrow"),
        ("date", 3),
        ("choice", "huge"),
        ("string", 3),
    ],
)
def test_a_value_that_a_normalizer_made_wrong_is_noticed(kind, stored):
    assert not slot_types()[kind].check(stored, SlotConfig(type=kind, values={"small": ()}))


@pytest.mark.parametrize(
    ("written", "values"),
    [
        (["small", "large"], {"small": (), "large": ()}),
        ({"small": "s", "large": ["l", "big"], "huge": None}, {
            "small": ("s",), "large": ("l", "big"), "huge": (),
        }),
        ([1, 2.5, True], {"1": (), "2.5": (), "yes": ()}),
    ],
)  # fmt: skip
def test_values_of_a_choice_are_words_with_synonyms(written, values):
    assert SlotConfig(type="choice", values=written).values == values
