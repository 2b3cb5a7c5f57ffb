"""Going back: reopens finished calls, and rewinds flows whose values have changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from soni.core.state import Updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.call_memory import (
    find_call_path,
    fold_calls,
    get_calls,
    iter_remembered_flows,
    list_flows_above,
    reopen_call,
)
from soni.flow.irreversible import TooLateError
from soni.flow.rewind import RewindResult, rewind
from soni.flow.taint import RepeatedCall


@dataclass(frozen=True)
class ReopenedCall:
    """A finished call that was reopened."""

    caller: FlowContext
    called: FlowContext
    """Caller and called flow as they were before."""

    step: str
    doubtful: tuple[str, ...]
    """Inputs whose values an earlier correction put in doubt."""


@dataclass(frozen=True)
class OpenInstance:
    """A flow instance, reopened if need be, with the state in which it is on the stack."""

    flow_id: str | None
    state: DialogueState
    updates: StateUpdate
    """The updates that reopened it."""

    entered: tuple[ReopenedCall, ...] = ()
    """The reopened calls, the outermost first. Empty if the instance was open already."""


def reopen_instance(flow_id: str, state: DialogueState, context: RuntimeContext) -> OpenInstance:
    """Open an instance that has ended but is remembered, with the calls that lead to it."""
    updates, entered = Updates(state), list[ReopenedCall]()
    for caller_id, step in find_call_path(flow_id, state, context.assistant.plans):
        if list_flows_above(updates.state, caller_id):
            updates.add(_fold_calls(caller_id, (), updates.state, context))
        caller = get_open_flow(updates.state, caller_id)
        memory = get_calls(caller)[step]
        updates.add(reopen_call(updates.state, caller_id, step, context.now()).updates())
        entered.append(ReopenedCall(caller, memory["context"], step, tuple(memory["again"] or ())))
    return OpenInstance(flow_id, updates.state, updates.merged, tuple(entered))


def close_instance(
    here: OpenInstance, changes: StateUpdate, context: RuntimeContext, changed: Iterable[str] = ()
) -> StateUpdate:
    """Close a reopened instance after a change, and rewind its callers where it affects them.

    The calling steps keep their calls. `changed` are slots that changed elsewhere. Raises
    `TooLateError` if a caller has used a value in doubt for something irreversible.
    """
    if not here.entered:
        return changes
    updates = Updates(here.state, changes)
    doubtful = frozenset({*changed, *_find_changed_slots(here, updates.state)})
    for call in reversed(here.entered):
        doubtful = _find_doubtful_outputs(call, doubtful, here.state, context)
        updates.add(_fold_call(call, updates.state, context))
        caller = get_open_flow(updates.state, call.caller["flow_id"])
        back = compute_rewind(caller, updates.state, context, again=(call.step, doubtful))
        updates.add(apply_rewind(back, caller, (), updates.state, context))
    return merge_updates(here.updates, updates.merged)


def get_open_flow(state: DialogueState, flow_id: str) -> FlowContext:
    """Get an open flow by its id."""
    return next(flow for flow in state["flow_stack"] if flow["flow_id"] == flow_id)


def _find_doubtful_outputs(
    call: ReopenedCall, doubtful: frozenset[str], state: DialogueState, context: RuntimeContext
) -> frozenset[str]:
    """The caller's slots that are in doubt when these slots of the called flow are."""
    assistant = context.assistant
    inner = compute_rewind(call.called, state, context, changed=doubtful)
    use = assistant.plans[call.caller["flow_name"]].steps[call.step].step.subflow()
    outputs = assistant.plans[call.called["flow_name"]].config.outputs
    written: frozenset[str] = use.find_written_slots(outputs, inner.tainted)
    return written


