"""What is known at a moment, looked up once for all its slots and flows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from soni.du.context import DialogueContext
from soni.du.tagger.mentions import format_words, normalise_words
from soni.du.tagger.names import make_title, speak_identifier


@dataclass(frozen=True)
class Facts:
    """The context of a message, ready to be asked."""

    message: str
    """Plain, as the system's words."""

    system: str
    flow: str
    fresh: bool
    """Nothing of the active flow is known yet."""

    requested: frozenset[str]
    confirmed: Mapping[str, Any]
    offered: Mapping[str, Any]
    informed: Mapping[str, Any]
    current: Mapping[str, Any]
    tasks: Mapping[str, Mapping[str, Any]]
    elsewhere: frozenset[str]
    titles: Mapping[str, str]

    @classmethod
    def of(cls, message: str, system: str, context: DialogueContext) -> "Facts":
        """The facts of a context."""
        tasks: dict[str, Mapping[str, Any]] = {}
        for task in context.others:
            tasks.setdefault(task.flow, task.slots)
        asked = {context.waiting_for_slot, *context.also_asked} - {None}
        return cls(
            message=normalise_words(message),
            system=normalise_words(system),
            flow=context.current_flow,
            fresh=not context.current_slots,
            requested=frozenset(name for name in asked if name),
            confirmed=context.shown.confirmed,
            offered=context.shown.offered,
            informed=context.shown.informed,
            current=context.current_slots,
            tasks=tasks,
            elsewhere=frozenset(name for slots in tasks.values() for name in slots),
            titles={
                flow.name: make_title(flow.name, flow.description)
                for flow in context.available_flows
            },
        )

    def title(self, flow: str) -> str:
        """What stands for a flow."""
        return self.titles.get(flow) or speak_identifier(flow)

    def get_filled(self, name: str, flows: tuple[str, ...]) -> Any | None:
        """The value that a slot has in the active flow, or else in another of these."""
        if self.current.get(name) is not None:
            return self.current[name]
        others = (self.tasks[flow] for flow in flows if flow in self.tasks and flow != self.flow)
        return next((slots[name] for slots in others if slots.get(name) is not None), None)

    def list_shown(self, name: str) -> list[str]:
        """The values of a slot that the system has just told, as plain words."""
        told = (values[name] for values in self._shown_mappings if values.get(name) is not None)
        return [
            format_words(one)
            for value in told
            for one in (value if isinstance(value, list | tuple) else (value,))
        ]

    @property
    def _shown_mappings(self) -> tuple[Mapping[str, Any], ...]:
        return self.confirmed, self.offered, self.informed
