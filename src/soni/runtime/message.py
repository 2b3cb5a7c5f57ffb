"""Message: what came in, from the user or from the application."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from soni.commands import Command
from soni.core.records import TurnFacts
from soni.core.types import DialogueState, StateUpdate


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

    facts: TurnFacts = field(default_factory=TurnFacts)
    """What the application says of the turn."""

    check: Callable[[DialogueState], None] | None = None
    """Raises if the conversation, once it is held, is not one in which this makes sense."""

    def make_input(self) -> StateUpdate:
        """What the graph is told at the start of the turn."""
        given = (
            [c.model_dump(mode="json") if isinstance(c, Command) else c for c in self.commands]
            if self.commands is not None
            else None
        )
        return {
            "user_message": _replace_surrogates(self.text),
            "turn": {
                **self.facts,
                "message_id": self.message_id,
                "given": _replace_surrogates(given),
            },
        }


def _replace_surrogates(value: Any) -> Any:
    """Plain data as it can be stored: half a character, as broken clients send it, becomes `?`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    return value
