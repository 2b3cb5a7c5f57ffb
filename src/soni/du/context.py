"""What understanding is told, and what it answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from soni.commands.base import Command
from soni.slots import SlotType, slot_types


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
    sensitive: bool = False

    @property
    def kind(self) -> SlotType:
        """What its type does; a type that is not installed here takes any words."""
        kinds = slot_types()
        return kinds.get(self.type) or kinds["string"]


class FlowBrief(BaseModel):
    """A flow that may start now."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str = ""
    examples: tuple[str, ...] = ()
    slots: tuple[SlotBrief, ...] = ()
    """What the flow asks for, and so may be said along with its name."""


class Shown(BaseModel):
    """The values that the system's last message had in it."""

    model_config = ConfigDict(frozen=True)

    confirmed: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values the user was asked to confirm."""

    offered: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values the user may accept."""

    informed: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values were only told."""

    flow: str | None = None
    """The flow that the user was asked whether to start."""


class Task(BaseModel):
    """Another task of this conversation, paused or finished, and what is known of it."""

    model_config = ConfigDict(frozen=True)

    flow: str
    slots: dict[str, Any] = Field(default_factory=dict)
    """Values by slot, sensitive ones left out."""

    found: tuple[str, ...] = ()
    """Names among them that nobody asks for or has declared: what actions have found."""

    open: bool = False


class DialogueContext(BaseModel):
    """The moment a message is understood in: only what may happen now."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    current_flow: str = "none"
    current_slots: dict[str, Any] = Field(default_factory=dict)
    """Filled slots of the active flow, sensitive ones masked."""

    available_flows: tuple[FlowBrief, ...] = ()
    barred_flows: tuple[FlowBrief, ...] = ()
    """What may not start now: who wants one of these wants none of the others."""

    paused_flows: tuple[str, ...] = ()
    expected_slots: tuple[SlotBrief, ...] = ()
    waiting_for_slot: str | None = None
    asked: dict[str, Any] | None = None
    """The open question: kind, prompt, and what was offered."""

    offered: tuple[dict[str, Any], ...] = ()
    """What can be pressed: label, and a value or a command."""

    also_asked: tuple[str, ...] = ()
    """Slots that the same question asks for beside `waiting_for_slot`."""

    shown: Shown = Shown()
    others: tuple[Task, ...] = ()
    """What else is or was talked about, the latest first: "a hotel there"."""

    known_questions: tuple[str, ...] = ()
    """What the assistant has answers to beside its flows."""

    conversation_state: str = "idle"
    now: datetime
    language: str = "en"

    @property
    def asks_in_private(self) -> bool:
        """Whether the answer to the open question is nobody else's business."""
        asked = {self.waiting_for_slot, *self.also_asked}
        return any(slot.sensitive and slot.name in asked for slot in self.expected_slots)


class Usage(BaseModel):
    """What a language model was asked for a message."""

    model_config = ConfigDict(frozen=True)

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Those of the prompt that the model had read before."""

    completion_tokens: int = 0
    cost: float | None = None
    """In the currency of `settings.nlu.prices`; None without them."""


class NLUOutput(BaseModel):
    """What a provider made of a message."""

    model_config = ConfigDict(frozen=True)

    commands: Sequence[SerializeAsAny[Command] | dict[str, Any]] = ()
    confidence: float = 1.0
    reasoning: str | None = None
    source: str = ""
    """Which provider said so."""

    usage: Usage | None = None
    """What it took, if a language model was asked."""

    about: tuple[str, ...] = ()
    """Slots that the user asks about, as far as the provider can tell."""
