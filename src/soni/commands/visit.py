"""A visit: a called flow, opened to be changed although it is only remembered."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from soni.commands.going_back import go_back, rewound
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.called import calls_of, flows_above, fold, reopen, way_to


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
    updates: dict[str, Any]
    """What brought it there."""

    entered: tuple[Entered, ...] = ()
    """The calls that were gone back into, the outermost first; none: it was there already."""


def visit(flow_id: str, state: DialogueState, context: RuntimeContext) -> Visit:
    """Open a remembered instance, and everything that leads to it."""
    updates, entered = dict[str, Any](), list[Entered]()
    for caller_id, step in way_to(flow_id, state, context.assistant.plans):
        if flows_above(state, caller_id):
            secret = context.assistant.sensitive
            left = fold(state, caller_id, secret, (), context.now()).updates()
            updates, state = merge_updates(updates, left), apply_updates(state, left)
        caller = flow_in(state, caller_id)
        memory = calls_of(caller)[step]
        again = reopen(state, caller_id, step, context.now()).updates()
        updates, state = merge_updates(updates, again), apply_updates(state, again)
        entered.append(Entered(caller, memory["context"], step, tuple(memory["again"] or ())))
    return Visit(flow_id, state, updates, tuple(entered))


def leave(
    here: Visit, updates: dict[str, Any], context: RuntimeContext, changed: Iterable[str] = ()
) -> dict[str, Any]:
    """All updates of a visit that changed something, with what that means for the callers.

    The steps that called go on with what they called. `changed` are names that others changed.
    Raises `TooLateError` where a caller has already used what may be another value now.
    """
    if not here.entered:
        return updates
    state, updates = apply_updates(here.state, updates), merge_updates(here.updates, updates)
    doubtful = frozenset({*changed, *_changed(here, state)})
    for call in reversed(here.entered):
        doubtful = _handed_on(call, doubtful, here.state, context)
        left = _left(call, state, context)
        updates, state = merge_updates(updates, left), apply_updates(state, left)
        caller = flow_in(state, call.caller["flow_id"])
        back = rewound(caller, state, context, again=(call.step, doubtful))
        gone = go_back(back, caller, (), state, context)
        updates, state = merge_updates(updates, gone), apply_updates(state, gone)
    return updates


def flow_in(state: DialogueState, flow_id: str) -> FlowContext:
    """An open flow."""
    return next(flow for flow in state["flow_stack"] if flow["flow_id"] == flow_id)


def _handed_on(
    call: Entered, doubtful: frozenset[str], state: DialogueState, context: RuntimeContext
) -> frozenset[str]:
    """The caller's slots that may be others, once these are in the flow it called."""
    assistant = context.assistant
    inner = rewound(call.called, state, context, changed=doubtful)
    use = assistant.plans[call.caller["flow_name"]].steps[call.step].step.subflow()
    outputs = assistant.plans[call.called["flow_name"]].config.outputs
    written: frozenset[str] = use.written(outputs, inner.tainted)
    return written


def _left(call: Entered, state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Updates that fold a call up again, its caller where it stood."""
    caller_id, secret = call.caller["flow_id"], context.assistant.sensitive
    folded = fold(state, caller_id, secret, call.doubtful, context.now()).updates()
    stood = context.flow_manager.update_context(
        apply_updates(state, folded), caller_id, current_step=call.caller["current_step"]
    )
    return merge_updates(folded, stood.updates())


def _changed(here: Visit, after: DialogueState) -> set[str]:
    """The slots of the instance that are others than they were when it was opened."""
    old = here.state["flow_slots"].get(here.flow_id or "", {})
    new = after["flow_slots"].get(here.flow_id or "", {})
    return {n for n in {**old, **new} if n not in old or n not in new or old[n] != new[n]}
