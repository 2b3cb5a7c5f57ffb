"""The conversation's state machine: the required moves, the added ones, and no others."""

import ast
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import soni
from soni import TurnError
from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    CorrectSlot,
    HumanHandoff,
    SetSlot,
    StartFlow,
)
from soni.core.constants import ConversationState as S
from soni.core.errors import TransitionError
from soni.core.transitions import StateTransitionValidator, make_transition
from tests.talking import talking_to

TABLE = StateTransitionValidator.VALID_TRANSITIONS

REQUIRED = {
    S.IDLE: [S.UNDERSTANDING],
    S.UNDERSTANDING: [S.WAITING_FOR_SLOT, S.EXECUTING_ACTION, S.IDLE, S.ERROR],
    S.WAITING_FOR_SLOT: [S.UNDERSTANDING],
    S.VALIDATING_SLOT: [S.WAITING_FOR_SLOT, S.CONFIRMING, S.EXECUTING_ACTION],
    S.EXECUTING_ACTION: [S.CONFIRMING, S.COMPLETED, S.WAITING_FOR_SLOT, S.ERROR],
    S.CONFIRMING: [S.UNDERSTANDING, S.EXECUTING_ACTION, S.WAITING_FOR_SLOT],
    S.COMPLETED: [S.IDLE, S.UNDERSTANDING],
    S.ERROR: [S.IDLE, S.UNDERSTANDING],
}
ADDED = {
    S.UNDERSTANDING: [S.VALIDATING_SLOT, S.CONFIRMING, S.COMPLETED],
    S.WAITING_FOR_SLOT: [S.IDLE],
    S.VALIDATING_SLOT: [S.UNDERSTANDING, S.COMPLETED, S.ERROR, S.IDLE],
    S.EXECUTING_ACTION: [S.EXECUTING_ACTION, S.UNDERSTANDING],
    S.CONFIRMING: [S.IDLE],
    S.ERROR: [S.EXECUTING_ACTION, S.WAITING_FOR_SLOT, S.CONFIRMING, S.COMPLETED],
}
EDGES = {(source, target) for source, targets in TABLE.items() for target in targets}


@pytest.mark.parametrize(("source", "target"), [(s, t) for s in REQUIRED for t in REQUIRED[s]])
def test_every_required_move_is_valid(source: S, target: S) -> None:
    StateTransitionValidator.validate_transition(source, target)
    StateTransitionValidator.validate_transition(source.value, target.value)
    assert make_transition(source.value, target) == {"conversation_state": target.value}


def test_the_table_has_the_required_moves_and_those_named_here() -> None:
    named = {(s, t) for table in (REQUIRED, ADDED) for s in table for t in table[s]}
    assert named == EDGES
    assert set(TABLE) == set(S)


def test_every_added_move_says_why_beside_it() -> None:
    source = Path(soni.core.transitions.__file__).read_text(encoding="utf-8")
    explained = [
        line for line in source.splitlines() if line.strip().startswith("S.") and "#" in line
    ]
    added = sum(len(targets) for targets in ADDED.values())
    assert len(explained) >= added


@pytest.mark.parametrize(("source", "target"), sorted(set(product(S, S)) - EDGES))
def test_any_other_move_is_refused_and_the_valid_ones_are_listed(source: S, target: S) -> None:
    with pytest.raises(ValueError, match=f"from {source.value} to {target.value}") as refused:
        StateTransitionValidator.validate_transition(source, target)
    assert isinstance(refused.value, TransitionError)
    for valid in TABLE[source]:
        assert valid.value in str(refused.value)


def test_a_word_that_is_no_state_is_refused() -> None:
    with pytest.raises(ValueError, match="asleep"):
        StateTransitionValidator.validate_transition("asleep", S.IDLE)


def test_a_move_is_a_state_update_and_staying_is_none() -> None:
    assert make_transition("idle", S.UNDERSTANDING) == {"conversation_state": "understanding"}
    assert type(make_transition("idle", S.UNDERSTANDING)["conversation_state"]) is str
    assert make_transition("idle", S.IDLE) == {}
    with pytest.raises(TransitionError):
        make_transition("idle", S.COMPLETED)


ASSISTANT = """
version: "1"
slots: {amount: {type: integer, prompt: "How much?"}}
flows:
  pay:
    trigger: {examples: ["pay"]}
    steps:
      - collect: amount
      - {confirm: "Pay {amount}?"}
      - {action: charge, on_error: again}
      - {action: stamp, jump_to: end}
      - {step: again, type: confirm, message: "It failed. Done?"}
  open: {trigger: {examples: ["open"]}, steps: [{say: "From 9 to 5."}]}
"""

FUNCTIONS = """
from soni import action

@action
def charge(amount: int) -> dict:
    if amount == 13:
        raise RuntimeError
    return {}

@action
def stamp() -> dict:
    return {}
"""


