"""FlowManager: operations on stack and slots, as deltas; never a change of the state."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from soni import SoniConfig
from soni.core.errors import FlowStackLimitError, UnknownFlowError
from soni.core.state import apply_updates, create_initial_state
from soni.core.types import DialogueState, Overwrite
from soni.flow.manager import FlowDelta, FlowManager, merge_delta

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


def _numbered() -> Callable[[str], str]:
    made: dict[str, int] = {}

    def new_id(flow_name: str) -> str:
        made[flow_name] = made.get(flow_name, 0) + 1
        return f"{flow_name}#{made[flow_name]}"

    return new_id


def _manager(**settings: Any) -> FlowManager:
    say = {"steps": [{"say": "Hi."}]}
    config = SoniConfig(
        settings=settings,
        slots={"name": {"scope": "conversation"}},
        flows={
            "a": {**say, "outputs": ["ref"]},
            "b": say,
            "c": {**say, "inputs": {"ref": {"from": "a.ref"}, "extra": None}},
        },
    )
    return FlowManager(config, _numbered(), lambda: NOW)


def _pushed(manager: FlowManager, *names: str, state: Any = None) -> DialogueState:
    state = state or create_initial_state()
    for name in names:
        state = apply_updates(state, manager.push_flow(state, name)[1].updates())
    return state


def _ids(state: DialogueState) -> list[str]:
    return [context["flow_id"] for context in state["flow_stack"]]


def _states(state: DialogueState) -> list[str]:
    return [context["flow_state"] for context in state["flow_stack"]]


def test_push_pauses_the_flow_below_and_gives_the_new_one_its_own_slots() -> None:
    manager = _manager()
    state = _pushed(manager, "a")
    flow_id, delta = manager.push_flow(state, "b", inputs={"x": 0}, reason="User asked")
    after = apply_updates(state, delta.updates())
    below, top = after["flow_stack"]
    assert (flow_id, _ids(after), _states(after)) == ("b#1", ["a#1", "b#1"], ["paused", "active"])
    assert (below["paused_at"], below["context"]) == (NOW.timestamp(), "User asked")
    assert top["current_step"] is None and top["started_at"] == NOW.timestamp()
    assert after["flow_slots"] == {"a#1": {}, "b#1": {"x": 0}}


def test_no_operation_changes_the_state_it_is_given() -> None:
    manager = _manager(flow_management={"max_stack_depth": 2})
    state = _pushed(manager, "a", "b")
    state = apply_updates(state, manager.set_slot(state, "x", 1).updates())
    before = copy.deepcopy(state)
    manager.push_flow(state, "c", inputs={"extra": 1})
    manager.pop_flow(state, outputs={"ref": 1})
    manager.pop_task(state, "cancelled")
    manager.raise_task(state, "a#1")
    manager.set_slot(state, "x", 2)
    manager.set_slot(state, "name", "Ann")
    manager.unset_slots(state, ["x"], "b#1")
    manager.update_context(state, "a#1", current_step="end")
    manager.prune_state(state)
    assert state == before


def test_a_delta_cannot_be_changed_and_holds_only_what_it_changes() -> None:
    delta = FlowDelta(flow_slots={"a#1": {"x": 1}})
    assert delta.updates() == {"flow_slots": {"a#1": {"x": 1}}}
    assert FlowDelta().updates() == {}
    with pytest.raises(AttributeError):
        delta.flow_slots = None  # type: ignore[misc]


def test_pop_archives_with_outputs_frees_the_slots_and_resumes_the_one_below() -> None:
    manager = _manager()
    state = _pushed(manager, "b", "a")
    state = apply_updates(state, manager.set_slot(state, "ref", "R1").updates())
    after = apply_updates(state, manager.pop_flow(state, outputs={"ref": "R1"}).updates())
    assert (_ids(after), _states(after)) == (["b#1"], ["active"])
    assert after["flow_stack"][0]["paused_at"] is None
    assert after["flow_slots"] == {"b#1": {}}
    (archived,) = after["metadata"]["completed_flows"]
    assert (archived["flow_id"], archived["flow_state"]) == ("a#1", "completed")
    assert (archived["outputs"], archived["completed_at"]) == ({"ref": "R1"}, NOW.timestamp())
    assert after["trace"][-1]["event"] == "flow_completed"


@pytest.mark.parametrize("result", ["completed", "cancelled", "abandoned", "error"])
def test_pop_says_how_the_flow_ended(result: str) -> None:
    manager = _manager()
    state = _pushed(manager, "a")
    after = apply_updates(state, manager.pop_flow(state, result=result).updates())
    assert after["metadata"]["completed_flows"][0]["flow_state"] == result
    assert after["trace"][-1]["event"] == f"flow_{result}"


@pytest.mark.parametrize("result", ["vanished", "active", "paused", ""])
def test_a_flow_ends_only_in_a_state_that_is_an_end(result: str) -> None:
    manager = _manager()
    ends = "completed, cancelled, abandoned, error"
    for state in (create_initial_state(), _pushed(manager, "a")):
        with pytest.raises(ValueError, match=f"'{result}' is no end of a flow.*: {ends}"):
            manager.pop_flow(state, result=result)
        with pytest.raises(ValueError, match=f"'{result}' is no end of a flow"):
            manager.pop_task(state, result)


@pytest.mark.parametrize("called_by", [None, "a#1"])
def test_only_a_flow_that_there_is_can_start(called_by: str | None) -> None:
    manager = _manager(flow_management={"max_stack_depth": 1, "on_limit_reached": "reject_new"})
    with pytest.raises(UnknownFlowError) as refused:
        manager.push_flow(_pushed(manager, "a"), "d", called_by=called_by)
    assert str(refused.value) == "Cannot start 'd': there is no such flow. Available: a, b, c."


def test_why_a_flow_was_paused_is_not_why_it_ended() -> None:
    manager = _manager()
    state = _pushed(manager, "a")
    state = apply_updates(state, manager.push_flow(state, "b", reason="User asked")[1].updates())
    for reason in (None, "Done"):
        state = apply_updates(state, manager.pop_flow(state, reason=reason).updates())
    archived = state["metadata"]["completed_flows"]
    assert [(flow["flow_id"], flow["context"]) for flow in archived] == [
        ("b#1", None),
        ("a#1", "Done"),
    ]


def test_a_manager_takes_the_ids_and_the_time_of_a_turn() -> None:
    manager = FlowManager(_manager().config)
    later = datetime(2027, 1, 1, tzinfo=UTC)
    of_turn = manager.bind_turn(lambda name: f"{name}-7", lambda: later)
    (flow,) = _pushed(of_turn, "a")["flow_stack"]
    assert (flow["flow_id"], flow["started_at"]) == ("a-7", later.timestamp())
    assert _pushed(manager, "a")["flow_stack"][0]["flow_id"] != "a-7"


def test_on_an_empty_stack_nothing_is_popped_found_or_set() -> None:
    manager, state = _manager(), create_initial_state()
    assert manager.pop_flow(state) == FlowDelta()
    assert manager.pop_task(state, "cancelled") == FlowDelta()
    assert manager.set_slot(state, "x", 1) == FlowDelta()
    assert manager.get_active_context(state) is None
    assert manager.get_slot(state, "x") is None


def test_slots_belong_to_the_active_instance_unless_another_is_named() -> None:
    manager = _manager()
    state = _pushed(manager, "a", "a")
    for flow_id, value in ((None, 2), ("a#1", 1)):
        state = apply_updates(state, manager.set_slot(state, "x", value, flow_id).updates())
    assert state["flow_slots"] == {"a#1": {"x": 1}, "a#2": {"x": 2}}
    assert manager.get_slot(state, "x") == 2
    assert manager.get_slot(state, "x", "a#1") == 1


@pytest.mark.parametrize("value", [0, False, "", None])
def test_falsy_values_and_null_are_values(value: object) -> None:
    manager = _manager()
    state = _pushed(manager, "a")
    state = apply_updates(state, manager.set_slot(state, "x", value).updates())
    assert state["flow_slots"]["a#1"] == {"x": value}
    state = apply_updates(state, manager.unset_slots(state, ["x"], "a#1").updates())
    assert state["flow_slots"]["a#1"] == {}


def test_conversation_scoped_slots_live_outside_and_need_no_flow() -> None:
    manager, state = _manager(), create_initial_state()
    state = apply_updates(state, manager.set_slot(state, "name", "Ann").updates())
    assert (state["conversation_slots"], state["flow_slots"]) == ({"name": "Ann"}, {})
    state = _pushed(manager, "a", state=state)
    assert manager.get_slot(state, "name") == "Ann"
    assert manager.get_slots(state, "a#1") == {"name": "Ann"}


def test_cancel_oldest_frees_the_whole_oldest_task() -> None:
    manager = _manager(flow_management={"max_stack_depth": 2})
    state = _pushed(manager, "a")
    called = manager.push_flow(state, "b", called_by="a#1")[1]
    state = _pushed(manager, "a", state=apply_updates(state, called.updates()))
    assert _ids(state) == ["a#1", "b#1", "a#2"]
    state = _pushed(manager, "c", state=state)
    assert _ids(state) == ["a#2", "c#1"]
    assert set(state["flow_slots"]) == {"a#2", "c#1"}
    archived = state["metadata"]["completed_flows"]
    assert [flow["flow_id"] for flow in archived] == ["b#1", "a#1"]
    assert {flow["context"] for flow in archived} == {"Cancelled: stack depth limit"}


@pytest.mark.parametrize("strategy", ["reject_new", "ask_user"])
def test_other_strategies_raise_and_say_what_the_limit_is(strategy: str) -> None:
    limits = {"max_stack_depth": 1, "on_limit_reached": strategy}
    manager = _manager(flow_management=limits)
    state = _pushed(manager, "a")
    with pytest.raises(FlowStackLimitError, match="Cannot start 'b': 1 tasks are open") as caught:
        manager.push_flow(state, "b")
    assert (caught.value.limit, caught.value.strategy) == (1, strategy)


def test_a_called_flow_belongs_to_its_callers_task_and_needs_no_room() -> None:
    manager = _manager(flow_management={"max_stack_depth": 1, "on_limit_reached": "reject_new"})
    state = _pushed(manager, "a")
    flow_id, delta = manager.push_flow(state, "b", called_by="a#1")
    state = apply_updates(state, delta.updates())
    assert state["flow_stack"][1]["called_by"] == "a#1"
    gone = apply_updates(state, manager.pop_task(state, "cancelled").updates())
    assert (gone["flow_stack"], gone["flow_slots"]) == ([], {})
    archived = gone["metadata"]["completed_flows"]
    assert [flow["flow_id"] for flow in archived] == [flow_id, "a#1"]


def test_a_new_flow_may_wait_right_below_a_task() -> None:
    manager = _manager()
    state = _pushed(manager, "a", "b")
    state = apply_updates(state, manager.push_flow(state, "c", below="b#1")[1].updates())
    assert (_ids(state), _states(state)) == (["a#1", "c#1", "b#1"], ["paused", "paused", "active"])


def test_what_waits_below_a_task_never_takes_its_place() -> None:
    manager = _manager(flow_management={"max_stack_depth": 1})
    state = _pushed(manager, "a")
    with pytest.raises(FlowStackLimitError):
        manager.push_flow(state, "b", below="a#1")


def test_a_raised_task_comes_with_the_flows_it_called() -> None:
    manager = _manager()
    state = _pushed(manager, "a")
    state = apply_updates(state, manager.push_flow(state, "b", called_by="a#1")[1].updates())
    state = _pushed(manager, "c", state=state)
    after = apply_updates(state, manager.raise_task(state, "a#1", "User asked").updates())
    assert (_ids(after), _states(after)) == (["c#1", "a#1", "b#1"], ["paused", "paused", "active"])
    assert after["flow_slots"] == state["flow_slots"]
    below = apply_updates(state, manager.raise_task(state, "b#1", below="c#1").updates())
    assert _ids(below) == ["a#1", "b#1", "c#1"]


def test_declared_inputs_come_from_the_last_completed_instance() -> None:
    manager = _manager()
    state = create_initial_state()
    for ref in ("old", 0):
        state = _pushed(manager, "a", state=state)
        state = apply_updates(state, manager.pop_flow(state, {"ref": ref}).updates())
    state = _pushed(manager, "a", state=state)
    state = apply_updates(state, manager.pop_flow(state, {}, "cancelled").updates())
    flow_id, delta = manager.push_flow(state, "c")
    assert apply_updates(state, delta.updates())["flow_slots"][flow_id] == {"ref": 0}
    flow_id, delta = manager.push_flow(state, "c", inputs={"ref": "given"})
    assert apply_updates(state, delta.updates())["flow_slots"][flow_id] == {"ref": "given"}


def test_without_a_completed_instance_an_input_is_simply_not_there() -> None:
    manager = _manager()
    assert _pushed(manager, "c")["flow_slots"] == {"c#1": {}}


def test_the_archive_keeps_the_newest_and_no_more_than_it_may() -> None:
    for limit, kept in ((2, ["a#4", "a#5"]), (0, [])):
        manager = _manager(memory_management={"max_completed_flows": limit})
        state = create_initial_state()
        for _ in range(5):
            state = _pushed(manager, "a", state=state)
            state = apply_updates(state, manager.pop_flow(state).updates())
        assert [flow["flow_id"] for flow in state["metadata"]["completed_flows"]] == kept


def test_prune_drops_slots_without_an_instance_and_what_the_archive_may_not_keep() -> None:
    manager = _manager(memory_management={"max_completed_flows": 1})
    state = _pushed(manager, "a")
    archive = [{"flow_id": "x"}, {"flow_id": "y"}]
    crowded = apply_updates(
        state, {"flow_slots": {"ghost": {"x": 1}}, "metadata": {"completed_flows": archive}}
    )
    pruned = apply_updates(crowded, manager.prune_state(crowded).updates())
    assert pruned["flow_slots"] == {"a#1": {}}
    assert pruned["metadata"]["completed_flows"] == [{"flow_id": "y"}]
    assert manager.prune_state(pruned) == FlowDelta()


@pytest.mark.parametrize(("limit", "kept"), [(9, "abc"), (3, "abc"), (2, "bc"), (0, "")])
def test_prune_keeps_the_newest_messages_and_events(limit: int, kept: str) -> None:
    memory = {"max_history_messages": limit, "max_trace_events": limit}
    manager = _manager(memory_management=memory)
    state = apply_updates(
        create_initial_state(),
        {
            "messages": [HumanMessage(text) for text in "abc"],
            "trace": [{"event": e} for e in "abc"],
        },
    )
    pruned = apply_updates(state, manager.prune_state(state).updates())
    assert "".join(str(message.content) for message in pruned["messages"]) == kept
    assert "".join(event["event"] for event in pruned["trace"]) == kept
    assert manager.prune_state(pruned) == FlowDelta()


def test_merge_delta_adds_to_what_was_collected_before() -> None:
    updates: dict[str, Any] = {"flow_slots": {"a#1": {"x": 1}}, "last_response": "Hi."}
    merge_delta(updates, FlowDelta(flow_slots={"a#1": {"y": 2}, "b#1": None}))
    assert updates == {"flow_slots": {"a#1": {"x": 1, "y": 2}, "b#1": None}, "last_response": "Hi."}
    state = apply_updates(create_initial_state(), {"flow_slots": {"b#1": {"z": 3}}})
    assert apply_updates(state, updates)["flow_slots"] == {"a#1": {"x": 1, "y": 2}}
    merge_delta(updates, FlowDelta(flow_slots=Overwrite({})))
    assert apply_updates(state, updates)["flow_slots"] == {}


def test_ids_of_its_own_are_never_the_same_twice() -> None:
    manager = FlowManager(SoniConfig(flows={"a": {"steps": [{"say": "Hi."}]}}))
    state = create_initial_state()
    made = {manager.push_flow(state, "a")[0] for _ in range(50)}
    assert len(made) == 50 and all(flow_id.startswith("a_") for flow_id in made)
