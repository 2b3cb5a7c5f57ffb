"""View: the dialogue context, with the questions that rules ask about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from soni.core.prompts import YES_NO_KINDS
from soni.du.context import DialogueContext, SlotBrief
from soni.language import Language, find_language, has_language
from soni.slots import SlotEnv


@dataclass(frozen=True)
class MessageEnv(SlotEnv):
    """The slot environment of one message, with a cache of the values found in it."""

    found: dict[tuple[str, ...], list[Any]] = field(default_factory=dict, compare=False)
    """By text and slot, since rules look for the same values many times."""


@dataclass(frozen=True)
class View:
    """A dialogue context, with the questions that rules ask about it."""

    context: DialogueContext

    @property
    def language(self) -> str:
        """The language of the conversation."""
        return self.context.language

    @cached_property
    def lang(self) -> Language:
        """The words of that language."""
        return find_language(self.context.language)

    @property
    def has_models(self) -> bool:
        """Whether the model knows the language."""
        return has_language(self.language) and self.lang.has_models

    @cached_property
    def env(self) -> SlotEnv:
        """The environment for reading values: the time and the language."""
        return MessageEnv(now=self.context.now, language=self.context.language)

    @property
    def kind(self) -> str | None:
        """What sort of question is open."""
        kind: str | None = (self.context.asked or {}).get("kind")
        return kind

    @property
    def prompt(self) -> str:
        """The words of the open question."""
        return str((self.context.asked or {}).get("prompt", ""))

    @property
    def data(self) -> Mapping[str, Any]:
        """What the open question is about."""
        return (self.context.asked or {}).get("data") or {}

    @property
    def is_idle(self) -> bool:
        """Whether nothing is going on."""
        return self.context.current_flow == "none" and self.context.asked is None

    @property
    def asks_for_form(self) -> bool:
        """Whether the answer has a form, so that not any words may be it."""
        return self.asked is not None and (self.asked.kind.has_form or self.asked.kind.is_polar)

    @property
    def asks_yes_or_no(self) -> bool:
        """Whether yes or no answers the open question, or takes what was shown."""
        shown = self.context.shown
        takes = bool(shown.confirmed or shown.offered or shown.flow)
        if self.kind in (*YES_NO_KINDS, "disambiguate", "open") or takes:
            return True
        return self.asked is not None and self.asked.kind.is_polar

    @property
    def asks_what_to_change(self) -> bool:
        """Whether something was not right, and the question is what."""
        return bool(self.data.get("changing"))

    @property
    def is_listed(self) -> bool:
        """Whether the answer is an item of a list."""
        return "options" in self.data

    @cached_property
    def asked(self) -> SlotBrief | None:
        """The slot that was asked."""
        name = self.context.waiting_for_slot
        return next((slot for slot in self.context.expected_slots if slot.name == name), None)

    @cached_property
    def active(self) -> tuple[SlotBrief, ...]:
        """The slots of the active flow."""
        return tuple(s for s in self.context.expected_slots if s.flow == self.context.current_flow)

    def list_slots(self, flow: str) -> tuple[SlotBrief, ...]:
        """What a flow that may start asks for."""
        flows = self.context.available_flows
        return next((brief.slots for brief in flows if brief.name == flow), ())

    def get_value(self, slot: SlotBrief) -> Any:
        """What the slot has now; None: nothing."""
        if slot.flow == self.context.current_flow:
            return self.context.current_slots.get(slot.name)
        tasks = (task for task in self.context.others if task.open and task.flow == slot.flow)
        found = next((task.slots.get(slot.name) for task in tasks), None)
        return found if found is not None else self.context.current_slots.get(slot.name)

    @cached_property
    def filled(self) -> tuple[SlotBrief, ...]:
        """Slots of open flows that have a value, the active flow's first."""
        return tuple(s for s in self.context.expected_slots if self.get_value(s) is not None)
