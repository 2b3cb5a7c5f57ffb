"""Turn: what one message did, for the caller."""

from dataclasses import dataclass, field
from typing import Any

from soni.core.types import DialogueState


@dataclass(frozen=True)
class Turn:
    """The outcome of one message."""

    conversation_id: str
    number: int
    """Which turn of the conversation this was."""

    message_id: str | None
    messages: list[str]
    """What the bot said, message by message."""

    commands: list[dict[str, Any]]
    """What understanding produced, each with its decision and reason."""

    state: DialogueState
    """The conversation after the turn."""

    timings: dict[str, float] = field(default_factory=dict, compare=False)
    """Seconds: `total` and `understanding`."""

    sources: list[str] = field(default_factory=list)
    """The entries of knowledge that answers come from, by their ids."""

    repeated: bool = False
    """The message had been handled before: this is what was answered then."""

    @property
    def text(self) -> str:
        """The messages joined by newlines."""
        return "\n".join(self.messages)
