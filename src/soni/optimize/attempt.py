"""Attempt: fits the parameters of a provider."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from soni.config.program import LocalProgram, ModelProgram
from soni.config.soni_config import SoniConfig
from soni.du.local.limits import Learnt
from soni.du.local.provider import LocalNLU
from soni.optimize.found import Found, Ways
from soni.optimize.local import LocalFit
from soni.optimize.measure import Measured, Measuring
from soni.optimize.model import ModelFit, ModelFitted
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading

THRESHOLDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Attempt:
    """Learns from training sentences alone."""

    config: SoniConfig
    ways: Ways
    training: Sequence[Question]
    triggers: Sequence[Question]
    measuring: Measuring
    seed: int

    async def find_best(self, later: int) -> Found:
        """The best parameters. Enough model calls are kept to ask about `later` sentences."""
        if self.ways.way == "local":
            return Found(local=_unless_empty((await self._local()).program()))
        if self.ways.way == "llm":
            fitted = await self._model(self.training).fit(later)
            return Found(llm=_if_any(fitted.program))
        return await self._both(later)

    async def _both(self, later: int) -> Found:
        learnt = await self._local()
        # Without the new examples, because each sentence would be one of them.
        local = LocalNLU(Learnt(learnt.limits))
        self.measuring.progress.stage("looking for doubt", len(self.training))
        alone = await self.measuring.of(local, self.training)
        unsure = [
            question
            for question, reading in zip(self.training, alone.readings, strict=True)
            if not _is_enough(reading, 1.0)
        ]
        fitted = await self._model(unsure).fit(later)
        threshold = self._threshold(alone, fitted)
        return Found(_unless_empty(learnt.program()), _if_any(fitted.program), threshold)

    async def _local(self) -> Learnt:
        return await LocalFit(self.training, self.triggers, self.measuring, self.seed).fit()

    def _model(self, asked: Sequence[Question]) -> ModelFit:
        """`asked`: what the model will be asked about."""
        return ModelFit(
            self.ways, self.training, self.triggers, self.measuring, self.seed, asked=asked
        )

    def _threshold(self, alone: Measured, fitted: ModelFitted) -> float | None:
        """A better threshold if there is one; of equally good ones the cheapest."""
        nlu = self.config.settings.nlu
        if nlu.sets_threshold:
            told = f"settings.nlu.threshold: {nlu.threshold:g} is written, and so it stays"
            self.measuring.progress.note(told)
            return None
        if fitted.measured is None:
            return None
        readings = zip(self.training, alone.readings, strict=True)
        first = {id(question): reading for question, reading in readings}
        pairs = [
            (first[id(question)], reading)
            for question, reading in zip(fitted.tried_on, fitted.measured.readings, strict=True)
        ]
        best = max(THRESHOLDS, key=lambda limit: (count_understood(pairs, limit), -limit))
        return (
            best if count_understood(pairs, best) > count_understood(pairs, nlu.threshold) else None
        )


def count_understood(pairs: Sequence[tuple[Reading, Reading]], threshold: float) -> int:
    """How many sentences a cascade of both providers understands."""
    # If the model returns nothing, a cascade keeps the first answer.
    return sum(
        (one if _is_enough(one, threshold) or not other.got else other).right
        for one, other in pairs
    )


def _is_enough(reading: Reading, threshold: float) -> bool:
    return bool(reading.got) and reading.confidence >= threshold


def _unless_empty(program: LocalProgram) -> LocalProgram | None:
    return program if program.limits or program.examples else None


def _if_any(program: ModelProgram) -> ModelProgram | None:
    return program if program.commands or program.slots else None
