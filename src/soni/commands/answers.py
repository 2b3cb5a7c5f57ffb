"""Handing a yes or no to whoever asked for it."""

from typing import Any

from soni.commands.base import Handled
from soni.commands.cancel_flow import cancel_task
from soni.commands.start_flow import StartFlow, StartFlowHandler
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, RuntimeContext


def answer_confirm(answer: str, state: DialogueState, context: RuntimeContext) -> Handled:
    """Give the answer to the instance and step that asked; nobody else can use it."""
    prompt = state["_pending_prompt"] or {}
    for flow in state["flow_stack"]:
        if flow["flow_id"] == prompt.get("flow_id") and flow["current_step"] == prompt.get("step"):
            progress = {**flow["progress"], "answer": answer}
            delta = context.flow_manager.update_context(state, flow["flow_id"], progress=progress)
            return Handled(delta.updates(), flow_id=flow["flow_id"])
    return Handled({}, "rejected", "what was to be confirmed is gone")


async def make_room_and_start(
    data: dict[str, Any], state: DialogueState, context: RuntimeContext
) -> Handled:
    """The user agreed to cancel the oldest task in favour of a new one."""
    oldest = state["flow_stack"][0]["flow_id"]
    freed = context.flow_manager.pop_task(
        state, "cancelled", "Cancelled by the user to start another task", root=oldest
    ).updates()
    return await _started(data, freed, state, context)


async def cancel_and_start(
    data: dict[str, Any], state: DialogueState, context: RuntimeContext
) -> Handled:
    """The user agreed to cancel the task on top, perhaps to start another one."""
    cancelled = cancel_task(state, context, data.get("reason"))
    if not data.get("then"):
        return Handled(cancelled)
    return await _started(data["then"], cancelled, state, context)


async def _started(
    data: dict[str, Any], before: dict[str, Any], state: DialogueState, context: RuntimeContext
) -> Handled:
    started = await StartFlowHandler().execute(
        StartFlow(**data),
        apply_updates(state, before),
        context,
    )
    return Handled(
        merge_updates(before, started.updates), started.result, started.reason, started.flow_id
    )
