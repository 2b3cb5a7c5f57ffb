"""SkipSlot: the user does not want to answer."""

import pytest

from soni.commands import AffirmConfirmation, SetSlot, SkipSlot, StartFlow
from tests.talking import talking_to

ORDER = """
slots:
  size: {type: choice, values: [small, large], prompt: "Which size?"}
  note: {prompt: "A note?", required: false}
  tip: {type: integer, prompt: "A tip?", required: false, default: 0}
  gift: {type: boolean, prompt: "Is it a gift?", required: false, default: false}
flows:
  order:
    trigger: {examples: [order a pizza]}
    steps:
      - collect: note
      - collect: size
      - collect: tip
      - collect: gift
      - {step: sure, type: confirm, message: "{size}, note <{note}>, tip {tip}, gift {gift}?"}
      - say: "Ordered."
"""


async def test_an_optional_slot_without_a_default_becomes_null_and_the_flow_goes_on() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("order", StartFlow(flow_name="order")) == ["A note?"]
        assert await talk.say("skip", SkipSlot()) == ["Which size?"]
        assert talk.slots == {"note": None}


async def test_skip_is_understood_without_given_commands() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order a pizza")
        assert await talk.say("no preference") == ["Which size?"]
        assert talk.decisions == [("SkipSlot", "accepted")]


async def test_a_default_is_taken_even_if_it_is_zero_or_no() -> None:
    async with talking_to(ORDER) as talk:
        slots = {"note": "hot", "size": "small"}
        assert await talk.say("order", StartFlow(flow_name="order", slots=slots)) == ["A tip?"]
        assert await talk.say("skip", SkipSlot()) == ["Is it a gift?"]
        said = await talk.say("skip", SkipSlot())
        assert said == ["small, note <hot>, tip 0, gift no?"]
        assert talk.slots == {**slots, "tip": 0, "gift": False}


async def test_a_required_slot_is_needed_and_asked_again() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"note": "hot"}))
        said = await talk.say("skip", SkipSlot())
        assert said == ["I need size to go on.", "Which size?"]
        assert talk.slots == {"note": "hot"}
        logged = talk.state["command_log"][-1]
        assert (logged["result"], logged["reason"]) == ("rejected", "'size' is required")


async def test_skipping_a_required_slot_is_no_invalid_attempt() -> None:
    async with talking_to("settings: {collection: {max_attempts: 1}}" + ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"note": "hot"}))
        for _ in range(3):
            said = await talk.say("skip", SkipSlot())
            assert said == ["I need size to go on.", "Which size?"]


async def test_a_slot_can_be_skipped_before_it_is_asked() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"note": "hot"}))
        assert await talk.say("no tip", SkipSlot(slot_name="tip")) == ["Which size?"]
        size = SetSlot(slot_name="size", value="small")
        assert await talk.say("small", size) == ["Is it a gift?"]


async def test_with_nothing_asked_there_is_nothing_to_skip() -> None:
    async with talking_to(ORDER) as talk:
        assert await talk.say("skip", SkipSlot()) == ["I did not understand that."]
        await talk.say("order", StartFlow(flow_name="order", slots=_all()))
        said = await talk.say("skip", SkipSlot())
        assert said == ["I did not understand that.", "small, note <hot>, tip 3, gift yes?"]
        assert talk.last.commands[0]["reason"] == "no slot is asked"


async def test_an_unknown_slot_cannot_be_skipped() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order"))
        said = await talk.say("skip the drink", SkipSlot(slot_name="drink"))
        assert said == ["I did not understand that.", "A note?"]


async def test_a_yes_beside_a_skip_of_something_shown_confirms_nothing() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots=_all()))
        both = [AffirmConfirmation(), SkipSlot(slot_name="note")]
        said = await talk.say("yes, but without the note", *both)
        assert said == ["small, note <>, tip 3, gift yes?"]
        assert talk.decisions == [("AffirmConfirmation", "rejected"), ("SkipSlot", "accepted")]


async def test_a_filled_slot_that_is_skipped_later_is_left_out_wherever_it_was_used() -> None:
    yaml = ORDER.replace("- collect: size", "- set: {label: '{{ note }}'}\n      - collect: size")
    yaml = yaml.replace("note <{note}>", "note <{label}>")
    async with talking_to(yaml) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots=_all()))
        said = await talk.say("no note", SkipSlot(slot_name="note"))
        assert said == ["small, note <>, tip 3, gift yes?"]
        assert talk.slots["note"] is None


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_value_for_the_asked_slot_wins_over_skipping_it(order: tuple[int, int]) -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"note": "hot"}))
        both = [SkipSlot(), SetSlot(slot_name="size", value="large")]
        said = await talk.say("whatever, large", *(both[i] for i in order))
        assert said == ["A tip?"]
        assert ("SkipSlot", "rejected") in talk.decisions


def _all() -> dict[str, object]:
    return {"note": "hot", "size": "small", "tip": 3, "gift": True}


async def test_a_slot_of_the_flow_that_the_same_message_starts_can_be_skipped() -> None:
    async with talking_to(ORDER) as talk:
        start = StartFlow(flow_name="order")
        assert await talk.say("a pizza, no note", start, SkipSlot(slot_name="note")) == [
            "Which size?"
        ]
        assert talk.slots == {"note": None}


async def test_a_slot_that_no_flow_has_cannot_be_skipped() -> None:
    async with talking_to(ORDER) as talk:
        await talk.say("no note", SkipSlot(slot_name="note"))
        assert talk.decisions == [("SkipSlot", "rejected")]
