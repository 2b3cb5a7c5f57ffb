"""Interrupting the active task: whether it may be, and what happens to it."""

from typing import cast

from soni.commands.base import Handled
from soni.commands.output import render_response, reply, respond
from soni.core.state import merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.stack import tasks_of
from soni.flow.voice import make_label


def get_first_task(state: DialogueState) -> str | None:
    """The first task that this message started. It is on top; the others wait below it."""
    return state["turn"].get("front")


def get_last_task(state: DialogueState, flow_id: str | None = None) -> str | None:
    """The last task that this message started, below which `flow_id` is put."""
    last = state["turn"].get("last")
    return get_first_task(state) if last == flow_id else last


def record_started_task(flow_id: str, state: DialogueState) -> StateUpdate:
    """Updates that record the first and the last task which the message started or resumed."""
    first = get_first_task(state)
    if first == flow_id:
        return {}
    return {"turn": {"last": flow_id} if first else {"last": flow_id, "front": flow_id}}


def raise_task(
    flow_id: str, reason: str, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that bring a paused task to the top, or below the last one of this message."""
    below = get_last_task(state, flow_id)
    raised = context.flow_manager.raise_task(state, flow_id, reason, below=below)
    return cast(StateUpdate, raised.updates())


def refuse_interruption(state: DialogueState, context: RuntimeContext) -> Handled | None:
    """Refuse if the active task may not be interrupted; None if it may."""
    if not state["flow_stack"] or get_first_task(state):
        return None
    guarded = _find_uninterruptible_flow(tasks_of(state["flow_stack"])[-1], context)
    if guarded is None:
        return None
    said = render_response("not_interruptible", state, context, flow=make_label(guarded))
    # Two requests in one message are refused with one reply.
    already = {"text": said} in state["replies"]
    return Handled({} if already else reply(said), "rejected", f"'{guarded}' is not interruptible")


def _find_uninterruptible_flow(task: list[FlowContext], context: RuntimeContext) -> str | None:
    """The outermost flow of a task that cannot be interrupted; None if there is none."""
    names = [flow["flow_name"] for flow in task]
    if not context.config.conversation_patterns.interruption.enabled:
        return names[0]
    flows = context.config.flows
    return next((name for name in names if name in flows and not flows[name].interruptible), None)


def cancel_unresumable(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that cancel the interrupted task if it cannot be resumed."""
    if not state["flow_stack"] or get_first_task(state):
        return {}
    root = tasks_of(state["flow_stack"])[-1][0]
    flow = context.config.flows.get(root["flow_name"])
    if flow is None or flow.resumable:
        return {}
    gone = context.flow_manager.pop_task(state, "cancelled", "Interrupted, and not resumable")
    return cast(StateUpdate, gone.updates())


def announce_cancelled_tasks(
    stack: list[FlowContext], flow_name: str, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that tell the user which tasks were cancelled to make room for the new flow."""
    kept = {flow["flow_id"] for flow in stack}
    said: StateUpdate = {}
    for root in (task[0] for task in tasks_of(state["flow_stack"])):
        if root["flow_id"] not in kept:
            words = {"oldest": make_label(root["flow_name"]), "flow": make_label(flow_name)}
            said = merge_updates(said, respond("flow_limit_cancelled", state, context, **words))
    return said
