"""What comes along with a wish, of what the tagger reads. It is Monday, 2 March 2026, 10:00."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from soni.commands import StartFlow
from soni.du import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.analysis import Analysis
from soni.du.local.intents.start_values import StartValues
from soni.du.local.view import View
from soni.du.tagger.reading import Reading

SLOTS = (
    SlotBrief(name="fault_code", flow="repair", examples=("E-17", "H204"), description="Code"),
    SlotBrief(name="visit", flow="repair", type="date", description="Day of the visit"),
    SlotBrief(name="machines", flow="repair", type="integer", description="How many machines"),
)
REPAIR = FlowBrief(name="repair", description="Have a machine mended", slots=SLOTS)


def brought(text: str, **read: Any) -> dict[str, Any]:
    """What a message gives, if the tagger reads so much in it."""
    start = StartFlow(flow_name="repair", slots=read)
    reading = Reading(slots=(), flows={}, acts={})
    thought = SimpleNamespace(
        text=text,
        score_slot=lambda slot: 0.0,
        read_as_start=lambda flow: reading,
        read_tags=lambda flow: SimpleNamespace(commands=(start,)),
    )
    now = datetime(2026, 3, 2, 10, tzinfo=UTC)
    view = View(DialogueContext(now=now, language="en", available_flows=(REPAIR,)))
    return StartValues("repair", cast("Analysis", thought), view).read_values()


def test_words_are_no_code():
    assert brought("the dishwasher is leaking", fault_code="dishwasher is leaking") == {}
    assert brought("the dryer is dead", fault_code="dead") == {}
    assert brought("the dryer shows E-17", fault_code="E-17") == {"fault_code": "E-17"}


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("the oven went off this morning", "this morning"),
        ("my fridge has been warm since yesterday", "yesterday"),
        ("the freezer died last night", "last night"),
        ("we have a second fridge and it leaks", "second"),
    ],
)
def test_a_day_that_is_over_is_none_for_what_is_to_come(message, day):
    assert brought(message, visit=day) == {}


def test_the_day_to_come_is_left_beside_one_that_is_over():
    assert brought("the oven broke yesterday, can you come on friday")["visit"] == "on friday"
    assert brought("could somebody come this morning?", visit="this morning") == {
        "visit": "this morning"
    }


@pytest.mark.parametrize(
    "message",
    ["can one have a fryer mended", "my mixer broke and I need a new one", "I've got one"],
)
def test_a_one_that_stands_for_something_counts_nothing(message):
    assert brought(message, machines="one") == {}


@pytest.mark.parametrize("message", ["one machine to be mended", "a repair for just one please"])
def test_a_one_that_counts_is_a_number(message):
    assert brought(message, machines="one") == {"machines": "one"}
