"""Going back in a flow: what a rewind changes, as updates."""

from collections.abc import Iterable

from soni.core.state import Updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.called import flows_above, fold
from soni.flow.rewind import Rewound, rewind
from soni.flow.spread import Again


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
