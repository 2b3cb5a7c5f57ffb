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
from soni.core.prompts import make_collect_prompt, make_confirm_prompt, make_system_prompt
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


def _situation(
    prompt: str | None = None,
    config: SoniConfig = CONFIG,
    more: dict[str, Any] | None = None,
    **slots: Any,
) -> Situation:
    """Idle, or in flow `pay` at a question (`amount`, `note`) or at its confirm (`sure`).

    `more` is put over that state.
    """
    state = create_initial_state()
    if prompt is not None:
        manager = FlowManager(config, lambda name: name)
        state = apply_updates(state, manager.push_flow(state, "pay", slots)[1].updates())
        at = f"collect_{prompt}" if prompt != "sure" else "sure"
        state = apply_updates(
            state, manager.update_context(state, "pay", current_step=at).updates()
        )
        asked = (
            make_confirm_prompt("?", "pay", "sure")
            if prompt == "sure"
            else make_collect_prompt("?", prompt, "pay", at)
        )
        state = apply_updates(state, {"_pending_prompt": dict(asked)})
    state = apply_updates(state, more or {})
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
    assert [command.dump_args()["value"] for command in commands] == [later]
    assert decisions[0].reason == "replaced by what was said later"


def test_what_is_said_behind_two_values_does_not_change_which_one_counts() -> None:
    said = [_set("amount", 5), _set("amount", 6), _set("note", "x")]
    commands, _ = _policy().clean(said, _situation("amount"))
    assert commands == said[1:]


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


def test_a_start_that_is_refused_makes_no_room_for_a_value() -> None:
    hidden = SoniConfig(
        slots={"amount": {"type": "integer", "prompt": "?"}},
        flows={
            "pay": {"trigger": {"examples": ["pay"]}, "steps": COLLECTS[:1]},
            "lend": {"steps": COLLECTS[:1]},
        },
    )
    order, decisions = _clean(
        _situation(config=hidden), _set("amount", 5), StartFlow(flow_name="lend")
    )
    assert order == []
    assert decisions == [
        ("rejected", "no open flow has slot 'amount'"),
        ("rejected", "the flow has no trigger"),
    ]


def test_a_yes_is_not_held_back_by_a_change_that_is_refused() -> None:
    both = [AffirmConfirmation(), _set("amount", None)]
    order, decisions = _clean(_situation("sure", amount=5), *both)
    assert order == ["AffirmConfirmation"]
    assert decisions == [("accepted", None), ("rejected", "no value")]


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
    broken = [
        {"type": "Dance"},
        {"type": "SetSlot", "value": 5, "flavour": "sweet"},
        {"value": 5},
        "yes",
        RepeatLast(),
    ]
    available = f"available: {', '.join(CommandHandlerRegistry.discover())}"
    _, decisions = _policy().clean(broken, _situation())
    assert decisions == [
        Decision("Dance", {}, "rejected", f"unknown command 'Dance'; {available}"),
        Decision("SetSlot", {}, "rejected", "invalid fields: flavour, slot_name"),
        Decision("?", {}, "rejected", f"unknown command 'None'; {available}"),
        Decision("str", {}, "rejected", "not a command: str"),
        Decision("RepeatLast", {}, becomes=[RepeatLast()], said=RepeatLast()),
    ]


def test_no_commands_are_no_decisions() -> None:
    assert _policy().clean([], _situation()) == ([], [])


ONLY = SoniConfig(flows={"pay": {"steps": COLLECTS}})
BY_API = {"turn": {"api": True}}
ASKED = {"_pending_prompt": dict(make_system_prompt("disambiguate", "?"))}
NOTHING_ASKED: dict[str, Any] = {"_pending_prompt": None}


def test_an_only_flow_without_a_trigger_is_started_by_anything_idle() -> None:
    assert _clean(_situation(config=ONLY)) == (
        ["StartFlow"],
        [("accepted", "any message starts the only flow")],
    )
    assert _clean(_situation(config=ONLY), ChitChat())[0] == ["StartFlow"]
    assert _clean(_situation(config=ONLY), _set("amount", 5))[0] == ["StartFlow", "SetSlot"]


@pytest.mark.parametrize("said", [StartFlow(flow_name="pay"), CancelFlow(), HumanHandoff()])
def test_an_only_flow_is_not_started_beside_what_leads_elsewhere(said: Command) -> None:
    assert _clean(_situation(config=ONLY), said) == ([said.type], [("accepted", None)])


@pytest.mark.parametrize(
    ("prompt", "more"), [("amount", None), ("amount", NOTHING_ASKED), (None, BY_API), (None, ASKED)]
)
def test_an_only_flow_is_not_started_while_something_goes_on(
    prompt: str | None, more: dict[str, Any] | None
) -> None:
    assert _clean(_situation(prompt, ONLY, more), ChitChat())[0] == ["ChitChat"]


DEFAULT = SoniConfig.model_validate(
    {
        **CONFIG.model_dump(include={"slots", "flows"}, by_alias=True, exclude_unset=True),
        "settings": {"conversation": {"default_flow": "lend"}},
    }
)


def test_the_default_flow_is_started_when_nothing_else_is_left() -> None:
    start = StartFlow(flow_name="lend")
    by_default = Decision(
        "StartFlow",
        {"flow_name": "lend", "slots": {}, "another": False},
        reason="the default flow",
        becomes=[start],
        said=start,
        added=True,
    )
    assert _policy().clean([], _situation(config=DEFAULT)) == ([start], [by_default])
    refused = _clean(_situation(config=DEFAULT), StartFlow(flow_name="nothing"))
    assert refused[0] == ["StartFlow"]
    assert [decision for decision, _ in refused[1]] == ["rejected", "accepted"]


def test_the_default_flow_is_not_started_beside_something_that_stands() -> None:
    assert _clean(_situation(config=DEFAULT), ChitChat()) == (["ChitChat"], [("accepted", None)])


@pytest.mark.parametrize(
    ("prompt", "more"), [("amount", None), ("amount", NOTHING_ASKED), (None, BY_API), (None, ASKED)]
)
def test_the_default_flow_is_not_started_while_something_goes_on(
    prompt: str | None, more: dict[str, Any] | None
) -> None:
    assert _clean(_situation(prompt, DEFAULT, more)) == ([], [])


def test_values_are_split_off_only_where_another_task_comes_up() -> None:
    answer, other, start = _set("amount", 5), _set("note", "x"), StartFlow(flow_name="lend")
    situation = _situation("amount")
    assert _policy().split_queue([answer, other], situation) == ([answer, other], [])
    assert _policy().split_queue([answer, start, other], situation) == ([answer], [start, other])
    assert _policy().split_queue([start, other], situation) == ([start, other], [])


def test_a_yes_is_split_off_from_everything() -> None:
    yes, question = AffirmConfirmation(), Clarify()
    situation = _situation("sure", amount=5)
    assert _policy().split_queue([yes, question], situation) == ([yes], [question])


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


def test_a_decision_hides_the_users_own_words_where_something_sensitive_was_asked() -> None:
    said = Clarify(topic="is 4711 safe?")
    private = _situation("amount", more={"turn": {"private": True}})
    assert [d.args["topic"] for d in _policy().clean([said], private)[1]] == ["••••"]
    assert [d.args["topic"] for d in _policy().clean([said], _situation("amount"))[1]] == [
        "is 4711 safe?"
    ]