def _fold_call(call: ReopenedCall, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that close a call again, with its caller at the step where it was."""
    caller_id, step = call.caller["flow_id"], call.caller["current_step"]
    updates = Updates(state, _fold_calls(caller_id, call.doubtful, state, context))
    updates.add(context.update_flow(updates.state, caller_id, current_step=step))
    return updates.merged


def _fold_calls(
    caller_id: str, doubtful: Sequence[str], state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    sensitive = context.assistant.is_sensitive
    return fold_calls(state, caller_id, sensitive, doubtful, context.now()).updates()


def _find_changed_slots(here: OpenInstance, after: DialogueState) -> set[str]:
    """The slots of the instance that changed since it was opened."""
    old = here.state["flow_slots"].get(here.flow_id or "", {})
    new = after["flow_slots"].get(here.flow_id or "", {})
    return {n for n in {**old, **new} if n not in old or n not in new or old[n] != new[n]}


def compute_rewind(
    flow: FlowContext,
    state: DialogueState,
    context: RuntimeContext,
    *,
    changed: Iterable[str] = (),
    unset: Iterable[str] = (),
    again: RepeatedCall | None = None,
) -> RewindResult:
    """Compute how far an open flow goes back. Raises `TooLateError`."""
    plans = context.assistant.plans
    return rewind(
        plans[flow["flow_name"]],
        flow,
        changed,
        unset,
        plans=plans,
        above=list_flows_above(state, flow["flow_id"]),
        again=again,
    )


def apply_rewind(
    back: RewindResult,
    flow: FlowContext,
    unset: Iterable[str],
    state: DialogueState,
    context: RuntimeContext,
) -> StateUpdate:
    """Apply a rewind: unset slots, move the flow, and close its call if the inputs are in doubt."""
    manager, flow_id, updates = context.flow_manager, flow["flow_id"], Updates(state)
    if gone := [*unset, *back.unset]:
        updates.add(manager.unset_slots(state, gone, flow_id).updates())
    for name, value in back.restored.items():
        updates.add(manager.set_slot(updates.state, name, value, flow_id).updates())
    updates.add(context.update_flow(state, flow_id, progress=back.progress))
    moves = back.current_step != flow["current_step"] or back.reenters is not None
    if moves and list_flows_above(state, flow_id):
        updates.add(_fold_calls(flow_id, back.reenters or (), updates.state, context))
    updates.add(context.update_flow(updates.state, flow_id, current_step=back.current_step))
    return updates.merged


def rewind_other_flows(
    before: DialogueState, after: DialogueState, spared: Iterable[str], context: RuntimeContext
) -> StateUpdate:
    """Updates that rewind flows to where they first used a shared value that changed.

    `spared` are instances that have the new value already. A flow that used the old value for
    something irreversible stays where it is.
    """
    old, new = before["conversation_slots"], after["conversation_slots"]
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    if not changed:
        return {}
    known, updates = set(spared), Updates(after)
    for flow_id in _list_instances(after, context):
        if flow_id in known:
            continue
        try:
            updates.add(_rewind_flow(flow_id, changed, updates.state, context))
        except TooLateError:
            continue
    return updates.merged


def _list_instances(state: DialogueState, context: RuntimeContext) -> list[str]:
    """The ids of open flows and of those they remember, each after the ones that it called."""
    plans = context.assistant.plans
    return [
        each["flow_id"]
        for flow in state["flow_stack"]
        if flow["flow_name"] in plans
        for each in reversed([flow, *iter_remembered_flows(flow, plans)])
    ]


_PROGRESS_KEYS: tuple[Literal["history", "skip", "called"], ...] = ("history", "skip", "called")


def _rewind_flow(
    flow_id: str, changed: list[str], state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    here = reopen_instance(flow_id, state, context)
    flow = get_open_flow(here.state, flow_id)
    back = compute_rewind(flow, here.state, context, changed=changed)
    if here.entered and all(back.progress[key] == flow["progress"][key] for key in _PROGRESS_KEYS):
        return {}
    return close_instance(here, apply_rewind(back, flow, (), here.state, context), context, changed)
