"""Episodes: small assistants, and messages to them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from soni.du.encoder.weights import Floats
from tools.episodes.sources import Intent, Source

NONE = -1

# Of a business: how often a flow has a second name, and a description.
SECOND_NAME, DESCRIBED = 0.5, 0.85
MOST_EXAMPLES = 3
MOST_QUERIES = 8
# Of other sources: how many intents, examples of each, and queries.
INTENTS, EXAMPLES = (5, 9), (2, 4)
QUERIES = 6
# How often an intent is told by its name, or described, beside its examples.
TOLD = 0.5


@dataclass(frozen=True)
class Episode:
    """The texts of each flow, and messages with the place of the flow they want."""

    flows: tuple[tuple[str, ...], ...]
    queries: tuple[tuple[str, int], ...]

    def list_texts(self) -> list[str]:
        """All texts once."""
        told = (text for texts in self.flows for text in texts)
        return list(dict.fromkeys((*told, *(text for text, _ in self.queries))))


class Neighbours:
    """Of each intent of a source those that are most alike: they are hard to tell apart."""

    def __init__(self, vectors: Mapping[str, Floats]) -> None:
        """`vectors`: by source, a row for each of its intents."""
        self._near = {
            name: np.argsort(-(rows @ rows.T), axis=1)[:, 1:] for name, rows in vectors.items()
        }

    def draw_intents(self, source: Source, count: int, dice: random.Random) -> list[int]:
        """Some intent and others among twice as many of its nearest."""
        first = dice.randrange(len(source.intents))
        near = self._near[source.name][first][: 2 * count].tolist()
        return [first, *dice.sample(near, min(count - 1, len(near)))]


def draw_episode(
    businesses: Sequence[Source],
    sources: Sequence[Source],
    dice: random.Random,
    neighbours: Neighbours | None = None,
) -> Episode:
    """Half of the time a business, else some intents of a source."""
    if not sources or dice.random() < 0.5:
        return draw_business(dice.choice(businesses), dice)
    return draw_intents(dice.choice(sources), dice, neighbours)


def draw_business(source: Source, dice: random.Random, most: int | None = MOST_QUERIES) -> Episode:
    """All flows of a business; without `most` all messages that are no examples are queries."""
    flows, queries = [], [(text, NONE) for text in source.foreign]
    for place, intent in enumerate(source.intents):
        texts = [intent.names[0]]
        if dice.random() < SECOND_NAME:
            texts += intent.names[1:2]
        if dice.random() < DESCRIBED:
            texts.append(intent.description)
        said = dice.sample(intent.said, len(intent.said))
        count = min(dice.randint(0, MOST_EXAMPLES), max(0, len(said) - 1))
        flows.append((*texts, *said[:count]))
        queries += [(text, place) for text in said[count:]]
    chosen = queries if most is None else dice.sample(queries, min(most, len(queries)))
    return Episode(tuple(flows), tuple(chosen))


def draw_intents(
    source: Source, dice: random.Random, neighbours: Neighbours | None = None
) -> Episode:
    """Some intents, messages to them, and one that is for none of them."""
    count = min(dice.randint(*INTENTS), len(source.intents) - 1)
    if neighbours is not None and dice.random() < 0.5:
        places = neighbours.draw_intents(source, count, dice)
    else:
        places = dice.sample(range(len(source.intents)), count)
    flows, rest = [], []
    for place, number in enumerate(places):
        texts, left = draw_flow(source.intents[number], dice)
        flows.append(texts)
        rest += [(text, place) for text in left]
    queries = dice.sample(rest, min(QUERIES, len(rest)))
    others = [one for n, one in enumerate(source.intents) if n not in places]
    return Episode(tuple(flows), (*queries, (dice.choice(dice.choice(others).said), NONE)))


def draw_flow(intent: Intent, dice: random.Random) -> tuple[tuple[str, ...], list[str]]:
    """The texts of a flow, and what is left to ask with."""
    said = dice.sample(intent.said, min(len(intent.said), EXAMPLES[1] + QUERIES))
    count = min(dice.randint(*EXAMPLES), len(said) - 1)
    texts = said[:count]
    if dice.random() < TOLD:
        texts.append(intent.names[0])
    if intent.description and dice.random() < TOLD:
        texts.append(intent.description)
    return tuple(texts), said[count:]
