"""A service's frame, read from the state of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.understanding.sgd.rules import DONTCARE
from benchmarks.understanding.sgd.schema import Generated

NONE = "NONE"


@dataclass(frozen=True)
class Frame:
    """What is known of a service after a message."""

    intent: str = NONE
    slots: Mapping[str, str] = field(default_factory=dict)
    requested: frozenset[str] = frozenset()


def frame(service: str, state: Mapping[str, Any], about: Iterable[str], of: Generated) -> Frame:
    """The flow that is open, the values of its service, and what the message asked about."""
    places = (of.slots[name] for name in about if name in of.slots)
    return Frame(
        intent=_intent(service, state, of),
        slots={
            slot: _written(state["conversation_slots"][name])
            for name, (owner, slot) in of.slots.items()
            if owner == service and name in state["conversation_slots"]
        },
        requested=frozenset(slot for owner, slot in places if owner == service),
    )


def _intent(service: str, state: Mapping[str, Any], of: Generated) -> str:
    for flow in reversed(state["flow_stack"]):
        owner, intent = of.flows[flow["flow_name"]]
        if owner == service:
            return intent
    return NONE


def _written(value: Any) -> str:
    """A value as the data spells it; null is what was skipped."""
    return DONTCARE if value is None else str(value)
