"""A visit: a called flow, opened to be changed although it is only remembered."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from soni.core.state import Updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.called import calls_of, flows_above, fold, iter_remembered_flows, reopen, way_to
from soni.flow.irreversible import TooLateError
from soni.flow.rewind import Rewound, rewind
from soni.flow.taint import Again


@dataclass(frozen=True)
class Entered:
    """A call that was gone back into."""

    caller: FlowContext
    called: FlowContext
    """Both as they were before."""

    step: str
    doubtful: tuple[str, ...]
    """Inputs that may be others since an earlier change."""


@dataclass(frozen=True)
class Visit:
    """The conversation with an instance on the stack."""

    flow_id: str | None
    state: DialogueState
    updates: StateUpdate
    """What brought it there."""

    entered: tuple[Entered, ...] = ()
    """The calls that were gone back into, the outermost first; none: it was there already."""


def visit(flow_id: str, state: DialogueState, context: RuntimeContext) -> Visit:
    """Open a remembered instance, and everything that leads to it."""
    updates, entered = Updates(state), list[Entered]()
    for caller_id, step in way_to(flow_id, state, context.assistant.plans):
        if flows_above(updates.state, caller_id):
            sensitive = context.assistant.sensitive
            updates.add(fold(updates.state, caller_id, sensitive, (), context.now()).updates())
        caller = flow_in(updates.state, caller_id)
        memory = calls_of(caller)[step]
        updates.add(reopen(updates.state, caller_id, step, context.now()).updates())
        entered.append(Entered(caller, memory["context"], step, tuple(memory["again"] or ())))
    return Visit(flow_id, updates.state, updates.merged, tuple(entered))


def leave(
    here: Visit, changes: StateUpdate, context: RuntimeContext, changed: Iterable[str] = ()
) -> StateUpdate:
    """All updates of a visit that changed something, with what that means for the callers.

    The steps that called go on with what they called. `changed` are names that others changed.
    Raises `TooLateError` where a caller has already used what may be another value now.
    """
    if not here.entered:
        return changes
    updates = Updates(here.state, changes)
    doubtful = frozenset({*changed, *_find_changed_slots(here, updates.state)})
    for call in reversed(here.entered):
        doubtful = _find_doubtful_outputs(call, doubtful, here.state, context)
        updates.add(_fold_call(call, updates.state, context))
        caller = flow_in(updates.state, call.caller["flow_id"])
        back = rewound(caller, updates.state, context, again=(call.step, doubtful))
        updates.add(go_back(back, caller, (), updates.state, context))
    return merge_updates(here.updates, updates.merged)


def flow_in(state: DialogueState, flow_id: str) -> FlowContext:
    """An open flow."""
    return next(flow for flow in state["flow_stack"] if flow["flow_id"] == flow_id)


def _find_doubtful_outputs(
    call: Entered, doubtful: frozenset[str], state: DialogueState, context: RuntimeContext
) -> frozenset[str]:
    """The caller's slots that may be others, once these are in the flow it called."""
    assistant = context.assistant
    inner = rewound(call.called, state, context, changed=doubtful)
    use = assistant.plans[call.caller["flow_name"]].steps[call.step].step.subflow()
    outputs = assistant.plans[call.called["flow_name"]].config.outputs
    written: frozenset[str] = use.slots_written_by(outputs, inner.tainted)
    return written


def _fold_call(call: Entered, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that fold a call up again, its caller where it stood."""
    caller_id, sensitive = call.caller["flow_id"], context.assistant.sensitive
    folded = fold(state, caller_id, sensitive, call.doubtful, context.now())
    updates = Updates(state, folded.updates())
    stood = context.flow_manager.update_context(
        updates.state, caller_id, current_step=call.caller["current_step"]
    )
    updates.add(stood.updates())
    return updates.merged


def _find_changed_slots(here: Visit, after: DialogueState) -> set[str]:
    """The slots of the instance that are others than they were when it was opened."""
    old = here.state["flow_slots"].get(here.flow_id or "", {})
    new = after["flow_slots"].get(here.flow_id or "", {})
    return {n for n in {**old, **new} if n not in old or n not in new or old[n] != new[n]}


def rewound(
    flow: FlowContext,
    state: DialogueState,
    context: RuntimeContext,
    *,
    changed: Iterable[str] = (),
    unset: Iterable[str] = (),
    again: Again | None = None,
) -> Rewound:
    """How far an open flow goes back; raises `TooLateError`."""
    plans = context.assistant.plans
    return rewind(
        plans[flow["flow_name"]],
        flow,
        changed,
        unset,
        plans=plans,
        above=flows_above(state, flow["flow_id"]),
        again=again,
    )


def go_back(
    back: Rewound,
    flow: FlowContext,
    unset: Iterable[str],
    state: DialogueState,
    context: RuntimeContext,
) -> StateUpdate:
    """Unset what no longer holds, move the flow, leave what it called if that is in doubt."""
    manager, flow_id, updates = context.flow_manager, flow["flow_id"], Updates(state)
    if gone := [*unset, *back.unset]:
        updates.add(manager.unset_slots(state, gone, flow_id).updates())
    for name, value in back.restored.items():
        updates.add(manager.set_slot(updates.state, name, value, flow_id).updates())
    updates.add(manager.update_context(state, flow_id, progress=back.progress).updates())
    moves = back.current_step != flow["current_step"] or back.reenters is not None
    if moves and flows_above(state, flow_id):
        sensitive, inputs = context.assistant.sensitive, back.reenters or ()
        updates.add(fold(updates.state, flow_id, sensitive, inputs, context.now()).updates())
    moved = manager.update_context(updates.state, flow_id, current_step=back.current_step)
    updates.add(moved.updates())
    return updates.merged


def rewind_other_flows(
    before: DialogueState,
    after: DialogueState,
    spared: Iterable[str],
    context: RuntimeContext,
) -> StateUpdate:
    """Updates that take flows back to where they first used a value that is another now.

    `spared` are instances that know of it already. What was done with the old value stays done.
    """
    old, new = before["conversation_slots"], after["conversation_slots"]
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    if not changed:
        return {}
    known, updates = set(spared), Updates(after)
    for flow_id in _instances(after, context):
        if flow_id in known:
            continue
        try:
            updates.add(_rewind_flow(flow_id, changed, updates.state, context))
        except TooLateError:
            continue
    return updates.merged


def _instances(state: DialogueState, context: RuntimeContext) -> list[str]:
    """The open flows and those they remember, each after what it called."""
    plans = context.assistant.plans
    return [
        each["flow_id"]
        for flow in state["flow_stack"]
        if flow["flow_name"] in plans
        for each in reversed([flow, *iter_remembered_flows(flow, plans)])
    ]


_COURSE: tuple[Literal["history", "skip", "called"], ...] = ("history", "skip", "called")


def _rewind_flow(
    flow_id: str, changed: list[str], state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    here = visit(flow_id, state, context)
    flow = flow_in(here.state, flow_id)
    back = rewound(flow, here.state, context, changed=changed)
    if here.entered and all(back.progress[key] == flow["progress"][key] for key in _COURSE):
        return {}
    return leave(here, go_back(back, flow, (), here.state, context), context, changed)
