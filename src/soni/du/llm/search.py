"""DemoSearch: a DSPy optimiser that searches the best demos for the prompts."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from random import Random
from typing import Final

import dspy
from dspy.teleprompt import LabeledFewShot
from dspy.teleprompt.teleprompt import Teleprompter

from soni.config.program import Demo
from soni.du.llm.passes import Passes, make_dspy_demo

DEMO_COUNTS: Final = (4, 8, 2, 6)
"""The numbers of demos in the first pass, tried in turn."""

MAX_SLOT_DEMOS: Final = 3
"""The most demos in the second pass."""

Score = Callable[[Passes], Awaitable[int | None]]
"""Scores a program; None: the budget is spent."""


class DemoSearch(Teleprompter):  # type: ignore[misc]
    """Random search over labelled examples, as DSPy's own few-shot optimisers do it.

    DSPy's `BootstrapFewShotWithRandomSearch` runs programs one by one in threads, gives all
    predictors the same examples and knows no budget; this one asks `score`, which may stop it.
    """

    def __init__(self, score: Score, *, seed: int, tries: int, best: int) -> None:
        """`best`: the highest possible score."""
        super().__init__()
        self._highest = best
        self._score = score
        self._seed = seed
        self._tries = tries

    async def acompile(
        self, student: Passes, *, commands: Sequence[Demo], slots: Sequence[Demo]
    ) -> Passes:
        """The best program that was found; the student, if none is better."""
        best, top = student, await self._score(student)
        for program in self._iter_candidates(student, commands, slots):
            if top is None or top >= self._highest:
                break
            score = await self._score(program)
            if score is None:
                break
            if score > top:
                best, top = program, score
        return best

    def _iter_candidates(
        self, student: Passes, commands: Sequence[Demo], slots: Sequence[Demo]
    ) -> Iterator[Passes]:
        for attempt in range(self._tries if commands else 0):
            # Seeded: an optimisation is reproducible.
            chance = Random(f"{self._seed}:{attempt}")
            size = DEMO_COUNTS[attempt % len(DEMO_COUNTS)]
            few = min(size, MAX_SLOT_DEMOS)
            yield Passes(
                _compile_with_demos(student.commands, commands, "commands", size, chance),
                _compile_with_demos(student.slots, slots, "slots", few, chance),
            )


def _compile_with_demos(
    module: dspy.Module, demos: Sequence[Demo], output: str, size: int, chance: Random
) -> dspy.Module:
    examples = [
        dspy.Example(**make_dspy_demo(demo, output)).with_inputs("moment", "message")
        for demo in demos
    ]
    chance.shuffle(examples)
    return LabeledFewShot(k=size).compile(module, trainset=examples, sample=False)
