"""An action call as plain data: what the runner needs to execute it exactly once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ActionCall:
    """One call of one action, asked for by a step (or by a handoff)."""

    action: str
    inputs: Mapping[str, Any]
    """Typed values by parameter."""

    key: str
    """`conversation/flow_id/step/visit`: a repeated message has the same key."""

    user_id: str
    conversation_id: str
    flow_id: str | None
    slots: Mapping[str, Any]
    """Typed, read-only: what `ctx.slots` shows."""

    session: Mapping[str, Any]
    say: Callable[[str], None]
    """Streams a message while the action runs."""

    write: Callable[[str], None] | None = None
    """Streams pieces of a text while it is being written."""

    note: Callable[[str, Any], None] | None = None
    """Is told how the call went: `attempts`, if there were several; `ledger`, if it is known."""

    timeout: float | None = None
    retry: Any = None
    repeatable: bool = False
