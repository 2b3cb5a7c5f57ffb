"""choice: one of the author's values, however the user spells it."""

from datetime import datetime

import pytest

from soni.config.slot import SlotConfig
from soni.core.errors import Refusal
from soni.slots import SlotEnv, slot_types

SIZES = {"small": ["s", "Little"], "Extra Large": "XL", "3": []}


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("small", "small"),
        (" SMALL ", "small"),
        ("little", "small"),
        ("xl", "Extra Large"),
        ("extra large", "Extra Large"),
        (3, "3"),
        ("huge", "invalid_choice"),
        ("", "invalid_choice"),
        (True, "invalid_choice"),
    ],
)
def test_values_and_synonyms_are_taken_in_any_case(coerce, said, stored):
    assert coerce("choice", said, values=SIZES) == stored


def test_a_refusal_names_the_values():
    with pytest.raises(Refusal) as caught:
        slot_types()["choice"].coerce(
            "huge", SlotConfig(type="choice", values=SIZES), SlotEnv(datetime(2026, 1, 1), "en")
        )
    assert caught.value.values == {"values": "small, Extra Large, 3"}


def test_it_is_shown_as_the_author_wrote_it():
    assert slot_types()["choice"].show("Extra Large", "en") == "Extra Large"
