"""Answers to confirmations and to yes/no questions of the system."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from soni.commands.base import Command, Handled
from soni.commands.cancel_flow import cancel_task
from soni.commands.resume_flow import ResumeFlow
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow, StartFlowHandler
from soni.core.prompts import FlowStart, PromptData
from soni.core.state import Updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate


def find_changed_slots(others: Sequence[Command], situation: Situation) -> list[str]:
    """Slots of the asking task that the other commands change. An equal value is no change."""
    return [
        slot
        for command in others
        for slot, value in command.get_touched_slots().items()
        if _is_for_asking_task(command, slot, others, situation)
        and situation.is_different(slot, value)
    ]


def _is_for_asking_task(
    command: Command, slot: str, others: Sequence[Command], situation: Situation
) -> bool:
    """Whether a value is for the asking task, and not for one that the same message leads to."""
    if isinstance(command, StartFlow):
        return command.flow_name not in iter_raised_flows([command], situation)
    flow_name: str | None = getattr(command, "flow_name", None)
    for other_flow in iter_raised_flows(others, situation):
        plan = situation.get_plan(other_flow)
        if flow_name in (None, other_flow) and plan is not None and slot in plan.asks:
            return False
    owner = situation.find_owner(slot, flow_name)
    here = owner is not None and situation.is_of_asking_task(owner)
    return here or situation.is_shared(slot)


def iter_raised_flows(commands: Sequence[Command], situation: Situation) -> Iterator[str]:
    """Flows that these commands start or resume in place of the active task."""
    active = situation.tasks[-1][0]["flow_name"] if situation.active else None
    for command in commands:
        if isinstance(command, StartFlow) and (command.another or command.flow_name != active):
            yield command.flow_name
        if isinstance(command, ResumeFlow) and command.flow_name not in (None, active):
            yield str(command.flow_name)


def answer_confirm(answer: str, state: DialogueState, context: RuntimeContext) -> Handled:
    """Store the answer for the flow instance and the step that asked."""
    prompt = state["_pending_prompt"] or {}
    for flow in state["flow_stack"]:
        if flow["flow_id"] == prompt.get("flow_id") and flow["current_step"] == prompt.get("step"):
            progress = {**flow["progress"], "answer": answer}
            stored = context.update_flow(state, flow["flow_id"], progress=progress)
            return Handled(stored, flow_id=flow["flow_id"])
    return Handled({}, "rejected", "what was to be confirmed is gone")


async def make_room_and_start(
    data: FlowStart, state: DialogueState, context: RuntimeContext
) -> Handled:
    """The user agreed to cancel the oldest task in favour of a new one."""
    oldest = state["flow_stack"][0]["flow_id"]
    reason = "Cancelled by the user to start another task"
    freed = context.flow_manager.pop_task(state, "cancelled", reason, root=oldest)
    return await start_offered_flow(data, freed.updates(), state, context)


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
