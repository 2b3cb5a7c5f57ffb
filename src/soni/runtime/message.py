"""Message: what came in, from the user or from the application."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from soni.commands import Command


@dataclass(frozen=True)
class Message:
    """One thing to handle."""

    text: str | None
    """None: the application, not the user, wants something."""

    user_id: str
    conversation_id: str
    message_id: str | None = None
    language: str | None = None
    session: dict[str, Any] = field(default_factory=dict)
    commands: Sequence[Any] | None = None
    """Already understood; None: to be understood."""

    facts: dict[str, Any] = field(default_factory=dict)

    def opening(self) -> dict[str, Any]:
        """What the graph is told at the start of the turn."""
        given = (
            [c.model_dump(mode="json") if isinstance(c, Command) else c for c in self.commands]
            if self.commands is not None
            else None
        )
        return {
            "user_message": self.text,
            "turn": {**self.facts, "message_id": self.message_id, "given": given},
        }
