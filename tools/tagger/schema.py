"""The services of the data as flows and slots, the way an assistant's author could write them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.du.context import FlowBrief, SlotBrief

MONEY = ("price", "fare", "amount", "rent", "balance", "cost")


@dataclass(frozen=True)
class Style:
    """How an assistant is written: what its flows list, and how its slots are typed."""

    results: bool = True
    """Flows also have the slots that they only tell."""

    typed: bool = True
    """Dates, times and numbers are declared as such; otherwise they are strings."""

    free: bool = False
    """What has a list of values in the data is a plain number or string."""

    shared: bool = True
    """Services that define a slot alike have it in common."""

    apart: bool = True
    """A slot may be needed in one flow and not in another."""


PLAIN = Style()


def style(dice: random.Random) -> Style:
    """Mostly as the benchmark has it, sometimes as others write."""
    results, typed, free, shared, apart = (dice.random() for _ in range(5))
    return Style(results < 0.85, typed < 0.5, free < 0.2, shared < 0.25, apart < 0.5)


def type_of(slot: Mapping[str, Any], how: Style) -> str:
    """The type an author would give the slot, by its name and values."""
    name, values = slot["name"], slot["possible_values"]
    if slot["is_categorical"]:
        if sorted(values) == ["False", "True"]:
            return "boolean"
        if not how.free:
            return "choice"
        return "integer" if all(value.isdigit() for value in values) else "string"
    return _typed(name) if how.typed else "string"


def _typed(name: str) -> str:
    words = name.split("_")
    if "date" in words:
        return "date"
    if "time" in words and "wait" not in words:
        return "time"
    if words[:2] == ["number", "of"]:
        return "integer"
    if any(word in words for word in MONEY):
        return "money"
    return "phone" if "phone" in words else "string"


@dataclass(frozen=True)
class Assistant:
    """Flows of some services, with names that are told apart where they would clash."""

    flows: tuple[FlowBrief, ...]
    names: Mapping[tuple[str, str], str]
    """The slot's name by service and slot."""

    titles: Mapping[str, str]
    """The flow's name by `Service.Intent`."""

    origins: Mapping[str, str]
    """`Service.Intent` by the flow's name."""

    def flow(self, name: str) -> FlowBrief:
        """A flow by its name."""
        return next(flow for flow in self.flows if flow.name == name)


def assistant(
    services: Sequence[str], schema: Mapping[str, Mapping[str, Any]], how: Style = PLAIN
) -> Assistant:
    """The flows and slots of some services."""
    names: dict[tuple[str, str], str] = {}
    taken: dict[str, SlotBrief] = {}
    briefs: dict[tuple[str, str], SlotBrief] = {}
    for service in services:
        for slot in schema[service]["slots"]:
            brief = _brief(slot, how)
            name = _free_name(brief, taken if how.shared else dict.fromkeys(taken))
            taken[name] = brief
            names[service, slot["name"]] = name
            briefs[service, slot["name"]] = brief.model_copy(update={"name": name})
    flows: dict[str, FlowBrief] = {}
    titles = {}
    for service in services:
        for intent in schema[service]["intents"]:
            name = intent["name"]
            while name in flows:
                name += "_2"
            titles[f"{service}.{intent['name']}"] = name
            needed = intent["required_slots"] if how.apart else _needed(schema[service])
            flows[name] = _flow(name, service, intent, needed, briefs, how)
    origins = {name: origin for origin, name in titles.items()}
    return Assistant(tuple(flows.values()), names, titles, origins)


def _brief(slot: Mapping[str, Any], how: Style) -> SlotBrief:
    kind = type_of(slot, how)
    values = dict.fromkeys(slot["possible_values"], ()) if kind == "choice" else {}
    return SlotBrief(
        name=slot["name"], flow="", type=kind, description=slot["description"], values=values
    )


def _free_name(brief: SlotBrief, taken: Mapping[str, SlotBrief | None]) -> str:
    """The same definition is the same slot; another one of that name gets a number."""
    name, number = brief.name, 1
    while name in taken and taken[name] != brief:
        number += 1
        name = f"{brief.name}_{number}"
    return name


def _needed(service: Mapping[str, Any]) -> list[str]:
    """What some intent needs and none can do without."""
    optional = {name for intent in service["intents"] for name in intent["optional_slots"]}
    needed = {name for intent in service["intents"] for name in intent["required_slots"]}
    return sorted(needed - optional)


def _flow(
    name: str,
    service: str,
    intent: Mapping[str, Any],
    needed: Sequence[str],
    briefs: Mapping[tuple[str, str], SlotBrief],
    how: Style,
) -> FlowBrief:
    listed = [*intent["required_slots"], *intent["optional_slots"]]
    if how.results:
        listed += [slot for slot in intent["result_slots"] if slot not in listed]
    slots = tuple(
        briefs[service, slot].model_copy(update={"flow": name, "required": slot in needed})
        for slot in dict.fromkeys(listed)
    )
    return FlowBrief(name=name, description=intent["description"], slots=slots)


def without(given: Assistant, flow: str) -> tuple[FlowBrief, ...]:
    """The flows but one, for a flow that cannot start while it is open."""
    return tuple(one for one in given.flows if one.name != flow)
