"""The slot types there are, and what all of them have in common."""

import re
from pathlib import Path

import pytest

import soni
from soni.config.slot import SlotConfig
from soni.core.texts import built_in_responses
from soni.slots import slot_types


def test_these_are_all_slot_types():
    assert sorted(slot_types()) == [
        "boolean", "choice", "date", "datetime", "duration", "email", "integer", "list", "money",
        "number", "object", "phone", "string", "text", "time",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", slot_types())
def test_every_type_has_its_sentence_for_a_value_it_refuses(kind):
    assert f"invalid_{kind}" in built_in_responses()


@pytest.mark.parametrize("kind", sorted(slot_types().keys() - {"list", "object"}))
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
        ("string", "a" * 1001),
        ("text", "a" * 10_001),
        ("integer", 10**400),
        ("number", 10**400),
        ("choice", ["small"]),
        ("time", "17:30"),
        ("time", "24:00:00"),
        ("datetime", "2026-03-02"),
        ("datetime", "2026-02-30T10:00:00"),
        ("duration", "PT90M"),
        ("duration", "2 hours"),
        ("money", 50),
        ("money", {"amount": 50}),
        ("money", {"amount": True, "currency": "EUR"}),
        ("money", {"amount": 50, "currency": "euro"}),
        ("email", "ann"),
        ("phone", "600 123 456"),
        ("list", "a, b"),
        ("list", [object()]),
        ("list", ["a"] * 101),
        ("object", ["a"]),
        ("object", {"a": float("nan")}),
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


def test_nobody_asks_for_a_type_by_its_name():
    home = Path(soni.__file__).parent
    name = f'"(?:{"|".join(slot_types())})"'
    asks = re.compile(rf"\.type (?:[!=]= {name}|(?:not )?in [({{\[]{name})")
    files = (path for path in home.rglob("*.py") if path.parent != home / "slots")
    assert [str(path) for path in files if asks.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("kind", slot_types().values(), ids=lambda kind: kind.kind)
def test_a_type_has_a_form_or_says_what_it_has_instead(kind):
    assert kind.has_form != (kind.is_free_text or kind.is_structured or kind.is_polar)
