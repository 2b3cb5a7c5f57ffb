"""Sentences whose meaning is known, as a language model is shown them."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from soni.config.program import Demo
from soni.du import DialogueContext, FlowBrief, SlotBrief
from soni.du.llm.demos import make_command_demo, make_slot_demo
from soni.du.llm.moment import Moment
from soni.du.llm.passes import Passes

AMOUNT = SlotBrief(name="amount", flow="transfer", type="number")
SPEED = SlotBrief(name="speed", flow="transfer", type="choice", values={"fast": (), "slow": ()})
TRANSFER = FlowBrief(name="transfer", description="Send money", slots=(AMOUNT, SPEED))
START = {"type": "StartFlow", "flow_name": "transfer"}


def moment(**parts: Any) -> Moment:
    context = DialogueContext(
        available_flows=(TRANSFER,), now=datetime(2026, 3, 2, tzinfo=UTC), **parts
    )
    return Moment(context, (TRANSFER,))


def asking() -> Moment:
    asked = {"kind": "collect", "prompt": "How much?", "data": {}}
    return moment(
        current_flow="transfer",
        expected_slots=(AMOUNT, SPEED),
        waiting_for_slot="amount",
        asked=asked,
    )


def test_values_of_a_flow_that_starts_are_shown_in_the_second_pass() -> None:
    said = "send 50, fast"
    values = [
        {"type": "SetSlot", "slot_name": "amount", "value": 50},
        {"type": "SetSlot", "slot_name": "speed", "value": "fast"},
    ]
    first, second = (
        make(said, [START, *values], moment()) for make in (make_command_demo, make_slot_demo)
    )
    assert first == Demo(moment="", message=said, answer=(START,))
    assert second is not None
    assert second.moment.startswith("Asked for: transfer: Send money\nSlots:\n")
    # As text, for a model reads the order as well: the words stand first, as in every answer.
    assert json.dumps(second.answer) == (
        '[{"said": "50", "slot": "amount"}, {"said": "fast", "slot": "speed", "value": "fast"}]'
    )


def test_an_answer_is_shown_with_its_question() -> None:
    fills = {"type": "SetSlot", "slot_name": "amount", "value": 50}
    demo = make_command_demo("50", [fills], asking())
    assert demo is not None
    question = 'Question that is open: "How much?", asks for amount'
    assert demo.moment == f"Open flow: transfer\n{question}"
    told = '[{"type": "SetSlot", "value": "50", "slot_name": "amount"}]'
    assert json.dumps(demo.answer) == told
    assert make_slot_demo("50", [fills], asking()) is None


DAY = SlotBrief(name="day", flow="visit", type="date")
FEE = SlotBrief(name="fee", flow="visit", type="money")
FLAT = SlotBrief(name="flat", flow="visit", type="boolean")
GUEST = SlotBrief(
    name="guest", flow="visit", type="choice", values={"adult": ("grown-up",), "child": ()}
)
VISIT = FlowBrief(name="visit", slots=(DAY, FEE, FLAT, GUEST))


@pytest.mark.parametrize(
    ("message", "slot", "value", "shown"),
    [
        ("on thursday, please", "day", "2026-03-05", "on thursday"),
        ("the fee was 20 euros", "fee", {"amount": 20, "currency": "EUR"}, "20 euros"),
        ("that is fine", "flat", True, "True"),
        ("a grown-up", "guest", "adult", "adult"),
        ("whenever you like", "day", "2026-03-05", None),
        ("no idea", "fee", {"amount": 20, "currency": "EUR"}, None),
    ],
)
def test_an_answer_is_shown_with_the_words_that_were_said(
    message: str, slot: str, value: Any, shown: str | None
) -> None:
    context = DialogueContext(
        current_flow="visit",
        expected_slots=VISIT.slots,
        waiting_for_slot=slot,
        asked={"kind": "collect", "prompt": "Well?", "data": {}},
        now=datetime(2026, 3, 2, tzinfo=UTC),
    )
    fills = {"type": "SetSlot", "slot_name": slot, "value": value}
    demo = make_command_demo(message, [fills], Moment(context, ()))
    assert (demo.answer[0]["value"] if demo else None) == shown


def test_values_of_a_flow_that_starts_are_shown_with_the_words_that_were_said() -> None:
    context = DialogueContext(available_flows=(VISIT,), now=datetime(2026, 3, 2, tzinfo=UTC))
    values = {"day": "2026-03-05", "guest": "adult"}
    start = {"type": "StartFlow", "flow_name": "visit", "slots": values}
    demo = make_slot_demo("visit us on thursday, a grown-up", [start], Moment(context, (VISIT,)))
    assert demo is not None
    assert json.dumps(demo.answer) == (
        '[{"said": "on thursday", "slot": "day"}, '
        '{"said": "grown-up", "slot": "guest", "value": "adult"}]'
    )


def test_what_means_nothing_is_shown_as_unclear() -> None:
    demo = make_command_demo("fiu fiu", [], moment())
    assert demo is not None
    assert demo.answer == ({"type": "Unclear"},)


@pytest.mark.parametrize(
    "meant",
    [
        {"type": "StartFlow", "flow_name": "refund"},
        {"type": "SetSlot", "slot_name": "amount", "value": 5},
    ],
)
def test_what_cannot_be_said_at_a_moment_is_not_shown(meant: dict[str, Any]) -> None:
    assert make_command_demo("anything", [meant], moment()) is None


def test_a_value_that_nobody_said_is_not_shown() -> None:
    start = {**START, "slots": {"amount": 50}}
    assert make_slot_demo("send a little", [start], moment()) is None


def test_what_would_fill_every_prompt_is_not_shown() -> None:
    stops = dict[str, tuple[str, ...]].fromkeys((f"stop number {n}" for n in range(300)), ())
    stop = SlotBrief(name="stop", flow="ride", type="choice", values=stops)
    ride = FlowBrief(name="ride", description="Buy a ticket", slots=(stop,))
    start = {"type": "StartFlow", "flow_name": "ride", "slots": {"stop": "stop number 7"}}
    context = DialogueContext(available_flows=(ride,), now=datetime(2026, 3, 2, tzinfo=UTC))
    said = "a ticket to stop number 7"
    assert make_slot_demo(said, [start], Moment(context, (ride,))) is None
    assert make_command_demo(said, [start], Moment(context, (ride,))) is not None
    assert make_command_demo("please, " * 1000, [START], moment()) is None


def test_what_is_shown_survives_saving() -> None:
    demo = make_command_demo("send money", [START], moment())
    assert demo is not None
    program = Passes().make_program().model_copy(update={"commands": (demo,)})
    assert Passes.from_program(program).make_program() == program
