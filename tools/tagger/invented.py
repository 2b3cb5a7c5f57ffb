"""Messages to assistants that nobody runs: many more words for slots, and for what people do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from soni.du.context import DialogueContext, Task
from soni.du.encoder.wordpiece import WordPiece
from soni.du.tagger.moment import make_moment
from tools.phrases import phrases
from tools.tagger.examples import Example, bot, example
from tools.tagger.sayings import (
    AFTER,
    ANSWERED,
    ANY,
    ASKING,
    BEFORE,
    CHANGED,
    CHANGED_OLD,
    CHANGED_SLOT,
    JOINED,
    SAME,
)
from tools.tagger.scene import Scene
from tools.tagger.stage import NOW


def start(scene: Scene) -> None:
    """A flow is wanted, with some of its values; perhaps another one is at work."""
    dice, number = scene.dice, scene.dice.randrange(len(scene.flows))
    others = [n for n in range(len(scene.flows)) if n != number]
    if dice.random() < 0.3:
        scene.activate(dice.choice(others))
        if dice.random() < 0.6:
            _asked(scene, scene.active)
    elif dice.random() < 0.2:
        scene.activate(dice.choice(others))
        past = Task(flow=scene.facts["current_flow"], slots=scene.facts["current_slots"])
        scene.facts = {"others": (past,)}
    _started(scene, number)


def _started(scene: Scene, number: int) -> None:
    dice = scene.dice
    places = scene.some(number, 3)
    if places and dice.random() < 0.1:
        scene.fill(number, places.pop(0))
        scene.say(dice.choice([", ", " - ", ". ", ": "]))
    scene.say(dice.choice(BEFORE) + dice.choice(scene.tasks[number].openers))
    scene.gold.flow = scene.flows[number].name
    for place in places:
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
    dice = scene.dice
    number = scene.begin()
    place = _asked(scene, number)
    scene.say(dice.choice(BEFORE))
    scene.fill(number, place, dice.choice(ANSWERED) if dice.random() < 0.6 else "")
    for more in scene.some(number, 2, place) if dice.random() < 0.4 else []:
        scene.say(dice.choice([" ", ", ", " and "]))
        scene.fill(number, more)
    scene.say(dice.choice(AFTER))


def agree(scene: Scene) -> None:
    """Yes, no, or no with another value, to a confirmation."""
    dice = scene.dice
    number = scene.begin()
    scene.confirm(number)
    kind = dice.choice(["affirm", "deny", "change"])
    if kind != "change":
        scene.say(_phrase(scene, kind))
        scene.gold.acts.add(kind)
        return
    scene.say(dice.choice(("no, ", "nope, ", "wrong, ", "not quite, ", "no no, ")))
    scene.gold.acts |= {"deny", "correct"}
    scene.fill(number, dice.randrange(2))


def change(scene: Scene) -> None:
    """Something else than what is asked: a value that was given before."""
    dice = scene.dice
    number = scene.begin()
    asked, changed = dice.sample(range(len(scene.flows[number].slots)), 2)
    if dice.random() < 0.3:
        scene.confirm(number)
    else:
        scene.ask(number, asked)
    name = scene.names[number, changed]
    old = scene.facts["current_slots"].setdefault(name, scene.value(number, changed)[0])
    scene.gold.acts.add("correct")
    scene.say(dice.choice(BEFORE))
    one, kind = scene.tasks[number].fields[changed], dice.random()
    if one.values == "?" or kind < 0.25:
        before, _, after = dice.choice(CHANGED).partition("{}")
        scene.say(before)
        scene.fill(number, changed)
        scene.say(after)
        return
    wordings = CHANGED if kind < 0.5 else CHANGED_SLOT if kind < 0.75 else CHANGED_OLD
    wording = dice.choice(wordings)
    scene.fill(
        number, changed, wording.replace("{slot}", dice.choice(one.names)).replace("{old}", old)
    )
    if dice.random() < 0.25:
        more = scene.some(number, 1, changed)
        for place in more:
            scene.say(dice.choice([" and ", ", "]))
            scene.fill(number, place)


def question(scene: Scene) -> None:
    """The user asks about a slot."""
    dice = scene.dice
    number = scene.begin()
    place = dice.randrange(len(scene.flows[number].slots))
    if dice.random() < 0.5:
        _asked(scene, number)
    scene.say(dice.choice(ASKING).format(dice.choice(scene.tasks[number].fields[place].names)))
    scene.gold.requested.add(scene.names[number, place])
    scene.gold.acts |= {"request", "ask"}


def careless(scene: Scene) -> None:
    """What is asked does not matter."""
    number = scene.begin()
    place = _asked(scene, number)
    scene.say(scene.dice.choice([scene.dice.choice(ANY), _phrase(scene, "skip")]))
    scene.gold.acts.add("skip")
    scene.gold.values[scene.names[number, place]] = ["dontcare"]


def stray(scene: Scene) -> None:
    """Something that this assistant is not for."""
    dice = scene.dice
    _anywhere(scene)
    scene.gold.acts.add("foreign")
    other = dice.choice(dice.choice(scene.others).openers)
    scene.say(dice.choice(BEFORE) + dice.choice([other, _phrase(scene, "foreign")]))


def aside(scene: Scene) -> None:
    """What people say at any time: a question, small talk, a call for a person."""
    act = scene.dice.choices(["ask", "chat", "human"], [5, 3, 2])[0]
    _anywhere(scene)
    scene.say(_phrase(scene, act))
    scene.gold.acts.add(act)


def handle(scene: Scene) -> None:
    """What people do with a task that is going on."""
    dice = scene.dice
    act = dice.choices(["cancel", "resume", "repeat", "pause"], [5, 3, 2, 1])[0]
    number = scene.begin()
    if dice.random() < 0.3:
        scene.confirm(number)
    else:
        _asked(scene, number)
    if act == "resume" or dice.random() < 0.2:
        below = dice.choice([n for n in range(len(scene.flows)) if n != number])
        scene.pause(below)
        number = below if act == "resume" else number
    scene.say(dice.choice(BEFORE) + _phrase(scene, act, number))
    scene.gold.acts.add(act)


def both(scene: Scene) -> None:
    """Two things in one message."""
    dice = scene.dice
    number = scene.begin()
    other = dice.choice([n for n in range(len(scene.flows)) if n != number])
    first = dice.choice(["affirm", "cancel", "answer"])
    if first == "affirm":
        scene.confirm(number)
        scene.say(_phrase(scene, "affirm"))
        scene.gold.acts.add("affirm")
    elif first == "cancel":
        _asked(scene, number)
        scene.say(_phrase(scene, "cancel", number))
        scene.gold.acts.add("cancel")
    else:
        scene.fill(number, _asked(scene, number), dice.choice(ANSWERED))
    scene.say(dice.choice(JOINED))
    if first == "answer" or dice.random() < 0.3:
        scene.say(_phrase(scene, "ask"))
        scene.gold.acts.add("ask")
    else:
        _started(scene, other)


def _asked(scene: Scene, number: int) -> int:
    """The system asks for some slot."""
    place = scene.dice.randrange(len(scene.flows[number].slots))
    scene.ask(number, place)
    return place


def _anywhere(scene: Scene) -> None:
    """Nothing is going on, or something is: a question is open, or a confirmation."""
    where = scene.dice.random()
    if where < 0.35:
        return
    number = scene.begin()
    if where < 0.55:
        scene.confirm(number)
    elif where < 0.95:
        _asked(scene, number)


def _phrase(scene: Scene, act: str, number: int | None = None) -> str:
    dice = scene.dice
    number = scene.active if number is None else number
    name = dice.choice(dice.choice(scene.tasks[number].fields).names)
    text = dice.choice(phrases()[act])
    return text.replace("{task}", scene.noun(number)).replace("{slot}", name)


KINDS = {
    **{start: 30, carry: 5, answer: 24, agree: 7, change: 13, question: 4, careless: 3},
    **{stray: 9, aside: 9, handle: 10, both: 6},
}


def invented(count: int, wordpiece: WordPiece, seed: int) -> Iterator[Example]:
    """So many moments."""
    dice = random.Random(f"{seed} invented")
    for _ in range(count):
        scene = Scene(dice)
        dice.choices(list(KINDS), list(KINDS.values()))[0](scene)
        yield seen(scene, wordpiece)


def seen(scene: Scene, wordpiece: WordPiece) -> Example:
    """A scene as the model sees it, sometimes without capitals."""
    message = scene.message.lower() if scene.dice.random() < 0.4 else scene.message
    context = DialogueContext(available_flows=tuple(scene.flows), now=NOW, **_plain(scene.facts))
    moment = make_moment(message, [bot(scene.system)], context)
    return example(moment, scene.gold, wordpiece)


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}
