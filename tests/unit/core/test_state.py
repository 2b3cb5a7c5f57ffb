"""Creating a state, and changing it only through updates."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, RemoveMessage

from soni.core.constants import ConversationState
from soni.core.state import (
    Updates,
    apply_updates,
    create_initial_state,
    create_progress,
    get_current_flow_name,
    merge_updates,
)
from soni.core.types import DialogueState, Overwrite, StateUpdate

REQUIRED_FIELDS: dict[str, Any] = {
    "messages": [],
    "last_response": "",
    "flow_stack": [],
    "flow_slots": {},
    "conversation_state": "idle",
    "current_step": None,
    "waiting_for_slot": None,
    "last_nlu_call": None,
    "digression_depth": 0,
    "last_digression_type": None,
    "command_log": [],
    "turn_count": 0,
    "trace": [],
}


def test_a_new_state_has_every_required_field_at_its_beginning() -> None:
    state = create_initial_state()
    assert {key: state[key] for key in REQUIRED_FIELDS} == REQUIRED_FIELDS  # type: ignore[literal-required]
    assert state["metadata"]["completed_flows"] == []
    assert state["metadata"]["error"] is state["metadata"]["error_at"] is None
    assert state["conversation_state"] == ConversationState.IDLE
    assert set(state) == set(DialogueState.__annotations__)


def test_a_new_state_is_plain_data_and_shares_nothing_with_another() -> None:
    one, other = create_initial_state(), create_initial_state()
    assert json.loads(json.dumps(one)) == one
    for key, value in one.items():
        if isinstance(value, dict | list):
            assert value is not other[key]  # type: ignore[literal-required]
    assert create_progress()["history"] is not create_progress()["history"]


def test_the_current_flow_is_the_top_of_the_stack() -> None:
    state = create_initial_state()
    assert get_current_flow_name(state) is None
    state["flow_stack"] = [{"flow_name": "pay"}, {"flow_name": "hours"}]  # type: ignore[typeddict-item]
    assert get_current_flow_name(state) == "hours"


def test_applying_updates_leaves_the_state_as_it_was() -> None:
    state = create_initial_state()
    before = json.dumps(state)
    after = apply_updates(
        state,
        {
            "flow_slots": {"a": {"x": 0}},
            "trace": [{"event": "e"}],
            "metadata": {"error": "no"},
            "turn_count": 1,
        },
    )
    assert json.dumps(state) == before
    assert after["flow_slots"] == {"a": {"x": 0}}
    assert after["metadata"]["error"] == "no"
    assert after["metadata"]["completed_flows"] == []


def states() -> DialogueState:
    return apply_updates(
        create_initial_state(),
        {"flow_slots": {"a": {"x": 1, "y": None}, "b": {"x": 2}}, "trace": [{"n": 0}]},
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"flow_slots": {"a": {"x": 5}}}, {"flow_slots": {"a": {"z": 0}}}),
        ({"flow_slots": {"a": None}}, {"flow_slots": {"b": {"x": 3}}}),
        ({"flow_slots": {"a": {"x": 5}}}, {"flow_slots": {"a": None}}),
        ({"flow_slots": Overwrite({"c": {}})}, {"flow_slots": {"c": {"x": False}}}),
        ({"flow_slots": {"a": {"x": 5}}}, {"flow_slots": Overwrite({})}),
        ({"trace": [{"n": 1}]}, {"trace": [{"n": 2}]}),
        ({"trace": Overwrite([])}, {"trace": [{"n": 2}]}),
        ({"metadata": {"error": "a"}}, {"metadata": {"error": None, "handoff": {}}}),
        ({"conversation_state": "understanding"}, {"conversation_state": "idle"}),
        ({"turn_count": 1}, {"waiting_for_slot": "x"}),
        (
            {"messages": [AIMessage("a", id="1")]},
            {"messages": [RemoveMessage(id="1"), AIMessage("b", id="2")]},
        ),
    ],
)
def test_merged_updates_do_what_the_one_and_then_the_other_would_do(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    one_by_one = apply_updates(apply_updates(states(), first), second)
    assert apply_updates(states(), merge_updates(first, second)) == one_by_one


def test_the_slots_of_a_flow_that_was_removed_do_not_come_back() -> None:
    removed = merge_updates({"flow_slots": {"a": None}}, {"flow_slots": {"a": {"new": 1}}})
    assert apply_updates(states(), removed)["flow_slots"] == {"b": {"x": 2}}


def test_each_update_that_is_added_sees_those_before_it() -> None:
    state = create_initial_state()
    updates = Updates(state, {"turn_count": 1, "replies": [{"text": "Hello."}]})
    updates.add({"turn_count": updates.state["turn_count"] + 1, "replies": [{"text": "Bye."}]})
    assert updates.state["turn_count"] == 2
    assert [reply["text"] for reply in updates.state["replies"]] == ["Hello.", "Bye."]
    assert apply_updates(state, updates.merged) == updates.state
    assert state == create_initial_state()


def test_an_update_can_name_every_field_of_the_state_and_no_other() -> None:
    assert set(StateUpdate.__annotations__) == set(DialogueState.__annotations__)
