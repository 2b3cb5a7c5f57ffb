"""The input and the output of dialogue understanding."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from soni.commands.base import Command
from soni.slots import SlotType, slot_types


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class SlotBrief(_Frozen):
    """A slot that may be filled now, as a provider of understanding sees it."""

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
        """The slot type; `string` if the type is not installed here."""
        kinds = slot_types()
        return kinds.get(self.type) or kinds["string"]


class FlowBrief(_Frozen):
    """A flow that may start now, as a provider of understanding sees it."""

    name: str
    description: str = ""
    examples: tuple[str, ...] = ()
    slots: tuple[SlotBrief, ...] = ()
    """The slots that the flow asks for; a message may fill them as it starts the flow."""


class ShownValues(_Frozen):
    """The values in the system's last message."""

    confirmed: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values the user was asked to confirm."""

    offered: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values the user may accept."""

    informed: dict[str, Any] = Field(default_factory=dict)
    """Slots whose values the user was only told."""

    flow: str | None = None
    """The flow that the user was asked whether to start."""


class Task(_Frozen):
    """Another task of this conversation, paused or finished, and what is known of it."""

    flow: str
    slots: dict[str, Any] = Field(default_factory=dict)
    """Values by slot, sensitive ones left out."""

    found: tuple[str, ...] = ()
    """Names among `slots` that no step asks for and nobody declared: results of actions."""

    open: bool = False


class DialogueContext(_Frozen):
    """What a provider of understanding is told besides the message: only what may happen now.

    `ScopeManager` builds one for each message. Only `now` is required, which helps in tests:

        DialogueContext(now=datetime.now(), expected_slots=(SlotBrief(name="city", flow="trip"),))
    """

    current_flow: str = "none"
    current_slots: dict[str, Any] = Field(default_factory=dict)
    """Filled slots of the active flow, sensitive ones masked."""

    available_flows: tuple[FlowBrief, ...] = ()
    barred_flows: tuple[FlowBrief, ...] = ()
    """Flows that may not start now. A message like one of these is like none of the others."""

    paused_flows: tuple[str, ...] = ()
    expected_slots: tuple[SlotBrief, ...] = ()
    waiting_for_slot: str | None = None
    asked: dict[str, Any] | None = None
    """The open question: kind, prompt, and what was offered."""

    offered: tuple[dict[str, Any], ...] = ()
    """The buttons: each has a label, and a value or a command."""

    also_asked: tuple[str, ...] = ()
    """Slots that the same question asks for beside `waiting_for_slot`."""

    shown: ShownValues = ShownValues()
    others: tuple[Task, ...] = ()
    """Other tasks, the latest first: "a hotel there" refers to one of them."""

    known_questions: tuple[str, ...] = ()
    """Questions that the assistant's knowledge answers."""

    conversation_state: str = "idle"
    now: datetime
    language: str = "en"

    @property
    def asked_slots(self) -> tuple[str, ...]:
        """The slots that the open question asks for."""
        return tuple(name for name in (self.waiting_for_slot, *self.also_asked) if name)

    @property
    def asks_in_private(self) -> bool:
        """Whether the open question asks for a sensitive slot."""
        asked = self.asked_slots
        return any(slot.sensitive and slot.name in asked for slot in self.expected_slots)


class Usage(_Frozen):
    """Calls, tokens and cost of a language model for one message."""

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the provider had in its cache."""

    completion_tokens: int = 0
    cost: float | None = None
    """In the currency of `settings.nlu.prices`; None without them."""


class NLUOutput(_Frozen):
    """What a provider of understanding answers: the commands of a message."""

    commands: Sequence[SerializeAsAny[Command] | dict[str, Any]] = ()
    confidence: float = 1.0
    reasoning: str | None = None
    source: str = ""
    """Which provider said so."""

    usage: Usage | None = None
    """Set if a language model was asked."""

    about: tuple[str, ...] = ()
    """Slots that the user asks about, as far as the provider can tell."""
