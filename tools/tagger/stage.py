"""A dialogue of the data as Soni would see it: the context of each of the user's messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchmarks.understanding.sgd.dialogues import Turn
from soni.du.context import DialogueContext, ShownValues, Task
from tools.tagger.schema import Assistant, without

NOW = datetime(2019, 3, 1, 12)
VALUES = ("CONFIRM", "OFFER", "INFORM", "REQUEST")


@dataclass
class Stage:
    """What has happened so far in a dialogue. Whoever reads the messages tells what they mean."""

    assistant: Assistant
    flow: str = "none"
    """The active one, by its name in the assistant."""

    ended: bool = False
    order: list[str] = field(default_factory=list)
    """Services, the latest first."""

    open: set[str] = field(default_factory=set)
    """Services whose flows have not been ended."""

    last: dict[str, str] = field(default_factory=dict)
    """The flow that a service had last."""

    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the system has said of a service, by slot."""

    def hear(self, turn: Turn) -> None:
        """The system's turn."""
        for act in turn.system_acts:
            if act["act"] in VALUES and act["values"]:
                self.told.setdefault(act["service"], {})[act["slot"]] = act["values"][0]

    def start(self, origin: str) -> None:
        """A flow starts, given as `Service.Intent`."""
        service = origin.split(".")[0]
        self.flow, self.ended = self.assistant.titles[origin], False
        self.last[service] = self.flow
        self.open.add(service)
        self.order = [service, *(other for other in self.order if other != service)]

    def follow(self, turn: Turn, started: str | None, denied: bool) -> None:
        """What the user's message changes: a no to "anything else?" ends all that is open."""
        acts = {act["act"] for act in turn.system_acts}
        if denied and acts & {"REQ_MORE", "OFFER_INTENT"}:
            # Nothing is open, but what was talked about is still known.
            self.flow, self.open = "none", set()
        if started:
            self.start(started)

    @property
    def service(self) -> str | None:
        """The service of the active flow."""
        return self.order[0] if self.order else None

    def context(
        self, turn: Turn, state: Mapping[str, Mapping[str, Any]], *, again: bool = True
    ) -> DialogueContext:
        """The moment before the user's message; `state` has a value by service and slot."""
        asked = [act for act in turn.system_acts if act["act"] == "REQUEST"]
        names = [self._name(act["service"], act["slot"]) for act in asked]
        flow = "none" if self.ended else self.flow
        active = self.service if flow != "none" else None
        known = [brief for brief in self.assistant.flows if brief.name == flow]
        return DialogueContext.model_construct(
            current_flow=flow,
            current_slots=self._values(active, state.get(active, {})) if active else {},
            available_flows=self.assistant.flows if again else without(self.assistant, flow),
            paused_flows=tuple(
                self.last[service]
                for service in self.order
                if service in self.open and service != active
            ),
            expected_slots=known[0].slots if known else (),
            waiting_for_slot=names[0] if names else None,
            asked=_question(turn),
            also_asked=tuple(names[1:]),
            shown=self._shown(turn),
            others=tuple(self._others(active, state)),
            offered=(),
            conversation_state="idle",
            now=NOW,
            language="en",
        )

    def _name(self, service: str, slot: str) -> str:
        return self.assistant.names[service, slot]

    def _values(self, service: str, values: Mapping[str, Any]) -> dict[str, Any]:
        return {self._name(service, slot): value for slot, value in values.items()}

    def _shown(self, turn: Turn) -> ShownValues:
        parts: dict[str, dict[str, Any]] = {"CONFIRM": {}, "OFFER": {}, "INFORM": {}}
        flow = None
        for act in turn.system_acts:
            kind = "OFFER" if act["act"] == "REQUEST" and act["values"] else act["act"]
            if kind == "OFFER_INTENT":
                flow = self.assistant.titles.get(f"{act['service']}.{act['values'][0]}")
            elif kind in parts and act["slot"] and act["values"]:
                values = act["values"]
                name = self._name(act["service"], act["slot"])
                parts[kind][name] = values[0] if len(values) == 1 else list(values)
        return ShownValues.model_construct(
            confirmed=parts["CONFIRM"], offered=parts["OFFER"], informed=parts["INFORM"], flow=flow
        )

    def _others(self, active: str | None, state: Mapping[str, Mapping[str, Any]]) -> list[Task]:
        """Other tasks and what was said in them; last, what the system has only told."""
        tasks = [
            (self.last[service], self._values(service, state.get(service, {})), service != active)
            for service in self.order
        ]
        told = [
            (self.last[service], self._values(service, self.told.get(service, {})), True)
            for service in self.order
        ]
        return [
            Task.model_construct(flow=flow, slots=slots, open=False)
            for flow, slots, kept in (*tasks, *told)
            if kept and slots
        ]


def _question(turn: Turn) -> dict[str, Any] | None:
    acts = {act["act"] for act in turn.system_acts}
    if "CONFIRM" in acts:
        return {"kind": "confirm"}
    return {"kind": "collect"} if "REQUEST" in acts else None
