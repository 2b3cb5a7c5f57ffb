"""Handing a yes or no to whoever asked for it."""

from dataclasses import replace

from soni.commands.base import Handled
from soni.commands.cancel_flow import cancel_task
from soni.commands.start_flow import StartFlow, StartFlowHandler
from soni.core.prompts import FlowStart, PromptData
from soni.core.state import Updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate


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
    data: FlowStart, state: DialogueState, context: RuntimeContext
) -> Handled:
    """The user agreed to cancel the oldest task in favour of a new one."""
    oldest = state["flow_stack"][0]["flow_id"]
    freed = context.flow_manager.pop_task(
        state, "cancelled", "Cancelled by the user to start another task", root=oldest
    ).updates()
    return await start_offered_flow(data, freed, state, context)


async def cancel_and_start(
    data: PromptData, state: DialogueState, context: RuntimeContext
) -> Handled:
    """The user agreed to cancel the task on top, perhaps to start another one."""
    cancelled = cancel_task(state, context, data.get("reason"))
    if not data.get("then"):
        return Handled(cancelled)
    return await start_offered_flow(data["then"], cancelled, state, context)


async def start_offered_flow(
    data: FlowStart, before: StateUpdate, state: DialogueState, context: RuntimeContext
) -> Handled:
    updates = Updates(state, before)
    started = await StartFlowHandler().execute(StartFlow(**data), updates.state, context)
    updates.add(started.updates)
    return replace(started, updates=updates.merged)
