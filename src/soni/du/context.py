"""What understanding is told, and what it answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from soni.commands import Command


class FlowBrief(BaseModel):
    """A flow that may start now."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str = ""
    examples: tuple[str, ...] = ()


class SlotBrief(BaseModel):
    """A slot that may be filled now."""

    model_config = ConfigDict(frozen=True)

    name: str
    flow: str
    type: str = "string"
    description: str = ""
    examples: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    required: bool = True


class DialogueContext(BaseModel):
    """The moment a message is understood in: only what may happen now."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    current_flow: str = "none"
    current_slots: dict[str, Any] = Field(default_factory=dict)
    """Filled slots of the active flow, sensitive ones masked."""

    available_flows: tuple[FlowBrief, ...] = ()
    paused_flows: tuple[str, ...] = ()
    expected_slots: tuple[SlotBrief, ...] = ()
    waiting_for_slot: str | None = None
    asked: dict[str, Any] | None = None
    """The open question: kind, prompt, and what was offered."""

    offered: tuple[dict[str, Any], ...] = ()
    """What can be pressed: label, and a value or a command."""

    conversation_state: str = "idle"
    now: datetime
    language: str = "en"


class NLUOutput(BaseModel):
    """What a provider made of a message."""

    model_config = ConfigDict(frozen=True)

    commands: Sequence[SerializeAsAny[Command] | dict[str, Any]] = ()
    confidence: float = 1.0
    reasoning: str | None = None
    source: str = ""
    """Which provider said so."""
