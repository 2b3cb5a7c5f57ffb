"""The state of a dialogue by the conventions of the data, from what each message means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.understanding.sgd.dialogues import Turn

DONTCARE = "dontcare"
ACCEPTED = ("CONFIRM", "REQUEST", "OFFER")


@dataclass
class Meaning:
    """What a message means, by service."""

    acts: set[str] = field(default_factory=set)
    flow: str | None = None
    """`Service.Intent` that starts."""

    values: dict[tuple[str, str], Any] = field(default_factory=dict)
    requested: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Tracker:
    """Values and intents by service."""

    schema: Mapping[str, Mapping[str, Any]]
    state: dict[str, dict[str, Any]] = field(default_factory=dict)
    intents: dict[str, str] = field(default_factory=dict)
    latest: str = ""
    offers: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """What was offered last, by service; the user may ask about it before taking it."""

    def take(self, turn: Turn, meaning: Meaning) -> None:
        """Acceptance first, then the flow, then the values that were said."""
        offers = [act for act in turn.system_acts if act["act"] == "OFFER"]
        for service in {act["service"] for act in offers}:
            self.offers[service] = [act for act in offers if act["service"] == service]
        if "affirm" in meaning.acts:
            self._commit(act for act in turn.system_acts if act["act"] in ACCEPTED)
        if "select" in meaning.acts and self.latest in self.offers:
            wanted = self._wanted(self.latest)
            self._commit(act for act in self.offers[self.latest] if act["slot"] in wanted)
        closing = any(act["act"] in ("REQ_MORE", "OFFER_INTENT") for act in turn.system_acts)
        if "deny" in meaning.acts and closing:
            self.intents.clear()
        if meaning.flow:
            service, intent = meaning.flow.split(".")
            self.intents[service] = intent
            self.latest = service
        for (service, slot), value in meaning.values.items():
            self.state.setdefault(service, {})[slot] = value

    def _commit(self, acts: Iterable[Mapping[str, Any]]) -> None:
        for act in acts:
            slots = self.state.setdefault(act["service"], {})
            if len(act["values"]) == 1 and slots.get(act["slot"]) != DONTCARE:
                slots[act["slot"]] = act["values"][0]

    def _wanted(self, service: str) -> set[str]:
        """Of what was chosen, the slots that another flow of the service needs, or else takes."""
        active = self.intents.get(service)
        others = [spec for spec in self.schema[service]["intents"] if spec["name"] != active]
        needed = {name for spec in others for name in spec["required_slots"]}
        for spec in others:
            taken = spec["optional_slots"].items()
            needed |= {name for name, value in taken if value != DONTCARE}
        if needed & {act["slot"] for act in self.offers[service]}:
            return needed
        return {n for s in others for n in (*s["required_slots"], *s["optional_slots"])}
