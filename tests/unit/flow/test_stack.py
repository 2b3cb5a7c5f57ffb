"""Tasks: a flow the user started, and the flows it called."""

from typing import Any, cast

from soni.core.constants import FlowContextState
from soni.core.state import create_progress
from soni.core.types import FlowContext
from soni.flow.stack import archive_context, find_task, settle_stack, tasks_of


def _flow(flow_id: str, called_by: str | None = None, **fields: Any) -> FlowContext:
    base = {
        "flow_id": flow_id,
        "flow_name": flow_id,
        "flow_state": "active",
        "current_step": None,
        "outputs": {},
        "started_at": 0.0,
        "paused_at": None,
        "completed_at": None,
        "context": None,
        "called_by": called_by,
        "progress": create_progress(),
    }
    return cast(FlowContext, {**base, **fields})


def _names(tasks: list[list[FlowContext]]) -> list[list[str]]:
    return [[flow["flow_id"] for flow in task] for task in tasks]


def test_an_empty_stack_has_no_tasks() -> None:
    assert (tasks_of([]), find_task([], "a"), settle_stack([], 1.0)) == ([], [], [])


def test_called_flows_belong_to_the_task_of_their_caller() -> None:
    stack = [_flow("a"), _flow("b", "a"), _flow("c", "b"), _flow("d"), _flow("e", "d")]
    assert _names(tasks_of(stack)) == [["a", "b", "c"], ["d", "e"]]


def test_two_instances_of_one_flow_are_two_tasks() -> None:
    first, second = _flow("a1", flow_name="a"), _flow("a2", flow_name="a")
    assert _names(tasks_of([first, second])) == [["a1"], ["a2"]]


def test_a_task_is_found_by_any_of_its_flows() -> None:
    stack = [_flow("a"), _flow("b", "a"), _flow("c")]
    assert _names([find_task(stack, "b")]) == [["a", "b"]]
    assert find_task(stack, "gone") == []


def test_the_top_is_active_and_everything_below_paused() -> None:
    below = settle_stack(
        [_flow("a"), _flow("b"), _flow("c", flow_state="paused", paused_at=1.0)], 5.0
    )
    assert [flow["flow_state"] for flow in below] == ["paused", "paused", "active"]
    assert [flow["paused_at"] for flow in below] == [5.0, 5.0, None]


def test_a_flow_that_was_paused_keeps_since_when_and_why() -> None:
    since = _flow("a", flow_state="paused", paused_at=1.0, context="lunch")
    (kept, _) = settle_stack([since, _flow("b")], 5.0, "dinner")
    assert (kept["paused_at"], kept["context"]) == (1.0, "lunch")


def test_an_ended_flow_keeps_its_outputs_and_forgets_its_course_and_old_reasons() -> None:
    flow = _flow("a", outputs={"ref": 0}, context="why")
    flow["progress"]["visits"]["ask"] = 3
    archived = archive_context(flow, FlowContextState.CANCELLED, 9.0, None)
    assert (archived["flow_state"], archived["completed_at"]) == ("cancelled", 9.0)
    assert (archived["outputs"], archived["context"]) == ({"ref": 0}, None)
    assert archived["progress"] == create_progress()
    assert archive_context(flow, FlowContextState.ERROR, 9.0, "boom")["context"] == "boom"
    assert flow["flow_state"] == "active"
