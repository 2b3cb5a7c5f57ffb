"""The system's side of a dialogue, from the data: what understanding is told of each moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from benchmarks.understanding.sgd.dialogues import Dialogue, Turn
from benchmarks.understanding.sgd.schema import Generated
from soni.du.context import DialogueContext, FlowBrief, ShownValues, SlotBrief, Task

Act = Mapping[str, Any]
_TELLING = ("CONFIRM", "OFFER", "INFORM", "REQUEST")


class System:
    """What the system of a dialogue has said so far."""

    def __init__(self, dialogue: Dialogue, generated: Generated) -> None:
        self._generated = generated
        self._turns = dialogue.turns
        self._at = -1
        self._told: dict[str, dict[str, Any]] = {}
        self._last: dict[str, str] = {}
        self._briefs: dict[str, FlowBrief] = {}
        self.offers: dict[str, dict[str, str]] = {}
        """What is on offer, by service and slot: people ask about it before they take it."""

    def speak(self) -> Turn:
        """The system says its next lines; the whole turn."""
        self._at += 1
        offers: dict[str, dict[str, str]] = {}
        for act in self.acts:
            if act["act"] in _TELLING and act["values"]:
                self._told.setdefault(act["service"], {})[act["slot"]] = act["values"][0]
            if act["act"] == "OFFER":
                offers.setdefault(act["service"], {})[act["slot"]] = act["values"][0]
        self.offers.update(offers)
        return self._turns[self._at]

    @property
    def acts(self) -> Sequence[Act]:
        """What the lines do."""
        return self._turns[self._at].system_acts

    def does(self, *kinds: str) -> bool:
        """Whether the lines do one of these."""
        return any(act["act"] in kinds for act in self.acts)

    def history(self) -> list[AnyMessage]:
        """What was said, up to the user's message."""
        said: list[AnyMessage] = []
        for turn in self._turns[: self._at + 1]:
            said += [AIMessage(turn.system)] if turn.system else []
            said.append(HumanMessage(turn.user))
        return said[:-1]

    def context(self, context: DialogueContext) -> DialogueContext:
        """The engine's moment, with the data's question in place of the engine's own."""
        asked = [self._name(act) for act in self.acts if act["act"] == "REQUEST"]
        service = self._generated.service_of(context.current_flow)
        self._remember(service, context.current_flow)
        return context.model_copy(
            update={
                "waiting_for_slot": asked[0] if asked else None,
                "also_asked": tuple(asked[1:]),
                "asked": self._question(),
                "shown": self.shown(),
                "offered": (),
                "current_slots": self._known(service, context.current_slots),
                "paused_flows": tuple(self._paused(context, service)),
                "others": tuple(self._others(context, service)),
                "available_flows": tuple(self._brief(flow) for flow in context.available_flows),
                "expected_slots": self._expected(context),
            }
        )

    def shown(self) -> ShownValues:
        """The values in the lines."""
        parts: dict[str, dict[str, Any]] = {"CONFIRM": {}, "OFFER": {}, "INFORM": {}}
        flow = None
        for act in self.acts:
            # "Are you leaving on the 4th?" may be accepted like any other offer.
            kind = "OFFER" if act["act"] == "REQUEST" and act["values"] else act["act"]
            if kind == "OFFER_INTENT":
                flow = self._generated.flow(act["service"], act["values"][0])
            elif kind in parts and act["slot"] and act["values"]:
                values = act["values"]
                parts[kind][self._name(act)] = values[0] if len(values) == 1 else list(values)
        return ShownValues(
            confirmed=parts["CONFIRM"], offered=parts["OFFER"], informed=parts["INFORM"], flow=flow
        )

    def _name(self, act: Act) -> str:
        return self._generated.slot(act["service"], act["slot"])

    def _question(self) -> dict[str, Any] | None:
        text = self._turns[self._at].system
        kind = "confirm" if self.does("CONFIRM") else "collect" if self.does("REQUEST") else "open"
        return {"kind": kind, "prompt": text, "data": {}} if text else None

    def _known(self, service: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
        """Of the conversation's slots those of one service: its flows share them."""
        slots = self._generated.slots
        return {n: value for n, value in values.items() if n in slots and slots[n][0] == service}

    def _remember(self, service: str | None, flow: str) -> None:
        """The latest service is the first, with its last flow."""
        if service is not None:
            others = {name: kept for name, kept in self._last.items() if name != service}
            self._last = {service: flow, **others}

    def _paused(self, context: DialogueContext, active: str | None) -> list[str]:
        """The last flow of each other service that is still open."""
        last = (flow for service, flow in self._last.items() if service != active)
        return [flow for flow in last if flow in context.paused_flows]

    def _others(self, context: DialogueContext, active: str | None) -> list[Task]:
        """Other services and what was said of them; then what the system has only told."""
        known = context.current_slots
        said = [(s, self._known(s, known)) for s in self._last if s != active]
        told = [(service, self._told_of(service)) for service in self._last]
        return [Task(flow=self._last[s], slots=slots) for s, slots in (*said, *told) if slots]

    def _told_of(self, service: str) -> dict[str, Any]:
        told = self._told.get(service, {})
        return {self._generated.slot(service, slot): value for slot, value in told.items()}

    def _expected(self, context: DialogueContext) -> tuple[SlotBrief, ...]:
        """The slots of the active flow; those of paused ones are among the flows that may start."""
        flows = [flow for flow in context.available_flows if flow.name == context.current_flow]
        return tuple(brief for flow in flows for brief in self._brief(flow).slots)

    def _brief(self, flow: FlowBrief) -> FlowBrief:
        """A slot that one intent needs and another does not is told so of each."""
        if flow.name not in self._briefs:
            needed = self._generated.needs(flow.name)
            slots = (b.model_copy(update={"required": b.name in needed}) for b in flow.slots)
            self._briefs[flow.name] = flow.model_copy(update={"slots": tuple(slots)})
        return self._briefs[flow.name]
