"""Answers that have no form, and what is said in their place: at the desk of a repair shop."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import CancelFlow, ChitChat, ResumeFlow, StartFlow
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief
from soni.du.context import Task


def slot(flow: str, name: str, about: str, type_: str = "string", **more: Any) -> SlotBrief:
    return SlotBrief(name=name, flow=flow, type=type_, description=about, **more)


SIZES = {"s": ("small",), "m": ("medium",), "l": ("large",)}
REPAIR = FlowBrief(
    name="repair_bike",
    description="Repair a bike",
    examples=("my bike is broken", "repair my bike", "I need a repair"),
    slots=(
        slot("repair_bike", "part", "What is broken on the bike"),
        slot("repair_bike", "garage", "Garage that does the repair", required=False),
        slot("repair_bike", "ticket_no", "Number of an earlier ticket", required=False),
        slot("repair_bike", "days", "How many days it may take", "integer"),
    ),
)
MISSING = FlowBrief(
    name="missing_bike",
    description="Report a bike that was stolen",
    examples=("my bike was stolen", "my bicycle is gone", "somebody took my bike"),
    slots=(
        slot("missing_bike", "look", "What the stolen bike looks like"),
        slot("missing_bike", "address", "Address it was stolen from"),
        slot("missing_bike", "locks", "How many locks it had", "integer"),
    ),
)
HELMET = FlowBrief(
    name="buy_helmet",
    description="Buy a helmet",
    examples=("I want to buy a helmet", "get a new helmet", "order a helmet"),
    slots=(
        slot("buy_helmet", "model", "Model of the helmet"),
        slot("buy_helmet", "size", "Size of the helmet", "choice", values=SIZES),
    ),
)
FLOWS = (REPAIR, MISSING, HELMET)


async def read(
    message: str, flow: FlowBrief | None = None, asked: str = "", **about: Any
) -> list[Any]:
    """What a message is read as, where a slot of a flow is asked or nothing is going on."""
    moment: dict[str, Any] = about
    if flow is not None:
        moment |= {
            "current_flow": flow.name,
            "expected_slots": flow.slots,
            "waiting_for_slot": asked,
            "asked": {"kind": "collect", "prompt": "Which one?", "data": {}},
        }
    context = DialogueContext(
        available_flows=FLOWS, now=datetime(2026, 3, 2, 10, tzinfo=UTC), **moment
    )
    return list((await LocalNLU().understand(message, [], context)).commands)


def values(commands: list[Any]) -> dict[str, Any]:
    """The values of commands, by slot."""
    return {name: v for one in commands for name, v in one.get_touched_slots().items()}


@pytest.mark.parametrize(
    ("message", "ticket"),
    [("the number's KX8812", "KX8812"), ("it was tr5512 i believe", "tr5512")],
)
async def test_a_code_is_read_without_the_words_around_it(message, ticket):
    assert values(await read(message, REPAIR, "ticket_no")) == {"ticket_no": ticket}


@pytest.mark.parametrize("message", ["yes please", "sure", "yep"])
async def test_a_yes_is_no_code(message):
    assert await read(message, REPAIR, "ticket_no") == []


async def test_small_talk_is_no_code():
    (command,) = await read("haha you're quick", REPAIR, "ticket_no")
    assert isinstance(command, ChitChat)


async def test_words_that_say_nothing_of_a_code_fill_nothing():
    assert values(await read("let me see where that is", REPAIR, "ticket_no")) == {}


@pytest.mark.parametrize("message", ["somebody took one of my bikes", "my bicycle is gone now"])
async def test_what_the_flow_is_about_does_not_describe_anything(message):
    (command,) = await read(message)
    assert (command.flow_name, command.slots) == ("missing_bike", {})


async def test_a_choice_of_another_slot_is_not_the_name_that_was_asked():
    assert values(await read("well i'm a size M if that helps", HELMET, "model")) == {"size": "m"}


async def test_a_name_that_has_a_choice_in_it_is_kept_whole():
    assert values(await read("the small commuter", HELMET, "model"))["model"] == "small commuter"


@pytest.mark.parametrize(
    "message", ["can't remember what it was, forget about the repair", "no clue, drop the repair"]
)
async def test_a_task_is_given_up_by_its_name_behind_a_reason(message):
    assert await read(message, REPAIR, "part") == [CancelFlow()]


async def test_whoever_wants_a_noise_to_stop_gives_nothing_up():
    said = await read("the brakes, stop the bike squeaking please", REPAIR, "part")
    assert CancelFlow() not in said


@pytest.mark.parametrize(
    "message", ["before that, I need to report a stolen bike", "I want to buy a helmet first"]
)
async def test_a_wish_in_place_of_a_number_is_a_wish(message):
    assert isinstance((await read(message, REPAIR, "days"))[0], StartFlow)


async def test_a_number_in_a_wish_is_the_answer():
    assert values(await read("I want to have it in two", REPAIR, "days")) == {"days": "two"}


async def test_a_paused_task_is_called_by_what_was_said_for_it():
    said = await read(
        "let's finish ordering the Commuter first",
        REPAIR,
        "ticket_no",
        paused_flows=("buy_helmet",),
        others=(Task(flow="buy_helmet", slots={"model": "City Commuter"}, open=True),),
    )
    assert said == [ResumeFlow(flow_name="buy_helmet")]


async def test_the_number_of_a_house_counts_nothing():
    said = values(await read("my bike was stolen from 9 Elm Road"))
    assert said == {"address": "9 Elm Road"}


@pytest.mark.parametrize(
    ("message", "days"),
    [
        ("is three too long?", "three"),
        ("would 5 be all right?", 5),
        ("how about two?", "two"),
        ("could 4 days work for you?", 4),
    ],
)
async def test_who_proposes_a_value_gives_it(message, days):
    assert [one.type for one in await read(message, REPAIR, "days")] == ["SetSlot"]
    assert str(values(await read(message, REPAIR, "days"))["days"]) == str(days)


@pytest.mark.parametrize(
    "message", ["is that possible?", "how long does it take?", "does it cost more than 5 euros?"]
)
async def test_who_asks_proposes_nothing(message):
    assert [one.type for one in await read(message, REPAIR, "days")] == ["Clarify"]


@pytest.mark.parametrize(
    "message", ["whichever is free", "haven't the faintest", "I'm easy", "whenever there's room"]
)
async def test_who_leaves_it_to_the_shop_skips(message):
    assert [one.type for one in await read(message, REPAIR, "garage")] == ["SkipSlot"]


async def test_when_something_happens_is_no_skip():
    assert values(await read("whenever I brake it squeaks", REPAIR, "part")) != {}


async def test_who_gives_an_answer_after_all_has_not_skipped():
    assert [one.type for one in await read("hard to say... 3 days?", REPAIR, "days")] == ["SetSlot"]
