"""Fallbacks for messages that were not understood: first say so, then help, then give up."""

from contextlib import suppress

from soni.commands.human_handoff import hand_off, is_handoff_enabled
from soni.commands.interruption import announce_cancelled_tasks
from soni.commands.output import emit_replies, respond
from soni.commands.situation import Situation
from soni.core.errors import FlowStackLimitError
from soni.core.state import get_current_flow_name, merge_updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.voice import make_label


async def handle_not_understood(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates for a message without an accepted command; the pending question follows."""
    count = state["metadata"].get("no_progress", 0) + 1
    over = await _give_up(count, state, context)
    if over is not None:
        return merge_updates({"metadata": {"no_progress": 0}}, over)
    updates: StateUpdate = {"metadata": {"no_progress": count}}
    # A message that is too long has already been answered with a refusal.
    if not state["replies"] or state["turn"].get("source") != "refused":
        updates = merge_updates(updates, await _say_response("not_understood", state, context))
    # Somebody who is asked for a yes again need not hear what else there is.
    if count > 1 and not state["turn"].get("doubts"):
        updates = merge_updates(updates, await list_possible_tasks(state, context))
    return updates


async def list_possible_tasks(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that list what the user may start now, if anything."""
    flows = [make_label(name) for name in Situation(state, context).list_startable_flows()]
    if not flows:
        return {}
    return await _say_response("what_i_can_do", state, context, flows=", ".join(flows))


async def _give_up(count: int, state: DialogueState, context: RuntimeContext) -> StateUpdate | None:
    unclear = await _count_unclear_confirm(state, context)
    if unclear is not None:
        return unclear
    settings = context.config.settings.conversation
    if count < settings.max_turns_without_progress:
        return None
    fallback = settings.fallback_flow if settings.on_no_progress == "fallback" else None
    # A fallback flow that did not help, or did not fit on the stack, is not started again.
    if fallback is not None and fallback != get_current_flow_name(state):
        with suppress(FlowStackLimitError):
            delta = context.flow_manager.push_flow(state, fallback, reason="No progress")[1]
            told = announce_cancelled_tasks(delta.flow_stack, fallback, state, context)
            told = await emit_replies(told, context)
            # The open system question was about a task that is no longer on top.
            dropped: StateUpdate = {**told, "_pending_prompt": None}
            return merge_updates(dropped, delta.updates())
    return await _hand_off("no progress", state, context)


async def _count_unclear_confirm(
    state: DialogueState, context: RuntimeContext
) -> StateUpdate | None:
    """Unclear answers to a confirm are counted on their own; None: not yet too many."""
    prompt = state["_pending_prompt"] or {}
    if prompt.get("kind") != "confirm":
        return None
    plan = context.assistant.plans.get(state["flow_stack"][-1]["flow_name"])
    planned = plan.steps.get(prompt["step"]) if plan else None
    own = getattr(planned.step, "max_retries", None) if planned else None
    limit = own or context.config.conversation_patterns.confirmation.max_retries
    if state["metadata"].get("no_progress", 0) + 1 < limit:
        return None
    return await _hand_off("no clear answer to the confirmation", state, context)


async def _hand_off(
    reason: str, state: DialogueState, context: RuntimeContext
) -> StateUpdate | None:
    if not is_handoff_enabled(context):
        return None
    return await emit_replies(await hand_off(state, context, reason), context)


async def _say_response(
    name: str, state: DialogueState, context: RuntimeContext, **values: str
) -> StateUpdate:
    return await emit_replies(respond(name, state, context, **values), context)
