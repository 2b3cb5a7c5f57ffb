"""The examples of flows, as questions: they say which flow starts, and nothing of its values."""

from dataclasses import replace
from typing import Any

import pytest

from soni.optimize.model import select_demos
from soni.optimize.triggers import make_trigger_questions
from soni.testing import ScriptedNLU
from soni.testing.evaluate.candidate import Candidate
from tests.talking import assistant

TRAVEL = """
version: "1"
slots:
  city: {prompt: "Where to?"}
flows:
  fly:
    trigger: {examples: [I want to fly to Oslo]}
    steps: [{collect: city}, {say: Booked.}]
  weather:
    trigger: {examples: [will it rain]}
    steps: [{collect: city}, {say: Maybe.}]
"""
SAID = "I want to fly to Oslo"
FLY = {"type": "StartFlow", "flow_name": "fly"}
TO_OSLO = {"type": "SetSlot", "slot_name": "city", "value": "Oslo"}


@pytest.mark.parametrize(
    ("heard", "right"),
    [
        ([FLY], True),
        ([FLY, TO_OSLO], True),
        ([{**FLY, "slots": {"city": "Oslo"}}], True),
        ([{"type": "StartFlow", "flow_name": "weather", "slots": {"city": "Oslo"}}], False),
        ([FLY, {"type": "CancelFlow"}], False),
        ([], False),
    ],
)
async def test_an_example_is_understood_if_its_flow_starts_whatever_it_fills(
    heard: list[dict[str, Any]], right: bool
) -> None:
    questions = await make_trigger_questions(assistant(TRAVEL))
    asked = next(each for each in questions if each.sample.text == SAID)
    _, reading = await asked.ask(Candidate(ScriptedNLU({SAID: heard}), 5, warm=True))
    assert reading.right is right


async def test_an_example_is_shown_as_a_wish_and_never_as_one_without_values() -> None:
    questions = await make_trigger_questions(assistant(TRAVEL))
    commands, slots = select_demos(questions)
    assert [demo.message for demo in commands] == [SAID, "will it rain"]
    assert slots == []
    written = [replace(each, sample=replace(each.sample, values_open=False)) for each in questions]
    assert len(select_demos(written)[1]) == 2
