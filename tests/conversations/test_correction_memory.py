"""What is remembered of called flows: over restarts, over edits, and never more and more."""

import json
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import MemorySaver

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

TRIP = """
slots:
  city: {prompt: "Which city?"}
  street: {prompt: "Which street?"}
  nights: {type: integer, prompt: "How many nights?"}
flows:
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: nights
      - {step: stay, call: find, inputs: {days: "{{ nights + 1 }}"}}
      - {step: sure, confirm: "{nights} nights in {city}?"}
      - say: "Booked {city}."
  find:
    inputs: [days]
    outputs: [city]
    steps:
      - collect: city
      - {step: where, call: place}
      - {step: tell, say: "{days} days in {city}."}
  place: {steps: [{collect: street}]}
"""
YES = AffirmConfirmation()
START = StartFlow(flow_name="trip", slots={"nights": 2})
OTHER_STEP = TRIP.replace("step: stay, call: find", "step: look, call: find")
OTHER_FLOW = TRIP.replace("call: find", "call: seek").replace("  find:", "  seek:")
NO_PLACE = TRIP.replace("      - {step: where, call: place}\n", "").replace(
    "  place: {steps: [{collect: street}]}\n", ""
)
OTHER_TELL = TRIP.replace("step: tell, say:", "step: told, say:")
OTHER_ASK = TRIP.replace("      - collect: city\n", "      - {step: town, collect: city}\n")


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def _at_confirm(talk: Talk) -> None:
    await talk.say("trip", START)
    await talk.say("Rome")
    assert await talk.say("Elm") == ["3 days in Rome.", "2 nights in Rome?"]


async def _edited(after: str, *then: Command) -> list[str]:
    saver = MemorySaver()
    async with talking_to(TRIP, checkpointer=saver) as talk:
        await _at_confirm(talk)
    async with talking_to(after, checkpointer=saver) as talk:
        said = await talk.say("after", *then)
        assert talk.stack == ["trip"]
        return said


async def test_a_child_is_gone_back_into_after_a_restart(tmp_path: Path) -> None:
    stored = f'settings: {{persistence: {{backend: sqlite, url: "{tmp_path / "s.db"}"}}}}\n{TRIP}'
    async with talking_to(stored) as talk:
        await _at_confirm(talk)
    async with talking_to(stored) as talk:
        assert await talk.say("Oslo", _correct("city", "Oslo")) == [
            "city is now Oslo.",
            "3 days in Oslo.",
            "2 nights in Oslo?",
        ]
    async with talking_to(stored) as talk:
        no = DenyConfirmation(slot_to_change="street")
        assert await talk.say("no, the street", no) == ["Which street?"]
    async with talking_to(stored) as talk:
        assert await talk.say("3", _correct("nights", 3)) == ["nights is now 3.", "Which street?"]
    async with talking_to(stored) as talk:
        assert await talk.say("Oak", SetSlot(slot_name="street", value="Oak")) == [
            "4 days in Oslo.",
            "3 nights in Oslo?",
        ]
        assert await talk.say("yes", YES) == ["Booked Oslo."]


async def test_a_child_whose_caller_no_longer_has_the_step_is_forgotten() -> None:
    not_understood = ["I did not understand that.", "2 nights in Rome?"]
    assert await _edited(OTHER_STEP, _correct("city", "Oslo")) == not_understood
    assert await _edited(OTHER_STEP, _correct("street", "Oak")) == not_understood


async def test_a_child_whose_flow_is_gone_is_forgotten() -> None:
    not_understood = ["I did not understand that.", "2 nights in Rome?"]
    assert await _edited(OTHER_FLOW, _correct("city", "Oslo")) == not_understood
    assert await _edited(OTHER_FLOW, DenyConfirmation(slot_to_change="city")) == [
        "What would you like to change?"
    ]


async def test_a_grandchild_whose_flow_is_gone_is_forgotten_and_the_child_is_not() -> None:
    not_understood = ["I did not understand that.", "2 nights in Rome?"]
    assert await _edited(NO_PLACE, _correct("street", "Oak")) == not_understood
    assert await _edited(NO_PLACE, _correct("city", "Oslo")) == [
        "city is now Oslo.",
        "3 days in Oslo.",
        "2 nights in Oslo?",
    ]


async def test_steps_of_the_child_that_are_gone_are_passed_over() -> None:
    for after in (OTHER_TELL, OTHER_ASK):
        said = await _edited(after, _correct("city", "Oslo"))
        assert (said[0], said[-1]) == ("city is now Oslo.", "2 nights in Oslo?")


async def test_a_correction_of_the_caller_gets_along_with_a_child_that_is_gone() -> None:
    for after in (OTHER_STEP, OTHER_FLOW, NO_PLACE, OTHER_TELL):
        said = await _edited_open(after, _correct("nights", 5))
        assert said[0] == "nights is now 5."
        assert said[-1] in ("5 nights in Rome?", "Which city?")


async def _edited_open(after: str, then: Command) -> list[str]:
    saver = MemorySaver()
    async with talking_to(TRIP, checkpointer=saver) as talk:
        await _at_confirm(talk)
    async with talking_to(after, checkpointer=saver) as talk:
        return await talk.say("after", then)


async def test_a_child_that_was_asked_again_and_edited_meanwhile_starts_again() -> None:
    saver = MemorySaver()
    async with talking_to(TRIP, checkpointer=saver) as talk:
        await _at_confirm(talk)
        no = DenyConfirmation(slot_to_change="city")
        assert await talk.say("no, the city", no) == ["Which city?"]
    async with talking_to(OTHER_ASK, checkpointer=saver) as talk:
        assert await talk.say("hm", ChitChat()) == [
            "I'm here to help.",
            "find has changed meanwhile, so I start it again with what you told me.",
            "Which city?",
        ]


def _size(state: Any) -> int:
    kept = {key: state[key] for key in ("flow_stack", "flow_slots", "conversation_slots", "turn")}
    return len(json.dumps(kept, default=str))


async def test_two_hundred_corrections_back_and_forth_leave_the_state_as_large_as_it_was() -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        sizes = []
        for turn in range(200):
            slot, value = [("city", "Oslo"), ("street", "Oak"), ("nights", 3), ("city", "Rome"),
                           ("street", "Elm"), ("nights", 2)][turn % 6]  # fmt: skip
            said = await talk.say("no", _correct(slot, value))
            assert said[0] == f"{slot} is now {value}."
            assert talk.stack == ["trip"]
            sizes.append(_size(talk.state))
        assert max(sizes[100:]) <= max(sizes[:100]) + 20
        assert await talk.say("yes", YES) == ["Booked Oslo."]
        assert talk.state["flow_slots"] == {}


async def test_cancelling_after_a_slot_of_the_child_is_asked_again_forgets_everything() -> None:
    async with talking_to(TRIP) as talk:
        await _at_confirm(talk)
        no = DenyConfirmation(slot_to_change="city")
        assert await talk.say("no, the city", no) == ["Which city?"]
        assert talk.stack == ["trip", "find"]
        assert await talk.say("forget it", CancelFlow()) == ["I have cancelled trip."]
        assert (talk.stack, talk.state["flow_slots"]) == ([], {})
        assert await talk.say("trip", START) == ["Which city?"]
        assert talk.slots == {"days": 3}
