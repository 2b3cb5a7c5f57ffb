"""SlotOwner: the flow instance in which a slot has to be changed."""

from dataclasses import dataclass
from typing import Any

from soni.commands.corrections import OpenInstance, get_open_flow, reopen_instance
from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.call_memory import find_filling_call, get_calls

VisitedSlots = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class SlotOwner:
    """The flow instance that a slot was filled in."""

    name: str
    """The name of the slot in that instance."""

    place: OpenInstance

    @property
    def flow_id(self) -> str | None:
        """The instance; None: the conversation."""
        return self.place.flow_id


def resolve_owner(
    name: str,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    seen: VisitedSlots = frozenset(),
) -> SlotOwner:
    """Find the instance in which the slot `name` got its value.

    An input that is a copy of the caller's slot got it in the caller. An output of a called flow
    got it in that flow, which is reopened.
    """
    if flow_id is None or Situation(state, context).is_shared(name):
        return SlotOwner(name, OpenInstance(flow_id, state, {}))
    here = reopen_instance(flow_id, state, context)
    situation, source = Situation(here.state, context), None
    if not situation.is_asking(name, flow_id):
        copied = _find_copied_slot(name, flow_id, situation)
        source = copied or _find_handed_out_slot(name, flow_id, situation)
    # A value that is both input and output of a call under one name would recurse forever.
    if source is None or source in seen:
        return SlotOwner(name, here)
    return resolve_owner(*source, state, context, seen | {(name, flow_id)})


def find_coming_values(
    flow_id: str | None, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """The values that later commands of the message give to an instance's slots."""
    situation, coming = Situation(state, context), dict[str, Any]()
    for name, value, flow_name in state["turn"].get("coming", []):
        owner = situation.find_owner(name, flow_name)
        home = resolve_owner(name, owner["flow_id"], state, context) if owner is not None else None
        if home is not None and (home.flow_id == flow_id or situation.is_shared(name)):
            coming[home.name] = value
    return coming


def _find_copied_slot(name: str, flow_id: str, situation: Situation) -> tuple[str, str] | None:
    """The caller's slot that this input still equals, if the user may fill that slot."""
    flow = get_open_flow(situation.state, flow_id)
    if flow["called_by"] is None:
        return None
    caller = get_open_flow(situation.state, flow["called_by"])
    plan = situation.get_plan(caller["flow_name"])
    step = plan.steps.get(caller["current_step"] or "") if plan else None
    source = step.copies.get(name) if step else None
    here, there = situation.get_values(flow_id), situation.get_values(caller["flow_id"])
    if source is None or source not in there or here.get(name) != there[source]:
        return None
    return (source, caller["flow_id"]) if situation.has_slot(source, caller) else None


def _find_handed_out_slot(name: str, flow_id: str, situation: Situation) -> tuple[str, str] | None:
    """The slot of a called flow that was returned under this name."""
    flow = get_open_flow(situation.state, flow_id)
    plan = situation.get_plan(flow["flow_name"])
    if plan is None or name in plan.asks:
        return None
    handed = find_filling_call(name, flow, situation.assistant.plans)
    if handed is None:
        return None
    step, output = handed
    return output, get_calls(flow)[step]["context"]["flow_id"]
