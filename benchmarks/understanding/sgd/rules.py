"""What the data's system makes of an answer: the conventions by which its states were written.

They are the engine's part of the dialogues, not understanding's: a yes takes what was shown, a no
to "anything else?" ends everything that is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.understanding.sgd.schema import Generated, tracked
from benchmarks.understanding.sgd.system import System
from soni.commands import Command, SetSlot, StartFlow
from soni.du.context import DialogueContext

DONTCARE = "dontcare"


@dataclass(frozen=True)
class Plan:
    """What the engine is to do for a message."""

    commands: Sequence[Command]
    closes: bool = False
    """Everything that is open ends before the commands run."""


def as_asked(commands: Sequence[Command], context: DialogueContext) -> list[Command]:
    """A yes or no to the question for a boolean is its value, as for a question of the engine."""
    asked = context.waiting_for_slot
    kinds = {brief.name: brief.type for brief in context.expected_slots}
    if asked is None or kinds.get(asked) != "boolean":
        return list(commands)
    touched = {name for command in commands for name in command.get_touched_slots()}
    answers = {"AffirmConfirmation": True, "DenyConfirmation": False}
    return [
        SetSlot(slot_name=asked, value=answers[command.type])
        if command.type in answers and asked not in touched
        else command
        for command in commands
    ]


def planned(
    commands: Sequence[Command], system: System, generated: Generated, context: DialogueContext
) -> Plan:
    """The commands of a message, with what follows from them in the data."""
    said = {command.type for command in commands}
    closes = "DenyConfirmation" in said and system.does("REQ_MORE", "OFFER_INTENT")
    added: list[Command] = []
    if "AffirmConfirmation" in said:
        touched = {name for command in commands for name in command.get_touched_slots()}
        taken = {**_confirmed(system, generated, context), **_chosen(system, generated, context)}
        added = [SetSlot(slot_name=n, value=v) for n, v in taken.items() if n not in touched]
        flow = system.shown().flow
        if flow and "StartFlow" not in said:
            added.append(StartFlow(flow_name=flow))
    return Plan([*added, *commands], closes)


def _confirmed(system: System, generated: Generated, context: DialogueContext) -> dict[str, str]:
    """The values that a yes agrees to; what was said not to matter stays so."""
    found = {
        (act["service"], act["slot"]): act["values"][0]
        for act in system.acts
        if act["act"] in ("CONFIRM", "REQUEST") and len(act["values"]) == 1
    }
    if system.does("NOTIFY_FAILURE"):
        for service, offer in system.offers.items():
            own = tracked(generated.services[service])
            found |= {(service, slot): value for slot, value in offer.items() if slot in own}
    named = {generated.slot(*place): value for place, value in found.items()}
    known = context.current_slots
    return {n: v for n, v in named.items() if not (n in known and known[n] in (None, v))}


def _chosen(system: System, generated: Generated, context: DialogueContext) -> dict[str, str]:
    """The slots of an offer that a yes takes, if it answers nothing else."""
    asks = any(act["act"] in ("CONFIRM", "REQUEST") and act["values"] for act in system.acts)
    if asks or system.does("OFFER_INTENT", "NOTIFY_FAILURE"):
        return {}
    taken: dict[str, str] = {}
    for service, offer in system.offers.items():
        wanted = _wanted(service, _intent(service, generated, context), offer, generated)
        taken |= {generated.slot(service, slot): offer[slot] for slot in wanted & offer.keys()}
    system.offers.clear()
    return taken


def _intent(service: str, generated: Generated, context: DialogueContext) -> str | None:
    flows = (context.current_flow, *context.paused_flows)
    places = (generated.flows[flow] for flow in flows if flow in generated.flows)
    return next((intent for owner, intent in places if owner == service), None)


def _wanted(
    service: str, intent: str | None, offer: Mapping[str, str], generated: Generated
) -> set[str]:
    """The slots of what was chosen that another intent of the service needs, or else takes."""
    others = [s for s in generated.services[service]["intents"] if s["name"] != intent]
    needed = {name for spec in others for name in _needed(spec)}
    return needed if needed & offer.keys() else {n for spec in others for n in _slots(spec)}


def _needed(spec: Mapping[str, Any]) -> Iterable[str]:
    preset = (name for name, value in spec["optional_slots"].items() if value != DONTCARE)
    return (*spec["required_slots"], *preset)


def _slots(spec: Mapping[str, Any]) -> Iterable[str]:
    return (*spec["required_slots"], *spec["optional_slots"])
