"""Leaving the active task for another: what may be interrupted, and what that does to it."""

from typing import Any

from soni.commands.base import Handled
from soni.commands.speech import respond
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.stack import tasks_of
from soni.flow.voice import label


def first_task(state: DialogueState) -> str | None:
    """The task that this message put on top; whatever else it starts waits below."""
    front: str | None = state["turn"].get("front")
    return front


def in_front(flow_id: str, state: DialogueState) -> dict[str, Any]:
    """Updates that remember the first task which a message started or resumed."""
    return {} if first_task(state) else {"turn": {"front": flow_id}}


def leaving_refused(state: DialogueState, context: RuntimeContext) -> Handled | None:
    """A polite no, where the active flow may not be interrupted."""
    if not state["flow_stack"] or first_task(state):
        return None
    active = state["flow_stack"][-1]["flow_name"]
    flow = context.config.flows.get(active)
    allowed = context.config.conversation_patterns.interruption.enabled
    if allowed and (flow is None or flow.interruptible):
        return None
    said = respond("not_interruptible", state, context, flow=label(active))
    # Two wishes in one message are refused once.
    already = said["replies"][0] in state["replies"]
    return Handled({} if already else said, "rejected", f"'{active}' is not interruptible")


def cancel_unresumable(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Updates that cancel an interrupted task that cannot be resumed."""
    if not state["flow_stack"] or first_task(state):
        return {}
    root = tasks_of(state["flow_stack"])[-1][0]
    flow = context.config.flows.get(root["flow_name"])
    if flow is None or flow.resumable:
        return {}
    updates: dict[str, Any] = context.flow_manager.pop_task(
        state, "cancelled", "Interrupted, and not resumable"
    ).updates()
    return updates
