"""FlowDelta: what an operation on flows changes, as a value."""

from dataclasses import dataclass, fields
from typing import Any

from soni.core.state import merge_updates
from soni.core.types import FlowContext, Overwrite


@dataclass(frozen=True)
class FlowDelta:
    """An immutable change. A field that is None changes nothing."""

    flow_stack: list[FlowContext] | None = None
    flow_slots: dict[str, dict[str, Any] | None] | Overwrite | None = None
    """Merged per instance; `{flow_id: None}` removes one, `Overwrite` replaces all."""

    conversation_slots: dict[str, Any] | Overwrite | None = None
    metadata: dict[str, Any] | None = None
    messages: Overwrite | None = None
    trace: list[dict[str, Any]] | Overwrite | None = None

    def updates(self) -> dict[str, Any]:
        """The change as state updates."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }


def merge_delta(updates: dict[str, Any], delta: FlowDelta) -> None:
    """Add a delta to updates that were collected before it."""
    updates.update(merge_updates(updates, delta.updates()))
