"""ActionContext: what an action may know about the conversation it serves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ActionContext:
    """Given to a parameter named `ctx`."""

    user_id: str
    conversation_id: str
    flow_id: str | None
    idempotency_key: str
    """The same for every try of one effect: pass it on to services that know such keys."""

    slots: Mapping[str, Any]
    """The flow's slots, typed, read-only."""

    session: Mapping[str, Any]
    """What the caller of the runtime said about the user."""

    say: Callable[[str], None]
    """Sends a message while the action runs."""

    logger: Any
