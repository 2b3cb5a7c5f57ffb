"""Going back in a flow: what a rewind changes, as updates."""

from collections.abc import Iterable
from typing import Any

from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext
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
) -> dict[str, Any]:
    """Unset what no longer holds, move the flow, leave what it called if that is in doubt."""
    manager, flow_id, updates = context.flow_manager, flow["flow_id"], dict[str, Any]()
    if gone := [*unset, *back.unset]:
        updates = manager.unset_slots(state, gone, flow_id).updates()
    for name, value in back.restored.items():
        seen = apply_updates(state, updates)
        updates = merge_updates(updates, manager.set_slot(seen, name, value, flow_id).updates())
    remembers = manager.update_context(state, flow_id, progress=back.progress).updates()
    updates = merge_updates(updates, remembers)
    moves = back.current_step != flow["current_step"] or back.reenters is not None
    if moves and flows_above(state, flow_id):
        after, inputs = apply_updates(state, updates), back.reenters or ()
        left = fold(after, flow_id, context.assistant.sensitive, inputs, context.now())
        updates = merge_updates(updates, left.updates())
    after = apply_updates(state, updates)
    moved = manager.update_context(after, flow_id, current_step=back.current_step)
    return merge_updates(updates, moved.updates())
