"""Small assistants made of a data set of intents, and what people may say to each."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from soni.du.context import FlowBrief

Example = tuple[str, str]

# A third asks for none of the flows: half of it for what other assistants do, where there are any.
_INSIDE, _OUTSIDE = 100, 50


@dataclass(frozen=True)
class Assistant:
    """Flows, and messages with the flow each wants, if any."""

    flows: tuple[FlowBrief, ...]
    messages: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Intents:
    """A data set: examples to learn from, messages of the same intents, messages of none."""

    learnt: Sequence[Example]
    tested: Sequence[Example]
    others: Sequence[Example]

    def __len__(self) -> int:
        return len(_by_intent(self.learnt))

    @property
    def shots(self) -> int:
        """Examples there are of every intent."""
        return min(map(len, _by_intent(self.learnt).values()))

    def assistants(self, size: int, shots: int, number: int, seed: int) -> Iterator[Assistant]:
        """So many, of so many flows with so many examples each."""
        rng = random.Random(f"{size} {shots} {seed}")
        learnt, tested = _by_intent(self.learnt), _by_intent(self.tested)
        for _ in range(number):
            chosen = rng.sample(sorted(learnt), size)
            flows = [flow(name, rng.sample(learnt[name], shots)) for name in chosen]
            inside = [(text, name) for name in chosen for text in tested[name]]
            rest = [text for name in sorted(tested) if name not in chosen for text in tested[name]]
            elsewhere = _some(rest, _OUTSIDE // 2, rng)
            nowhere = _some([text for text, _ in self.others], _OUTSIDE - len(elsewhere), rng)
            outside = [(text, None) for text in (*elsewhere, *nowhere)]
            yield Assistant(tuple(flows), (*_some(inside, _INSIDE, rng), *outside))


def flow(name: str, examples: Sequence[str]) -> FlowBrief:
    """An intent as a flow."""
    return FlowBrief(name=name, examples=tuple(examples))


def few(examples: Sequence[Example], shots: int, seed: int) -> tuple[list[Example], list[Example]]:
    """So many examples of each intent, and the rest."""
    by_intent = _by_intent(examples)
    taken, rest = [], []
    rng = random.Random(seed)
    for intent in sorted(by_intent):
        rng.shuffle(by_intent[intent])
        taken += [(text, intent) for text in by_intent[intent][:shots]]
        rest += [(text, intent) for text in by_intent[intent][shots:]]
    return taken, rest


def _some(every: Sequence[Any], most: int, rng: random.Random) -> list[Any]:
    return rng.sample(every, min(most, len(every)))


def _by_intent(examples: Sequence[Example]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for text, intent in examples:
        found[intent].append(text)
    return found