def amount(value: Any) -> SetSlot:
    return SetSlot(slot_name="amount", value=value)


PAY, YES = StartFlow(flow_name="pay"), AffirmConfirmation()
CONVERSATIONS: dict[tuple[S, S], list[list[Any]]] = {
    (S.IDLE, S.UNDERSTANDING): [[PAY]],
    (S.UNDERSTANDING, S.WAITING_FOR_SLOT): [[PAY]],
    (S.UNDERSTANDING, S.IDLE): [[CancelFlow()]],
    (S.UNDERSTANDING, S.COMPLETED): [[StartFlow(flow_name="open")]],
    (S.UNDERSTANDING, S.VALIDATING_SLOT): [[PAY], [amount(5)]],
    (S.UNDERSTANDING, S.CONFIRMING): [[PAY], [amount(5)], [ChitChat()]],
    (S.UNDERSTANDING, S.EXECUTING_ACTION): [[PAY], [amount(5)], [YES]],
    (S.WAITING_FOR_SLOT, S.UNDERSTANDING): [[PAY], [amount(5)]],
    (S.VALIDATING_SLOT, S.WAITING_FOR_SLOT): [[PAY], [amount("x")]],
    (S.VALIDATING_SLOT, S.CONFIRMING): [[PAY], [amount(5)]],
    (S.CONFIRMING, S.UNDERSTANDING): [[PAY], [amount(5)], [YES]],
    (S.EXECUTING_ACTION, S.COMPLETED): [[PAY], [amount(5)], [YES]],
    (S.EXECUTING_ACTION, S.ERROR): [[PAY], [amount(13)], [YES]],
    (S.ERROR, S.CONFIRMING): [[PAY], [amount(13)], [YES]],
    (S.COMPLETED, S.IDLE): [[PAY], [amount(5)], [YES]],
    (S.COMPLETED, S.UNDERSTANDING): [[PAY], [StartFlow(flow_name="open")]],
    (S.VALIDATING_SLOT, S.IDLE): [[PAY], [amount("x")], [amount("x")], [amount("x")]],
}


@pytest.mark.parametrize("edge", CONVERSATIONS, ids=lambda edge: f"{edge[0]}-{edge[1]}")
async def test_a_running_conversation_moves_only_along_the_table(
    edge: tuple[S, S], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the edge the conversation runs; once the edge is gone, it cannot."""
    source, target = edge
    for missing in (False, True):
        if missing:
            left = [state for state in TABLE[source] if state is not target]
            monkeypatch.setitem(TABLE, source, left)
        failed = ""
        async with talking_to(ASSISTANT, FUNCTIONS) as talk:
            for commands in CONVERSATIONS[edge]:
                try:
                    await talk.say("...", commands=commands)
                except TurnError as error:
                    assert isinstance(error.__cause__, TransitionError)
                    failed = str(error.__cause__)
        assert (f"from {source.value} to {target.value}" in failed) is missing


async def test_the_session_timing_out_leads_from_a_question_to_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for waiting, commands in ((S.WAITING_FOR_SLOT, []), (S.CONFIRMING, [amount(5)])):
        async with talking_to(ASSISTANT, FUNCTIONS) as talk:
            await talk.say("pay", PAY, *commands)
            assert talk.state["conversation_state"] == waiting.value
            talk.clock.forward(hours=1)
            monkeypatch.setitem(TABLE, waiting, [S.UNDERSTANDING])
            with pytest.raises(TurnError, match=f"from {waiting.value} to idle"):
                await talk.say("open", StartFlow(flow_name="open"))
            monkeypatch.undo()
            assert await talk.say("open", StartFlow(flow_name="open")) == ["From 9 to 5."]


async def test_corrections_and_handoffs_move_along_the_table_too() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("pay 5", PAY, amount(5))
        await talk.say("make it 6", CorrectSlot(slot_name="amount", new_value=6))
        assert talk.state["conversation_state"] == "confirming"
        await talk.say("agent", HumanHandoff())
        assert talk.state["conversation_state"] == "idle"


def test_nothing_but_move_sets_the_conversations_state() -> None:
    """Elsewhere the field is only handed on, as another variable already holds it."""
    package = Path(soni.__file__).parent
    literal = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                literal += [
                    f"{path.relative_to(package)}: {ast.unparse(value)}"
                    for key, value in zip(node.keys, node.values, strict=True)
                    if isinstance(key, ast.Constant) and key.value == "conversation_state"
                ]
    allowed = {
        "compiler/node.py: self.phase",
        "core/state.py: ConversationState.IDLE.value",
        "core/transitions.py: target.value",
        "dm/nodes/run_flow.py: end['conversation_state']",
        "dm/nodes/run_flow.py: state['conversation_state']",
    }
    assert set(literal) <= allowed
