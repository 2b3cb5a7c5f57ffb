"""What the journal keeps of a turn."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from soni.core.masking import masked_slots
from soni.core.types import DialogueState, RuntimeContext


def turn_record(
    before: DialogueState,
    after: DialogueState,
    context: RuntimeContext,
    timings: dict[str, float],
    versions: dict[str, str],
) -> dict[str, Any]:
    """A turn as plain JSON, sensitive values masked."""
    facts = after["turn"]
    return {
        "user_id": context.user_id,
        "language": context.language,
        "message": facts["message"],
        "source": facts["source"],
        "commands": facts["decisions"],
        "actions": facts["actions"],
        "replies": [reply["text"] for reply in after["replies"]],
        "ended": facts["ended"],
        "state": {"before": _position(before), "after": _position(after)},
        "slots": _changed_slots(before, after, context),
        "conversation_slots": _changed(
            before["conversation_slots"], after["conversation_slots"], context
        ),
        "timings": {name: round(seconds, 6) for name, seconds in timings.items()},
        "versions": versions,
    }


def _position(state: DialogueState) -> dict[str, Any]:
    return {
        "state": state["conversation_state"],
        "stack": [flow["flow_id"] for flow in state["flow_stack"]],
        "step": state["current_step"],
        "waiting_for": state["waiting_for_slot"],
    }


def _changed_slots(
    before: DialogueState, after: DialogueState, context: RuntimeContext
) -> dict[str, dict[str, Any]]:
    changed: dict[str, dict[str, Any]] = {}
    for flow_id, slots in after["flow_slots"].items():
        new = _changed(
            before["flow_slots"].get(flow_id, {}), slots, context, after["conversation_slots"]
        )
        if new:
            changed[flow_id] = new
    return changed


def _changed(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    context: RuntimeContext,
    beside: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Slots with a new value; what was copied from a sensitive one is as secret as that."""
    shown = masked_slots({**beside, **after}, lambda name: context.assistant.slot(name).sensitive)
    return {
        name: shown[name]
        for name, value in after.items()
        if name not in before or before[name] != value
    }
