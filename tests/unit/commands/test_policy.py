"""CommandPolicy: what is left of a message's commands, in which order, and why."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from soni import SoniConfig
from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CommandHandlerRegistry,
    CommandPolicy,
    CorrectSlot,
    Decision,
    DenyConfirmation,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.commands.situation import Situation
from soni.config.assistant import Assistant
from soni.core.prompts import collect_prompt, confirm_prompt
from soni.core.state import apply_updates, create_initial_state
from soni.core.types import RuntimeContext
from soni.flow.manager import FlowManager

COLLECTS = [{"collect": "amount"}, {"collect": "note"}, {"step": "sure", "confirm": "{amount}?"}]
CONFIG = SoniConfig(
    slots={"amount": {"type": "integer", "prompt": "?"}, "note": {"prompt": "?"}},
    flows={
        "pay": {"trigger": {"examples": ["pay"]}, "steps": COLLECTS},
        "lend": {"trigger": {"examples": ["lend"]}, "steps": COLLECTS[:1]},
    },
)


def _situation(prompt: str | None = None, config: SoniConfig = CONFIG, **slots: Any) -> Situation:
    """Idle, or in flow `pay` at a question (`amount`, `note`) or at its confirm (`sure`)."""
    state = create_initial_state()
    if prompt is not None:
        manager = FlowManager(config, lambda name: name)
        state = apply_updates(state, manager.push_flow(state, "pay", slots)[1].updates())
        at = f"collect_{prompt}" if prompt != "sure" else "sure"
        state = apply_updates(
            state, manager.update_context(state, "pay", current_step=at).updates()
        )
        asked = (
            confirm_prompt("?", "pay", "sure")
            if prompt == "sure"
            else collect_prompt("?", prompt, "pay", at)
        )
        state = apply_updates(state, {"_pending_prompt": dict(asked)})
    context = RuntimeContext(
        assistant=Assistant(config),
        conversation_id="c",
        user_id="u",
        language="en",
        session={},
        clock=lambda: datetime(2026, 3, 2, 10, tzinfo=UTC),
        emit=lambda *said: None,
        **cast(Any, dict.fromkeys(_UNUSED)),
    )
    return Situation(state, context)


# The policy looks at the state and the assistant; it runs nothing.
_UNUSED = (
    "nlu_provider", "scope_manager", "flow_manager", "slot_writer", "command_executor",
    "action_runner", "digression_handler", "flow_graphs",
)  # fmt: skip


def _clean(situation: Situation, *raw: Any) -> tuple[list[str], list[tuple[str, str | None]]]:
    commands, decisions = _policy().clean(raw, situation)
    return [c.type for c in commands], [(d.decision, d.reason) for d in decisions]


def _policy() -> CommandPolicy:
    return CommandPolicy(CommandHandlerRegistry.discover())


def _set(slot: str, value: object) -> SetSlot:
    return SetSlot(slot_name=slot, value=value)


def test_commands_are_put_in_order_whatever_the_order_they_came_in() -> None:
    backwards = [
        HumanHandoff(),
        Clarify(),
        _set("note", "x"),
        CorrectSlot(slot_name="note", new_value="y"),
        StartFlow(flow_name="lend"),
        _set("amount", 5),
    ]
    # The value of the slot that is asked is an answer; the others are not.
    assert _clean(_situation("amount"), *backwards)[0] == [
        "SetSlot",
        "StartFlow",
        "CorrectSlot",
        "Clarify",
        "HumanHandoff",
    ]


def test_cancel_comes_before_everything() -> None:
    order, _ = _clean(_situation("amount"), _set("amount", 5), CancelFlow())
    assert order == ["CancelFlow", "SetSlot"]


def test_a_command_that_came_twice_is_rejected_the_second_time() -> None:
    _, decisions = _clean(_situation("amount"), _set("amount", 5), _set("amount", 5))
    assert decisions == [("accepted", None), ("rejected", "said twice")]


@pytest.mark.parametrize("later", [6, 0, False, ""])
def test_of_two_values_the_later_one_counts(later: object) -> None:
    commands, decisions = _policy().clean(
        [_set("amount", 5), _set("amount", later)], _situation("amount")
    )
    assert [command.args()["value"] for command in commands] == [later]
    assert decisions[0].reason == "replaced by what was said later"


def test_values_for_two_flows_do_not_replace_each_other() -> None:
    in_pay = SetSlot(slot_name="amount", value=5, flow_name="pay")
    both = [StartFlow(flow_name="lend"), in_pay, _set("amount", 6)]
    assert _clean(_situation("note"), *both)[0] == ["StartFlow", "SetSlot", "SetSlot"]


@pytest.mark.parametrize("against", [AffirmConfirmation(), DenyConfirmation()])
def test_what_contradicts_a_cancel_is_rejected(against: Command) -> None:
    order, decisions = _clean(_situation("sure", amount=5), against, CancelFlow())
    assert (order, decisions[0]) == (["CancelFlow"], ("rejected", "contradicts CancelFlow"))


def test_no_stands_against_yes() -> None:
    order, _ = _clean(_situation("sure", amount=5), DenyConfirmation(), AffirmConfirmation())
    assert order == ["DenyConfirmation"]


def test_a_start_stands_against_small_talk_but_not_against_a_question() -> None:
    start = StartFlow(flow_name="lend")
    order, _ = _clean(_situation(), ChitChat(), OutOfScope(), Clarify(), start)
    assert order == ["StartFlow", "Clarify"]


def test_a_rejected_start_stands_against_nothing() -> None:
    order, _ = _clean(_situation(), ChitChat(), StartFlow(flow_name="nothing"))
    assert order == ["ChitChat"]


def test_a_slot_may_belong_to_a_flow_that_the_same_message_starts() -> None:
    order, _ = _clean(_situation(), _set("amount", 5), StartFlow(flow_name="lend"))
    assert order == ["StartFlow", "SetSlot"]
    order, decisions = _clean(_situation(), _set("amount", 5), StartFlow(flow_name="nothing"))
    assert (order, decisions[0]) == ([], ("rejected", "no open flow has slot 'amount'"))


def test_a_yes_beside_a_change_is_rejected_and_the_reason_names_the_slot() -> None:
    both = [AffirmConfirmation(), _set("amount", 6)]
    order, decisions = _clean(_situation("sure", amount=5), *both)
    assert order == ["SetSlot"]
    assert decisions[0] == ("rejected", "amount changed in the same message: confirm again")


def test_a_yes_beside_something_that_is_neither_shown_nor_guarded_stands() -> None:
    both = [AffirmConfirmation(), _set("note", "x")]
    assert _clean(_situation("sure", amount=5), *both)[0] == ["AffirmConfirmation", "SetSlot"]


def test_a_no_beside_a_new_value_is_rewritten_to_nothing() -> None:
    both = [DenyConfirmation(), _set("amount", 6)]
    order, decisions = _clean(_situation("sure", amount=5), *both)
    assert order == ["SetSlot"]
    assert decisions[0] == ("rewritten", "the new value of amount answers the confirmation")


def test_a_skip_beside_a_value_for_the_same_slot_is_rejected() -> None:
    order, _ = _clean(_situation("amount"), SkipSlot(), _set("amount", 5))
    assert order == ["SetSlot"]


def test_broken_commands_are_rejected_by_name_and_the_rest_goes_on() -> None:
    broken = [{"type": "Dance"}, {"type": "SetSlot", "value": 5}, "yes", RepeatLast()]
    _, decisions = _policy().clean(broken, _situation())
    assert [(d.command, d.decision) for d in decisions] == [
        ("Dance", "rejected"),
        ("SetSlot", "rejected"),
        ("str", "rejected"),
        ("RepeatLast", "accepted"),
    ]


def test_no_commands_are_no_decisions() -> None:
    assert _policy().clean([], _situation()) == ([], [])


def test_an_only_flow_without_a_trigger_is_started_by_anything_idle() -> None:
    only = SoniConfig(flows={"pay": {"steps": COLLECTS}})
    assert _clean(_situation(config=only))[0] == ["StartFlow"]
    assert _clean(_situation(config=only), ChitChat())[0] == ["StartFlow"]
    assert _clean(_situation(config=only), _set("amount", 5))[0] == ["StartFlow", "SetSlot"]
    assert _clean(_situation(config=only), HumanHandoff())[0] == ["HumanHandoff"]
    assert _clean(_situation("amount", config=only), ChitChat())[0] == ["ChitChat"]


def test_values_are_split_off_only_where_another_task_comes_up() -> None:
    answer, other, start = _set("amount", 5), _set("note", "x"), StartFlow(flow_name="lend")
    situation = _situation("amount")
    assert _policy().split([answer, other], situation) == ([answer, other], [])
    assert _policy().split([answer, start, other], situation) == ([answer], [start, other])
    assert _policy().split([start, other], situation) == ([start, other], [])


def test_a_yes_is_split_off_from_everything() -> None:
    yes, question = AffirmConfirmation(), Clarify()
    situation = _situation("sure", amount=5)
    assert _policy().split([yes, question], situation) == ([yes], [question])


def test_a_decision_masks_what_is_sensitive() -> None:
    config = SoniConfig(
        slots={"amount": {"type": "integer", "prompt": "?", "sensitive": True}},
        flows={"pay": {"trigger": {}, "steps": COLLECTS[:1]}},
    )
    decisions: list[Decision] = _policy().clean(
        [_set("amount", 5), StartFlow(flow_name="pay", slots={"amount": 5})],
        _situation("amount", config),
    )[1]
    assert [d.args.get("value", d.args.get("slots")) for d in decisions] == [
        "••••",
        {"amount": "••••"},
    ]
