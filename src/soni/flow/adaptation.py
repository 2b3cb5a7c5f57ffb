"""What becomes of an open flow whose assistant was edited while it ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from soni.core.constants import RESERVED_TARGETS
from soni.core.records import TraceEvent
from soni.core.state import create_progress
from soni.core.types import FlowContext, RuntimeContext, StateUpdate

if TYPE_CHECKING:
    from soni.config.assistant import Assistant


@dataclass(frozen=True)
class Adaptation:
    """How an instance goes on with flows of another version than its own."""

    outcome: Literal["continues", "restarts", "ends"]
    """`restarts`: its step is gone. `ends`: the flow itself is gone."""

    lost: tuple[str, ...]
    """Slots whose stored values their definitions no longer take; asked again where needed."""

    changes: Mapping[str, Any]
    """The fields of the instance that change."""


def plan_adaptation(
    flow: FlowContext, slots: Mapping[str, Any], assistant: Assistant
) -> Adaptation | None:
    """How an instance with these slots goes on; None: it is of this version already."""
    version = assistant.get_version(flow["flow_name"])
    plan = assistant.plans.get(flow["flow_name"])
    if plan is None:
        return Adaptation("ends", (), {})
    step = flow["current_step"]
    stands = step is None or step in plan.steps or step in RESERVED_TARGETS
    if stands and version in (None, flow.get("version")):
        return None
    lost = tuple(name for name, value in slots.items() if not fits_slot(name, value, assistant))
    progress = flow["progress"] if stands else create_progress()
    if lost:
        # A yes was to other values than those that will be asked for.
        progress = {**progress, "answer": None, "changing": False}
    changes: dict[str, Any] = {
        "progress": {**progress, "lost": sorted({*progress["lost"], *lost})},
        **({} if stands else {"current_step": None}),
        **({"version": version} if version is not None else {}),
    }
    return Adaptation("continues" if stands else "restarts", lost, changes)


def fits_slot(name: str, value: Any, assistant: Assistant) -> bool:
    """Whether a stored value is one that the slot's type and values still allow.

    Validators and constraints are not asked: what was accepted stays accepted.
    """
    if value is None or not assistant.is_declared(name):
        return True
    return assistant.get_slot_type(name).check(value, assistant.get_slot_config(name))


def note_adaptation(flow: FlowContext, adapted: Adaptation, context: RuntimeContext) -> StateUpdate:
    """Trace events: which values were lost, and why the task could not keep its version."""
    found = {
        "version_left": {"reason": context.assistant.unpinned.get(flow.get("version", ""))},
        "slots_lost": {"slots": list(adapted.lost)},
    }
    about = {"flow_id": flow["flow_id"], "flow_name": flow["flow_name"]}
    events: list[TraceEvent] = [
        {"event": name, "timestamp": context.now(), "data": {**about, **told}}
        for name, told in found.items()
        if all(told.values())
    ]
    return {"trace": events} if events else {}
