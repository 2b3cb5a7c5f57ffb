"""Counts refused values of a slot, and gives up on the question after too many of them."""

from soni.commands.human_handoff import hand_off, is_handoff_enabled
from soni.core.state import merge_updates
from soni.core.types import DialogueState, FlowContext, Progress, RuntimeContext, StateUpdate
from soni.flow.stack import find_flow
from soni.flow.steps import record_passage
from soni.flow.voice import make_label


async def count_attempt(
    name: str, flow: FlowContext, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Count a refused value; after too many, take the step's way out or hand off."""
    attempts = flow["progress"]["attempts"]
    count = attempts.get(name, 0) + 1
    plan = context.assistant.plans.get(flow["flow_name"])
    planned = plan.steps.get(flow["current_step"] or "") if plan else None
    step = planned.step if planned else None
    most = getattr(step, "max_attempts", None) or context.config.settings.collection.max_attempts
    over = count >= most
    way_out = getattr(step, "on_invalid", None) if over else None
    gives_up = over and (way_out is not None or is_handoff_enabled(context))
    # After giving up the count starts at 0, because a release or a loop may ask again.
    attempts = {**attempts, name: 0 if gives_up else count}
    counted: Progress = {**flow["progress"], "attempts": attempts}
    if way_out is not None:
        return send_flow_to(way_out, "on_invalid", counted, flow, state, context)
    updates = context.update_flow(state, flow["flow_id"], progress=counted)
    if not gives_up:
        return updates
    reason = f"no valid value for {make_label(name)} after {count} attempts"
    return merge_updates(updates, await hand_off(state, context, reason))


def clear_attempts(
    name: str, flow_id: str | None, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that reset the count of a slot that was filled."""
    flow = find_flow(state["flow_stack"], flow_id)
    if flow is None or name not in flow["progress"]["attempts"]:
        return {}
    attempts = {key: n for key, n in flow["progress"]["attempts"].items() if key != name}
    progress = {**flow["progress"], "attempts": attempts}
    return context.update_flow(state, flow["flow_id"], progress=progress)


def send_flow_to(
    target: str,
    edge: str,
    progress: Progress,
    flow: FlowContext,
    state: DialogueState,
    context: RuntimeContext,
) -> StateUpdate:
    """Updates that send the waiting flow to another step instead of asking again."""
    plan = context.assistant.plans[flow["flow_name"]]
    here = flow["current_step"] or plan.first
    following = plan.resolve_target(here, target)
    context.turn_trace.note_step(plan.name, here, following, edge=edge)
    passed = record_passage(progress, plan, here, following)
    return context.update_flow(state, flow["flow_id"], current_step=following, progress=passed)
