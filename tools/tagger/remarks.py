"""Moments made of what was written by hand: each remark in many of the ways it could have come."""

from __future__ import annotations

import random
from collections.abc import Iterator

from soni.du.encoder.wordpiece import WordPiece
from tools.tagger.examples import Example
from tools.tagger.invented import seen
from tools.tagger.sayings import AFTER, BEFORE
from tools.tagger.scene import Scene
from tools.tagger.spoken import Business, Part, Remark, businesses

# A value of free words is often another one of the slot's samples: names are not to be learnt.
_RESAMPLED = 0.4
_WRAPPED = 0.15
# Strangers leave out the last mark, and now and then two letters change places.
_UNENDED = 0.3
_SLIPPED = 0.1
_ARTICLES = ("a", "an", "the", "my", "some", "on", "at", "in")


class Retelling:
    """A remark in a moment of its business, whose other flows, names and values are drawn."""

    def __init__(self, business: Business, remark: Remark, dice: random.Random) -> None:
        self._business, self._remark, self._dice = business, remark, dice
        self._flows = self._drawn_flows()
        self.scene = Scene(dice, [business.flows[name] for name in self._flows])
        self._set()
        self._say()
        self._mean()

    def _drawn_flows(self) -> list[str]:
        """The flows that the remark needs, and some of the others."""
        place, requested = self._remark.place, map(self._business.owner, self._remark.requested)
        needed = {place.flow, place.below, self._remark.starts, *requested}
        drawn = [one for one in self._business.flows if one in needed or self._dice.random() < 0.8]
        drawn = drawn if len(drawn) > 1 else list(self._business.flows)
        self._dice.shuffle(drawn)
        return drawn

    def _at(self, slot: str) -> tuple[int, int]:
        """Where the scene has a slot: the places of its flow, and of itself in it."""
        owner = self._business.owner(slot)
        fields = self._business.flows[owner].fields
        return self._flows.index(owner), [one.names[0] for one in fields].index(slot)

    def _set(self) -> None:
        scene, place = self.scene, self._remark.place
        if place.flow is None:
            return
        number = self._flows.index(place.flow)
        scene.activate(number)
        if place.asked:
            scene.ask(*self._at(place.asked))
        else:
            scene.confirm(number)
        if place.below:
            scene.pause(self._flows.index(place.below))
        for part in self._remark.parts:
            if part.slot and self._business.owner(part.slot) == place.flow:
                self._was(part)

    def _was(self, part: Part) -> None:
        """A value that is changed was there before, one that is given was not."""
        slots = self.scene.facts["current_slots"]
        at = self._at(part.slot or "")
        if part.changed:
            slots.setdefault(self.scene.names[at], self.scene.value(*at)[0])
        else:
            slots.pop(self.scene.names[at], None)

    def _say(self) -> None:
        wrapped = self._dice.random() < _WRAPPED
        self.scene.say(self._dice.choice(BEFORE) if wrapped else "")
        for part in self._remark.parts:
            self._say_part(part)
        if self._dice.random() < _UNENDED and not self._remark.parts[-1].slot:
            self.scene.message = self.scene.message.rstrip("?.!")
        self.scene.say(self._dice.choice(AFTER) if wrapped else "")

    def _say_part(self, part: Part) -> None:
        scene, gold = self.scene, self.scene.gold
        if not part.slot:
            slips = self._dice.random() < _SLIPPED
            scene.say(_slipped(part.words, self._dice) if slips else part.words)
            return
        name, one = scene.names[self._at(part.slot)], self._business.field(part.slot)
        words, value = part.words, part.value or part.words
        if one.type == "string" and value == words and self._dice.random() < _RESAMPLED:
            words = value = _after(scene.message, one.drawn(self._dice))
        gold.values[name] = [value]
        gold.acts |= {"inform", "correct"} if part.changed else {"inform"}
        gold.spans[name] = (len(scene.message), len(scene.message) + len(words))
        scene.say(words)

    def _mean(self) -> None:
        scene, gold, remark = self.scene, self.scene.gold, self._remark
        gold.acts |= remark.acts
        if remark.starts:
            gold.flow = scene.flows[self._flows.index(remark.starts)].name
        for slot in remark.requested:
            gold.requested.add(scene.names[self._at(slot)])
            gold.acts.add("request")
        if "skip" in remark.acts and remark.place.asked:
            gold.values[scene.names[self._at(remark.place.asked)]] = ["dontcare"]


def _slipped(words: str, dice: random.Random) -> str:
    """The words, with two letters of a longer one in each other's place."""
    long = [at for at in range(len(words) - 4) if words[at : at + 4].isalpha()]
    if not long:
        return words
    at = dice.choice(long) + 1
    return words[:at] + words[at + 1] + words[at] + words[at + 2 :]


def _after(message: str, value: str) -> str:
    """A value without the article that stands before it already."""
    first, _, rest = value.partition(" ")
    doubled = message.lower().endswith(tuple(f"{one} " for one in _ARTICLES))
    return rest if doubled and first.lower() in _ARTICLES and rest else value


def remarked(times: int, wordpiece: WordPiece, seed: int) -> Iterator[Example]:
    """Every remark so many times."""
    dice = random.Random(f"{seed} remarked")
    for business in businesses():
        for remark in business.remarks:
            for _ in range(times):
                yield seen(Retelling(business, remark, dice).scene, wordpiece)
