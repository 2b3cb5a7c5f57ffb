"""Pure functions on the flow stack: tasks, and active and paused flows."""

from collections.abc import Sequence

from soni.core.constants import RESERVED_TARGETS, FlowContextState
from soni.core.state import create_progress
from soni.core.types import FlowContext


def tasks_of(stack: Sequence[FlowContext]) -> list[list[FlowContext]]:
    """The stack as tasks, oldest first: a flow the user started and the flows it called."""
    tasks: list[list[FlowContext]] = []
    for context in stack:
        if context["called_by"] is None or not tasks:
            tasks.append([])
        tasks[-1].append(context)
    return tasks


def find_task(stack: Sequence[FlowContext], flow_id: str) -> list[FlowContext]:
    """The task that a flow instance belongs to; empty if it is not on the stack."""
    for task in tasks_of(stack):
        if any(context["flow_id"] == flow_id for context in task):
            return task
    return []


def find_flow(stack: Sequence[FlowContext], flow_id: str | None) -> FlowContext | None:
    """An instance on the stack; None: it is not there."""
    return next((context for context in stack if context["flow_id"] == flow_id), None)


def insert_task(
    stack: Sequence[FlowContext], task: Sequence[FlowContext], below: str | None
) -> list[FlowContext]:
    """The stack with a task on top of it, or right below the task holding `below`."""
    above = find_task(stack, below) if below else []
    at = stack.index(above[0]) if above else len(stack)
    return [*stack[:at], *task, *stack[at:]]


def settle_stack(
    stack: Sequence[FlowContext], now: float, reason: str | None = None
) -> list[FlowContext]:
    """The stack with its top active and everything below paused."""
    if not stack:
        return []
    return [
        *(_pause_context(context, now, reason) for context in stack[:-1]),
        _activate_context(stack[-1]),
    ]


def open_context(
    flow_id: str, flow_name: str, now: float, reason: str | None, called_by: str | None
) -> FlowContext:
    """The context of an instance that starts now."""
    return {
        "flow_id": flow_id,
        "flow_name": flow_name,
        "flow_state": FlowContextState.ACTIVE.value,
        "current_step": None,
        "outputs": {},
        "started_at": now,
        "paused_at": None,
        "completed_at": None,
        "context": reason,
        "called_by": called_by,
        "progress": create_progress(),
    }


def archive_context(
    context: FlowContext, result: FlowContextState, now: float, reason: str | None
) -> FlowContext:
    """The context for the archive, without its progress."""
    return {
        **context,
        "flow_state": result.value,
        "completed_at": now,
        "context": reason,
        "progress": create_progress(),
    }


def find_last_step(context: FlowContext) -> str | None:
    """The current step of an instance, or the last one it ran if it is about to end."""
    step = context["current_step"]
    if step not in RESERVED_TARGETS:
        return step
    history = context["progress"]["history"]
    return history[-1]["step"] if history else None


def _pause_context(context: FlowContext, now: float, reason: str | None) -> FlowContext:
    paused = FlowContextState.PAUSED.value
    if context["flow_state"] == paused:
        return context
    return {**context, "flow_state": paused, "paused_at": now, "context": reason}


def _activate_context(context: FlowContext) -> FlowContext:
    if context["flow_state"] == FlowContextState.ACTIVE.value:
        return context
    return {**context, "flow_state": FlowContextState.ACTIVE.value, "paused_at": None}
