"""Messages to assistants that nobody runs: many more words for slots than the data has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from soni.du.context import DialogueContext, FlowBrief, Shown, SlotBrief, Task
from soni.du.encoder.wordpiece import WordPiece
from soni.du.tagger.moment import moment_of
from tools.tagger.examples import Example, Gold, bot, example
from tools.tagger.pools import TYPES, drawn
from tools.tagger.stage import NOW

YES = ("yes", "yes please", "sure", "that's right", "correct", "ok", "yep, go ahead", "sounds good")
NO = ("no", "no thanks", "that's wrong", "nope", "no, that is not right", "not really")
ANY = (
    "I don't care",
    "any is fine",
    "it doesn't matter",
    "no preference",
    "whatever",
    "I don't mind",
)
IDLE = (
    "hello",
    "thanks",
    "who are you?",
    "tell me a joke",
    "what time is it",
    "hmm",
    "how are you",
)
ASKING = ("what is the {}?", "can you tell me the {}?", "which {} do you have?", "what {} is it?")
CHANGED = ("actually ", "no, ", "sorry, ", "wait, ", "I meant ", "change that, ", "no wait, ")
SAME = {
    **dict.fromkeys(("city", "street", "station"), (" there", " in the same place", " there too")),
    "date": (" on the same day", " for that day", " the same day"),
    "time": (" at the same time", " for that time"),
    "person": (" for the same person", " for them too", " for them as well"),
    "company": (" with the same company", " with them again"),
    "count": (" for all of us", " for the same number", " for the same group"),
}
BEFORE = ("", "", "", "hi, ", "please ", "ok, ", "hello, ", "um, ")
AFTER = ("", "", "", "", " please", ".", " thanks", "!")


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

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.tasks = dice.sample(tasks(), dice.randrange(2, 7))
        self.others = [task for task in tasks() if task not in self.tasks]
        self.typed, self.told = dice.random() < 0.7, dice.choice([1.0, 1.0, 0.5, 0.0])
        self.names: dict[tuple[int, int], str] = {}
        self.flows = [self._flow(number) for number in range(len(self.tasks))]
        self.message, self.system = "", ""
        self.gold = Gold()
        self.facts: dict[str, Any] = {}

    def _flow(self, number: int) -> FlowBrief:
        task, dice = self.tasks[number], self.dice
        name = dice.choice(task.names).replace(" ", "_")
        slots = []
        for place, one in enumerate(task.fields):
            slot = dice.choice(one.names).replace(" ", "_")
            while slot in self.names.values():
                slot += "_2"
            self.names[number, place] = slot
            kind = TYPES.get(one.values[1:], "string") if self.typed else "string"
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

    def activate(self, number: int) -> None:
        """A flow is at work, with some of its slots filled."""
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
            said = self.dice.choice(one.phrases[0 if yes else 1].split("; "))
            return ("true" if yes else "false"), said
        value = self.dice.choice(one.choices) if one.choices else drawn(one.values[1:], self.dice)
        return value, value

    def ask(self, number: int, place: int) -> None:
        """The system asks for a slot."""
        one, name = self.tasks[number].fields[place], self.names[number, place]
        question = self.dice.choice([one.description, self.dice.choice(one.names)])
        self.system = self.dice.choice(["{}?", "Please tell me: {}", "What about this: {}?"])
        self.system = self.system.format(question) if self.dice.random() < 0.9 else ""
        self.facts |= {"waiting_for_slot": name, "asked": {"kind": "collect"}}
        self.facts["current_slots"].pop(name, None)

    def say(self, text: str) -> None:
        """More words."""
        self.message += text

    def fill(self, number: int, place: int, *, bare: bool = False) -> None:
        """Words that give a slot its value."""
        value, said = self.value(number, place)
        one, name = self.tasks[number].fields[place], self.names[number, place]
        self.gold.values[name] = [value]
        self.gold.acts.add("inform")
        if one.values == "?":
            self.say(self.dice.choice(YES if value == "true" else NO) if bare else said)
            return
        phrase = "{}" if bare else self.dice.choice(one.phrases)
        before, _, after = phrase.partition("{}")
        self.say(before)
        self.gold.spans[name] = (len(self.message), len(self.message) + len(said))
        self.say(said + after)

    def some(self, number: int, most: int, without: int = -1) -> list[int]:
        """A few slots of a flow."""
        places = [n for n in range(len(self.flows[number].slots)) if n != without]
        return self.dice.sample(places, min(len(places), self.dice.randrange(most + 1)))


def start(scene: Scene) -> None:
    """A flow is wanted, with some of its values; perhaps another one is at work."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    others = [n for n in range(len(scene.flows)) if n != number]
    if dice.random() < 0.3:
        scene.activate(dice.choice(others))
    elif dice.random() < 0.2:
        scene.activate(dice.choice(others))
        past = Task(flow=scene.facts["current_flow"], slots=scene.facts["current_slots"])
        scene.facts = {"others": (past,)}
    scene.say(dice.choice(BEFORE) + dice.choice(scene.tasks[number].openers))
    scene.gold.flow = scene.flows[number].name
    for place in scene.some(number, 3):
        scene.say(dice.choice([" ", " ", " ", ", "]))
        scene.fill(number, place)
    scene.say(dice.choice(AFTER))


