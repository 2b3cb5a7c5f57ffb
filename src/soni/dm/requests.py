"""Requests of steps to the manager: call a flow, link to one, hand off."""

from collections.abc import Mapping
from typing import Any

from soni.commands.corrections import apply_rewind, compute_rewind
from soni.commands.human_handoff import hand_off
from soni.commands.output import emit_replies, make_slot_env, reply, voice_of
from soni.core.constants import FAIL, ConversationState
from soni.core.errors import Refusal
from soni.core.records import CallResult, StepRequest
from soni.core.state import Updates, apply_updates, merge_updates
from soni.core.types import Called, DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.call_memory import get_calls, reopen_call
from soni.flow.irreversible import TooLateError
from soni.flow.stack import find_flow


async def execute_request(
    request: StepRequest, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that execute the request of the active flow's step."""
    hops = state["turn"].get("hops", 0) + 1
    if hops > context.config.settings.runtime.max_step_executions:
        done = _stop_endless_flows(state, context)
    elif request["kind"] == "Calling":
        done = await _call_flow(request, state, context)
    elif request["kind"] == "Linking":
        done = _link_flow(request, state, context)
    else:
        done = await _hand_off_conversation(request, state, context)
    return merge_updates({"turn": {"request": None, "hops": hops}}, done)


def _stop_endless_flows(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Stop flows that call or link each other without ever waiting."""
    stopped = context.update_flow(state, state["flow_stack"][-1]["flow_id"], current_step=FAIL)
    loop = "loop_detected: flows lead to each other"
    return merge_updates(stopped, {"metadata": {"error": loop, "error_at": context.now()}})


async def _call_flow(
    request: StepRequest, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    caller = state["flow_stack"][-1]
    left = find_left_call(state, request["flow"])
    if left is not None:
        return await _reopen_left_call(request["inputs"], left, state, context)
    state = _forget_earlier_call(caller, state, context)
    flow_id, pushed = context.flow_manager.push_flow(
        state,
        request["flow"],
        called_by=caller["flow_id"],
        reason=f"Called by {caller['flow_name']}",
    )
    updates = Updates(state, pushed.updates())
    for name, value in request["inputs"].items():
        try:
            await write_input(name, value, flow_id, updates, context)
        except Refusal as refused:
            reason = voice_of(updates.state, context).render_refusal(refused)
            return _return_call_error(f"{name}: {reason}", state, context)
    return updates.merged


async def write_input(
    name: str,
    value: Any,
    flow_id: str,
    updates: Updates,
    context: RuntimeContext,
    coming: Mapping[str, Any] | None = None,
) -> Any:
    """Write an input of a flow, and return what was written. Raises `Refusal`."""
    known = context.flow_manager.get_slots(updates.state, flow_id)
    env, voice = make_slot_env(context), voice_of(updates.state, context)
    written = await context.slot_writer.write(name, value, known, env, voice, coming=coming or {})
    context.turn_trace.note_write({"flow_id": flow_id, "slot": name, "by": "flow"})
    stored = context.flow_manager.set_slot(updates.state, name, written.value, flow_id)
    updates.add(stored.updates())
    return written


def _forget_earlier_call(
    caller: FlowContext, state: DialogueState, context: RuntimeContext
) -> DialogueState:
    """Forget the call that this step made in an earlier pass of a loop."""
    called = {s: each for s, each in get_calls(caller).items() if s != caller["current_step"]}
    progress = {**caller["progress"], "called": called}
    return apply_updates(state, context.update_flow(state, caller["flow_id"], progress=progress))


async def _reopen_left_call(
    inputs: Mapping[str, Any], left: Called, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    try:
        return await _resume_left_call(inputs, left, state, context)
    except Refusal as refused:
        reason = voice_of(state, context).render_refusal(refused)
    except TooLateError as late:
        reason = f"step '{late.step}' has already run with other values"
    return _return_call_error(reason, state, context)


def _return_call_error(error: str, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Report to the calling step that the call failed before it began."""
    failed: CallResult = {"error": {"type": "invalid_input", "message": error}}
    return deliver_return(state["flow_stack"][-1]["flow_id"], failed, state, context)


def deliver_return(
    caller: str, returned: CallResult, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that return the result of a called flow to the step that called it."""
    flow = find_flow(state["flow_stack"], caller)
    if flow is None:
        return {}
    progress = {**flow["progress"], "returned": returned}
    return context.update_flow(state, caller, progress=progress)


def _link_flow(request: StepRequest, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """End the flow as completed. The caller gets the outputs of the linked flow."""
    here = state["flow_stack"][-1]
    ended = context.flow_manager.pop_flow(state, collect_outputs(state, context))
    updates = Updates(state, ended.updates())
    _, pushed = context.flow_manager.push_flow(
        updates.state,
        request["flow"],
        called_by=here["called_by"],
        reason=f"Linked from {here['flow_name']}",
    )
    updates.add(pushed.updates())
    return updates.merged


def collect_outputs(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """The outputs of the active flow if it ended now."""
    here = state["flow_stack"][-1]
    visible = context.flow_manager.get_slots(state, here["flow_id"])
    return {name: visible.get(name) for name in context.config.flows[here["flow_name"]].outputs}


async def _hand_off_conversation(
    request: StepRequest, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    updates = await hand_off(
        state,
        context,
        f"step of {state['flow_stack'][-1]['flow_name']}",
        queue=request["queue"],
        known=request["context"],
        message=request["message"],
    )
    moved = context.move(state["conversation_state"], ConversationState.UNDERSTANDING)
    return merge_updates(await emit_replies(updates, context), moved)


def find_left_call(state: DialogueState, flow_name: str) -> Called | None:
    """The call that a correction made the active flow's step leave; None if there is none."""
    caller = state["flow_stack"][-1]
    left = get_calls(caller).get(caller["current_step"] or "")
    if left is None or left["again"] is None or left["context"]["flow_name"] != flow_name:
        return None
    return left


async def _resume_left_call(
    inputs: Mapping[str, Any], left: Called, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Reopen a left call and rewind it as far as the changed inputs require.

    Raises `Refusal` for an input that it does not take, `TooLateError` for one that comes too late.
    """
    caller, doubtful = state["flow_stack"][-1], left["again"] or []
    reopened = reopen_call(state, caller["flow_id"], caller["current_step"] or "", context.now())
    updates = Updates(state, reopened.updates())
    flow, changed, broken = updates.state["flow_stack"][-1], list[str](), dict[str, str]()
    coming = {name: value for name, value in inputs.items() if name in doubtful}
    for name, value in inputs.items():
        known = context.flow_manager.get_slots(updates.state, flow["flow_id"])
        if name in known and name not in doubtful:
            continue
        written = await write_input(name, value, flow["flow_id"], updates, context, coming)
        if name in doubtful and known.get(name) != written.value:
            changed.append(name)
            broken.update(written.broken)
    gone = [name for name in doubtful if name not in inputs]
    back = compute_rewind(flow, updates.state, context, changed=[*changed, *gone], unset=broken)
    updates.add(await emit_replies(reply(*broken.values()), context))
    updates.add(apply_rewind(back, flow, [*broken, *gone], updates.state, context))
    return updates.merged
