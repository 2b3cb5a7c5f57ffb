"""FlowDelta: what an operation on flows changes, as a value."""

from dataclasses import dataclass, fields
from typing import Any, cast

from soni.core.records import TraceEvent
from soni.core.state import merge_updates
from soni.core.types import FlowContext, Metadata, Overwrite, StateUpdate


@dataclass(frozen=True)
class FlowDelta:
    """An immutable change. A field that is None changes nothing."""

    flow_stack: list[FlowContext] | None = None
    flow_slots: dict[str, dict[str, Any] | None] | Overwrite | None = None
    """Merged per instance; `{flow_id: None}` removes one, `Overwrite` replaces all."""

    conversation_slots: dict[str, Any] | Overwrite | None = None
    metadata: Metadata | None = None
    messages: Overwrite | None = None
    trace: list[TraceEvent] | Overwrite | None = None

    def updates(self) -> StateUpdate:
        """The change as a state update."""
        changed = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {name: value for name, value in changed.items() if value is not None}
        return cast(StateUpdate, given)


def merge_delta(updates: StateUpdate, delta: FlowDelta) -> None:
    """Add a delta to updates that were collected before it."""
    updates.update(merge_updates(updates, delta.updates()))