def carry(scene: Scene) -> None:
    """A flow is wanted for something that was said in another one."""
    dice = scene.dice
    places = [(n, p) for n, task in enumerate(scene.tasks) for p in range(len(task.fields))]
    kinds = {place: scene.tasks[place[0]].fields[place[1]].values[1:] for place in places}
    pairs = [
        (old, new)
        for old in places
        for new in places
        if old[0] != new[0] and kinds[old] == kinds[new] and kinds[new] in SAME
    ]
    if not pairs:
        start(scene)
        return
    old, new = dice.choice(pairs)
    scene.activate(old[0])
    slots = scene.facts["current_slots"]
    slots[scene.names[old]] = scene.value(*old)[0]
    if dice.random() < 0.6:
        scene.facts = {"others": (Task(flow=scene.flows[old[0]].name, slots=slots),)}
    also = dice.choice(["", "", "also ", "now "])
    scene.say(also + dice.choice(scene.tasks[new[0]].openers))
    if dice.random() < 0.8:
        scene.say(dice.choice(SAME[kinds[new]]))
        scene.gold.carried = {scene.names[new]: [slots[scene.names[old]]]}
    scene.gold.flow = scene.flows[new[0]].name


def answer(scene: Scene) -> None:
    """A question is answered, shortly or not; sometimes more is said than was asked."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    scene.activate(number)
    place = dice.randrange(len(scene.flows[number].slots))
    scene.ask(number, place)
    scene.say(dice.choice(BEFORE))
    scene.fill(number, place, bare=dice.random() < 0.5)
    for more in scene.some(number, 1, place) if dice.random() < 0.4 else []:
        scene.say(dice.choice([" ", ", ", " and "]))
        scene.fill(number, more)
    scene.say(dice.choice(AFTER))


def agree(scene: Scene) -> None:
    """Yes, no, or no with another value, to a confirmation."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    scene.activate(number)
    filled = {scene.names[number, n]: scene.value(number, n)[0] for n in range(2)}
    scene.facts |= {"current_slots": filled, "asked": {"kind": "confirm"}}
    scene.facts["shown"] = Shown(confirmed=dict(filled))
    scene.system = f"{scene.tasks[number].description}: {', '.join(filled.values())}?"
    kind = dice.choice(["affirm", "deny", "change"])
    if kind == "affirm":
        scene.say(dice.choice(YES))
        scene.gold.acts.add("affirm")
        return
    scene.say(dice.choice(NO) if kind == "deny" else dice.choice(("no, ", "nope, ", "wrong, ")))
    scene.gold.acts.add("deny")
    if kind == "change":
        scene.fill(number, dice.randrange(2))


def change(scene: Scene) -> None:
    """Something else than what is asked: a value that was given before."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    scene.activate(number)
    asked, changed = dice.sample(range(len(scene.flows[number].slots)), 2)
    scene.ask(number, asked)
    scene.facts["current_slots"][scene.names[number, changed]] = scene.value(number, changed)[0]
    scene.say(dice.choice(CHANGED))
    scene.fill(number, changed)


def question(scene: Scene) -> None:
    """The user asks about a slot."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    scene.activate(number)
    place = dice.randrange(len(scene.flows[number].slots))
    if dice.random() < 0.5:
        scene.ask(number, dice.randrange(len(scene.flows[number].slots)))
    scene.say(dice.choice(ASKING).format(dice.choice(scene.tasks[number].fields[place].names)))
    scene.gold.requested.add(scene.names[number, place])
    scene.gold.acts.add("request")


def careless(scene: Scene) -> None:
    """What is asked does not matter."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    scene.activate(number)
    place = dice.randrange(len(scene.flows[number].slots))
    scene.ask(number, place)
    scene.say(dice.choice(ANY))
    scene.gold.values[scene.names[number, place]] = ["dontcare"]


def stray(scene: Scene) -> None:
    """Something that this assistant is not for."""
    dice = scene.dice
    if dice.random() < 0.6:
        number = dice.randrange(len(scene.flows))
        scene.activate(number)
        if dice.random() < 0.5:
            scene.ask(number, dice.randrange(len(scene.flows[number].slots)))
    strange = dice.choice(dice.choice(scene.others).openers)
    scene.say(dice.choice(BEFORE) + dice.choice([strange, dice.choice(IDLE)]))


KINDS = {start: 36, carry: 6, answer: 22, agree: 8, change: 9, question: 6, careless: 4, stray: 9}


def invented(count: int, wordpiece: WordPiece, seed: int) -> Iterator[Example]:
    """So many moments."""
    dice = random.Random(f"{seed} invented")
    for _ in range(count):
        scene = Scene(dice)
        dice.choices(list(KINDS), list(KINDS.values()))[0](scene)
        message = scene.message.lower() if dice.random() < 0.4 else scene.message
        context = DialogueContext(
            available_flows=tuple(scene.flows), now=NOW, **_plain(scene.facts)
        )
        moment = moment_of(message, [bot(scene.system)], context)
        yield example(moment, scene.gold, wordpiece)


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}
