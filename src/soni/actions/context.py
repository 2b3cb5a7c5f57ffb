"""ActionContext: what an action may know about the conversation it serves."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from soni.config.tool_action import ToolAction
from soni.flow.plain import make_encodable

ToolCall = Callable[[ToolAction, Mapping[str, Any]], Awaitable[Any]]


@dataclass(frozen=True)
class ActionContext:
    """Given to a parameter named `ctx`."""

    user_id: str
    conversation_id: str
    flow_id: str | None
    idempotency_key: str
    """Idempotency key: the same for every attempt of one effect. Pass it on to services."""

    slots: Mapping[str, Any]
    """The flow's slots, typed, read-only."""

    session: Mapping[str, Any]
    """What the caller of the runtime said about the user."""

    say: Callable[[str], None]
    """Sends a message while the action runs."""

    logger: Any

    call_tool: ToolCall | None = None
    """Calls a tool of an MCP server, for actions that are one."""


class Speech:
    """An action's `say`. It is silent once the action has timed out."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._over = False

    def __call__(self, text: str) -> None:
        """Send a message."""
        if not isinstance(text, str):
            raise TypeError(f"say() takes a text, not {type(text).__name__}")
        if not self._over:
            self._say(make_encodable(text))

    def end(self) -> None:
        """Stop speaking. The action is over, although its thread may still run."""
        self._over = True
