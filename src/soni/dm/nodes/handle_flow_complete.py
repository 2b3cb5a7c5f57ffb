"""handle_flow_complete: archive the flow that ended, return to the one below."""

from langgraph.runtime import Runtime

from soni.commands.cancel_flow import cancel_task
from soni.commands.output import emit_replies, respond
from soni.core.constants import CANCEL, END, IN_DOUBT_SLOT, ConversationState
from soni.core.errors import OUTCOME_UNKNOWN
from soni.core.records import CallResult, ErrorRecord
from soni.core.state import Updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.dm.requests import collect_outputs, deliver_return
from soni.flow.call_memory import remember_call
from soni.flow.stack import find_flow
from soni.flow.voice import make_label


async def handle_flow_complete(
    state: DialogueState, runtime: Runtime[RuntimeContext]
) -> StateUpdate:
    """End the active flow as its last step said."""
    context = runtime.context
    target = state["flow_stack"][-1]["current_step"]
    if target == END:
        ended = _complete_flow(state, context)
    elif target == CANCEL:
        ended = _cancel_flow(state, context)
    else:
        ended = _fail_flow(state, context)
    updates = Updates(state, await emit_replies(ended, context))
    going_on = bool(updates.state["flow_stack"] or updates.state["commands"])
    to = ConversationState.UNDERSTANDING if going_on else ConversationState.IDLE
    updates.add(context.move(updates.state["conversation_state"], to))
    return updates.merged


def _complete_flow(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    active = state["flow_stack"][-1]
    outputs = collect_outputs(state, context)
    moved = context.move(state["conversation_state"], ConversationState.COMPLETED)
    popped = merge_updates(moved, context.flow_manager.pop_flow(state, outputs).updates())
    return _return_to_caller(active, {"outputs": outputs}, popped, state, context)


def _cancel_flow(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    moved = context.move(state["conversation_state"], ConversationState.UNDERSTANDING)
    updates = Updates(state, moved)
    updates.add(cancel_task(updates.state, context, "cancel_flow"))
    return updates.merged


def _fail_flow(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    active = state["flow_stack"][-1]
    moved = context.move(state["conversation_state"], ConversationState.ERROR)
    if active["called_by"] is not None:
        return _fail_call(active, moved, state, context)
    slots = state["flow_slots"].get(active["flow_id"], {})
    # "I could not finish" would be a claim: perhaps it was done, and only the answer was lost.
    kind = OUTCOME_UNKNOWN if IN_DOUBT_SLOT in slots else "error"
    said = respond(kind, state, context, flow=make_label(active["flow_name"]))
    popped = context.flow_manager.pop_task(state, "error", state["metadata"].get("error")).updates()
    return merge_updates(moved, said, popped)


def _fail_call(
    active: FlowContext, moved: StateUpdate, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Let the error of a called flow fail the step that called it."""
    slots = state["flow_slots"].get(active["flow_id"], {})
    error: ErrorRecord = {
        "type": slots.get("_error_type", "error"),
        "message": slots.get("_error_message", f"{make_label(active['flow_name'])} failed"),
    }
    if IN_DOUBT_SLOT in slots:
        error["outcome_known"] = False
    popped = context.flow_manager.pop_flow(state, result="error").updates()
    return _return_to_caller(active, {"error": error}, merge_updates(moved, popped), state, context)


def _return_to_caller(
    ended: FlowContext,
    returned: CallResult,
    popped: StateUpdate,
    state: DialogueState,
    context: RuntimeContext,
) -> StateUpdate:
    if ended["called_by"] is None:
        return popped
    updates = Updates(state, popped)
    updates.add(deliver_return(ended["called_by"], returned, updates.state, context))
    updates.add(_remember_flow(ended, state, updates.state, context))
    return updates.merged


def _remember_flow(
    ended: FlowContext, state: DialogueState, after: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that remember the flow, so that a correction can reopen it."""
    caller = find_flow(after["flow_stack"], ended["called_by"])
    plan = context.assistant.plans.get(caller["flow_name"]) if caller else None
    step = plan.steps.get(caller["current_step"] or "") if plan and caller else None
    use = step.step.subflow() if step else None
    # A flow that was linked in place of the called one is not what the step would call again.
    if caller is None or use is None or use.flow != ended["flow_name"]:
        return {}
    known = remember_call(caller, ended, state, context.assistant.is_sensitive)
    return context.update_flow(after, caller["flow_id"], progress=known["progress"])
