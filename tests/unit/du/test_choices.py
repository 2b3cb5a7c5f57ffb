"""Choices that come with a wish: which words make one, and which only seem to."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from soni.commands import StartFlow
from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.analysis import Analysis
from soni.du.local.intents.start_values import StartValues
from soni.du.local.tagging.commands import TaggerCommands
from soni.du.local.values.choices import find_choice
from soni.du.local.view import View
from soni.du.local.words.mentions import names_choice
from soni.du.local.words.words import is_inflection, is_typo
from soni.du.tagger.reading import Reading, SlotReading
from soni.language import find_language

EN = find_language("en")

WORRY = SlotBrief(
    name="worry",
    flow="call_plumber",
    type="choice",
    description="What is wrong with the pipes",
    values={
        "clogged": ("blocked drain", "drains slowly"),
        "burst": ("burst pipe", "pipe broke"),
        "lost_key": ("can't find the key",),
    },
)
PLUMBER = FlowBrief(
    name="call_plumber",
    description="Send a plumber for a pipe or a drain",
    examples=("I need a plumber", "my drain is clogged", "something broke"),
    slots=(WORRY,),
)
WOOD = SlotBrief(
    name="wood", flow="order_door", type="choice", values={"walnut": (), "maple": (), "larch": ()}
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("drain", "drained", True),
        ("stop", "stopping", True),
        ("blocked", "blocking", True),
        ("station", "statue", False),
        ("insurer", "insurance", False),
        ("car", "care", False),
    ],
)
def test_words_that_differ_in_their_ending_are_one(one: str, other: str, same: bool) -> None:
    assert is_inflection(one, other, find_language("en")) is same


@pytest.mark.parametrize(
    ("said", "meant", "may"),
    [
        ("walunt", "walnut", True),
        ("wlnut", "walnut", True),
        ("want", "walnut", False),
        ("smaller", "smallest", False),
        ("conservatry", "conservatory", True),
    ],
)
def test_few_letters_may_be_wrong(said: str, meant: str, may: bool) -> None:
    assert is_typo(said, meant) is may


@pytest.mark.parametrize("message", ["I want a door", "we wanted two doors for the hall"])
def test_a_word_that_is_only_like_a_choice_makes_none(message: str) -> None:
    assert find_choice(message, WOOD, EN) is None


def test_a_choice_with_a_slip_is_made() -> None:
    assert find_choice("a door in walnutt please", WOOD, EN) == "walnut"


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("the pipe has just broke", "burst"),
        ("i cant find my key", "lost_key"),
        ("we lost our keys", "lost_key"),
        ("the drain is blocked", None),
        ("the pipe under the sink that my uncle broke", None),
    ],
)
def test_the_words_of_a_choice_may_stand_a_little_apart(message: str, value: str | None) -> None:
    assert find_choice(message, WORRY, EN) == value


def test_a_no_is_not_the_no_of_a_name() -> None:
    limit = SlotBrief(name="cap", flow="f", type="choice", values={"open": ("no cap",), "low": ()})
    assert find_choice("no, the cap please", limit, EN) is None


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("the drain in the yard is blocked", "clogged"),
        ("my drain is clogged", "clogged"),
        ("it's bursting", "burst"),
        ("the key is lost", "lost_key"),
    ],
)
def test_a_word_that_only_one_choice_has_tells_it(message: str, value: str) -> None:
    assert names_choice(message, WORRY, value, find_language("en"), PLUMBER)


@pytest.mark.parametrize(
    ("message", "value"),
    [
        # What the slot and the flow are about is said whichever is meant.
        ("could somebody look at our pipes", "burst"),
        ("something broke in the kitchen", "burst"),
        ("a plumber for the drains please", "clogged"),
        # These stand in names of all kinds.
        ("we can't wait any longer", "lost_key"),
    ],
)
def test_a_word_that_any_choice_may_have_tells_none(message: str, value: str) -> None:
    assert not names_choice(message, WORRY, value, find_language("en"), PLUMBER)


def brought(message: str, heard: str, inform: float, likely: float) -> dict[str, Any]:
    """The values for a plumber, where the tagger hears one of the worries."""
    read = SlotReading("call_plumber", "worry", 0, 0, inform, 0, values={heard: likely})
    start = StartFlow(flow_name="call_plumber", slots={"worry": heard})
    thought = SimpleNamespace(
        text=message,
        read_as_start=lambda flow: Reading((read,), {flow: 1.0}, {}),
        score_slot=lambda slot: inform,
        read_tags=lambda flow: TaggerCommands((start,), 1.0),
    )
    view = View(
        DialogueContext(available_flows=(PLUMBER,), now=datetime(2026, 3, 2, 10, tzinfo=UTC))
    )
    return StartValues("call_plumber", cast(Analysis, thought), view).read_values()


def test_a_word_with_a_slip_gives_way_to_a_tagger_that_is_sure() -> None:
    assert brought("we cloged it up", "burst", 0.95, 0.95) == {"worry": "burst"}
    assert brought("we cloged it up", "burst", 0.95, 0.5) == {"worry": "clogged"}


def test_a_word_to_the_letter_gives_way_to_nothing() -> None:
    assert brought("it clogged and then broke", "burst", 0.99, 0.99) == {"worry": "clogged"}


def test_what_no_word_says_is_not_chosen() -> None:
    assert brought("please send a plumber for a pipe", "burst", 0.99, 0.99) == {}


def test_a_word_that_tells_a_choice_counts_where_the_tagger_hears_another() -> None:
    assert brought("a root has blocked everything", "burst", 0.8, 0.6) == {"worry": "clogged"}
    assert brought("a root has blocked everything", "burst", 0.5, 0.6) == {}


def test_words_that_tell_two_choices_tell_none() -> None:
    assert brought("a key fell in and it is all blocked", "burst", 0.8, 0.6) == {}


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("anything but the drains", None),
        ("not the drains", None),
        ("not the drains, a burst pipe", "burst_pipe"),
        ("it is not the drains but a burst pipe", "burst_pipe"),
        ("why not the drains", "drains"),
        ("a burst pipe, not the drains", "burst_pipe"),
    ],
)
def test_what_is_refused_is_not_chosen(message: str, value: str | None) -> None:
    trouble = SlotBrief(
        name="trouble", flow="call", type="choice", values={"drains": (), "burst_pipe": ()}
    )
    assert find_choice(message, trouble, EN) == value


def test_a_denial_may_be_the_name_of_a_choice() -> None:
    state = SlotBrief(
        name="state", flow="call", type="choice", values={"dead": ("not working",), "slow": ()}
    )
    assert find_choice("it's just not working", state, EN) == "dead"
