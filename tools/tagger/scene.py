"""A moment of an assistant that nobody runs: some flows, one of them at work, and a message."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from soni.du.context import FlowBrief, ShownValues, SlotBrief, Task
from tools.tagger.examples import Gold
from tools.tagger.pools import TYPES, drawn
from tools.tagger.sayings import NO, YES


@dataclass(frozen=True)
class Field:
    """A slot that could be."""

    names: list[str]
    description: str
    values: str
    phrases: list[str]

    @property
    def choices(self) -> list[str]:
        """Its values, if they are listed."""
        return self.values[1:].split(", ") if self.values[0] == "=" else []

    @property
    def type(self) -> str:
        """Which type an author would give it, if neither yes and no nor a choice."""
        kind, _, samples = self.values.partition(": ")
        return kind if samples else TYPES.get(self.values[1:], "string")

    def drawn(self, dice: random.Random) -> str:
        """Some value of it: one of its choices, its samples or its pool."""
        samples = self.values.partition(": ")[2]
        given = self.choices or (samples.split("; ") if samples else [])
        return dice.choice(given) if given else drawn(self.values[1:], dice)


@dataclass(frozen=True)
class Errand:
    """A flow that could be."""

    names: list[str]
    description: str
    openers: list[str]
    fields: list[Field] = field(default_factory=list)


@cache
def tasks() -> tuple[Errand, ...]:
    """All flows of invented.txt."""
    found: list[Errand] = []
    lines = Path(__file__).with_name("invented.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        parts = line.removeprefix("- ").split(" | ")
        if line.startswith("- "):
            names, description, values, phrases = parts
            given = phrases.split("; ") if values != "?" else phrases.split(" // ")
            found[-1].fields.append(Field(names.split("/"), description, values, given))
        elif line and not line.startswith("#"):
            names, description, openers = parts
            found.append(Errand(names.split("/"), description, openers.split("; ")))
    return tuple(found)


class Scene:
    """One moment: some flows side by side, one of them perhaps active, and a message."""

    def __init__(self, dice: random.Random, given: Sequence[Errand] = ()) -> None:
        self.dice = dice
        self.tasks = list(given) or dice.sample(tasks(), dice.randrange(2, 7))
        self.others = [task for task in tasks() if task not in self.tasks]
        self.typed, self.told = dice.random() < 0.7, dice.choice([1.0, 1.0, 0.5, 0.0])
        self.names: dict[tuple[int, int], str] = {}
        self.flows = [self._flow(number) for number in range(len(self.tasks))]
        self.message, self.system = "", ""
        self.gold = Gold()
        self.facts: dict[str, Any] = {}
        self.active = 0

    def _flow(self, number: int) -> FlowBrief:
        task, dice = self.tasks[number], self.dice
        name = dice.choice(task.names).replace(" ", "_")
        slots = []
        for place, one in enumerate(task.fields):
            slot = dice.choice(one.names).replace(" ", "_")
            while slot in self.names.values():
                slot += "_2"
            self.names[number, place] = slot
            kind = one.type if self.typed else "string"
            if one.values == "?":
                kind = "boolean"
            elif one.choices and dice.random() < 0.8:
                kind = "choice"
            values = dict.fromkeys(one.choices, ()) if kind == "choice" else {}
            described = one.description if dice.random() < self.told else ""
            slots.append(
                SlotBrief(
                    name=slot,
                    flow=name,
                    type=kind,
                    description=described,
                    values=values,
                    required=dice.random() < 0.7,
                )
            )
        described = task.description if dice.random() < self.told else ""
        return FlowBrief(name=name, description=described, slots=tuple(slots))

    def begin(self) -> int:
        """Some flow is at work."""
        self.activate(self.dice.randrange(len(self.flows)))
        return self.active

    def activate(self, number: int) -> None:
        """This flow is at work, with some of its slots filled."""
        self.active = number
        flow = self.flows[number]
        filled = [n for n in range(len(flow.slots)) if self.dice.random() < 0.5]
        values = {self.names[number, n]: self.value(number, n)[0] for n in filled}
        self.facts |= {"current_flow": flow.name, "expected_slots": flow.slots}
        self.facts["current_slots"] = values

    def value(self, number: int, place: int) -> tuple[str, str]:
        """What a slot may have: as it is stored, and as it is said."""
        one = self.tasks[number].fields[place]
        if one.values == "?":
            yes = self.dice.random() < 0.5
            said = self.dice.choice(one.phrases[0 if yes else 1].split("; ")) if one.phrases else ""
            return ("true" if yes else "false"), said
        value = one.drawn(self.dice)
        return value, value

    def ask(self, number: int, place: int) -> None:
        """The system asks for a slot."""
        one, name = self.tasks[number].fields[place], self.names[number, place]
        question = self.dice.choice([one.description, self.dice.choice(one.names)])
        self.system = self.dice.choice(["{}?", "Please tell me: {}", "What about this: {}?"])
        self.system = self.system.format(question) if self.dice.random() < 0.9 else ""
        self.facts |= {"waiting_for_slot": name, "asked": {"kind": "collect"}}
        self.facts["current_slots"].pop(name, None)

    def confirm(self, number: int) -> None:
        """The system asks whether to do it."""
        filled = {
            self.names[number, n]: self.value(number, n)[0]
            for n in range(len(self.flows[number].slots))
            if n < 2 or self.dice.random() < 0.5
        }
        self.facts |= {"current_slots": filled, "asked": {"kind": "confirm"}}
        self.facts["shown"] = ShownValues(confirmed=dict(filled))
        self.system = f"{self.tasks[number].description}: {', '.join(filled.values())}?"

    def pause(self, number: int) -> None:
        """Another task is waiting below."""
        self.facts.setdefault("current_slots", {})
        values = {self.names[number, 0]: self.value(number, 0)[0]}
        name = self.flows[number].name
        self.facts["others"] = (Task(flow=name, slots=values, open=True),)
        self.facts["paused_flows"] = (name,)

    def noun(self, number: int) -> str:
        """A task as people call it."""
        return self.dice.choice(self.tasks[number].names)

    def say(self, text: str) -> None:
        """More words."""
        self.message += text

    def fill(self, number: int, place: int, phrase: str = "") -> None:
        """Words that give a slot its value: those of the slot, or others with {} for the value."""
        value, said = self.value(number, place)
        one, name = self.tasks[number].fields[place], self.names[number, place]
        self.gold.values[name] = [value]
        self.gold.acts.add("inform")
        if one.values == "?":
            self.say(self.dice.choice(YES if value == "true" else NO) if phrase else said)
            return
        phrase = phrase or self.dice.choice(one.phrases)
        before, _, after = phrase.partition("{}")
        self.say(before)
        self.gold.spans[name] = (len(self.message), len(self.message) + len(said))
        self.say(said + after)

    def some(self, number: int, most: int, without: int = -1) -> list[int]:
        """A few slots of a flow; now and then both of two that have values of one kind."""
        places = [n for n in range(len(self.flows[number].slots)) if n != without]
        twins = self._twins(number)
        if twins and without < 0 and self.dice.random() < 0.4:
            return twins
        return self.dice.sample(places, min(len(places), self.dice.randrange(most + 1)))

    def _twins(self, number: int) -> list[int]:
        kinds = [one.values for one in self.tasks[number].fields]
        for place, kind in enumerate(kinds):
            if kind[0] == "@" and kind in kinds[place + 1 :]:
                return [place, kinds.index(kind, place + 1)]
        return []
