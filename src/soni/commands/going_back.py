"""Going back in a flow: what a rewind changes, as updates."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.called import calls_of, flows_above, fold
from soni.flow.rewind import Again, Rewound, rewind


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
    flow_id, progress, updates = flow["flow_id"], back.progress, dict[str, Any]()
    if gone := [*unset, *back.unset]:
        updates = context.flow_manager.unset_slots(state, gone, flow_id).updates()
    for name, value in back.restored.items():
        seen = apply_updates(state, updates)
        kept = context.flow_manager.set_slot(seen, name, value, flow_id).updates()
        updates = merge_updates(updates, kept)
    moves = back.current_step != flow["current_step"] or back.reenters is not None
    if moves and flows_above(state, flow_id):
        folded = fold(state, flow_id, secret_in(context), back.reenters or (), context.now())
        updates = merge_updates(updates, folded.updates())
        left = calls_of(_found(folded.flow_stack or [], flow_id))[flow["current_step"] or ""]
        called = {**progress["called"], flow["current_step"] or "": left}
        progress = {**progress, "called": called}
    moved = context.flow_manager.update_context(
        apply_updates(state, updates), flow_id, current_step=back.current_step, progress=progress
    ).updates()
    return merge_updates(updates, moved)


def _found(stack: Sequence[FlowContext], flow_id: str) -> FlowContext:
    return next(context for context in stack if context["flow_id"] == flow_id)


def secret_in(context: RuntimeContext) -> Callable[[str], bool]:
    """Tells which slots are sensitive."""
    return lambda name: context.assistant.slot(name).sensitive
