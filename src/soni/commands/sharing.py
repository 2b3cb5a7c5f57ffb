"""Slots of the conversation: what a change of one means for the flows that wait."""

from collections.abc import Iterable
from typing import Literal

from soni.commands.going_back import go_back, rewound
from soni.commands.visit import flow_in, leave, visit
from soni.core.state import Updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.called import iter_remembered_flows
from soni.flow.deeds import TooLateError


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
