"""What answers nothing, in all sorts of moments: hesitation and small talk are no values."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from soni.du.encoder.wordpiece import WordPiece
from tools.tagger.examples import Example
from tools.tagger.invented import seen
from tools.tagger.remarks import Retelling
from tools.tagger.spoken import Business, Part, Place, Remark, businesses


@cache
def asides() -> tuple[tuple[str, str], ...]:
    """All lines of asides.txt: the act, and the words."""
    found, act = [], ""
    lines = Path(__file__).with_name("asides.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line.startswith("@ "):
            act = line.removeprefix("@ ")
        elif line and not line.startswith("#"):
            found.append((act, line))
    return tuple(found)


def _places(business: Business, act: str) -> list[Place]:
    """Moments in which the words cannot be the answer: where free words are asked, any are."""
    confirmed = [Place(flow, confirm=True) for flow in business.flows]
    asked = [
        Place(flow, one.names[0])
        for flow, errand in business.flows.items()
        for one in errand.fields
        if act == "pause" or one.choices or one.type != "string" or one.values == "?"
    ]
    return [*confirmed, *asked]


def said_aside(times: int, wordpiece: WordPiece, seed: int) -> Iterator[Example]:
    """Every line so many times, each time to some business in some moment."""
    dice = random.Random(f"{seed} aside")
    for act, words in asides():
        for _ in range(times):
            business = dice.choice(businesses())
            place = dice.choice(_places(business, act))
            remark = Remark(place, (Part(words),), None, frozenset({act}), frozenset())
            yield seen(Retelling(business, remark, dice).scene, wordpiece)
