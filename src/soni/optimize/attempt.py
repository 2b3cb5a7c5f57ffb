"""Attempt: fits the parameters of a provider."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from soni.config.program import LocalProgram, ModelProgram
from soni.config.soni_config import SoniConfig
from soni.du.local.limits import LocalTuning
from soni.du.local.provider import LocalNLU
from soni.optimize.findings import Findings, ProviderFactory
from soni.optimize.local import LocalFit
from soni.optimize.measure import Measurer
from soni.optimize.model import FittedModel, ModelFit
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading

THRESHOLDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Attempt:
    """Learns from training sentences alone."""

    config: SoniConfig
    ways: ProviderFactory
    training: Sequence[Question]
    triggers: Sequence[Question]
    measuring: Measurer
    seed: int

    async def find_best(self, later: int) -> Findings:
        """The best parameters. Enough model calls are kept to ask about `later` sentences."""
        if self.ways.way == "local":
            return Findings(local=_drop_empty_local((await self._fit_local()).make_program()))
        if self.ways.way == "llm":
            fitted = await self._make_model_fit(self.training).fit(later)
            return Findings(llm=_drop_empty_model(fitted.program))
        return await self._fit_cascade(later)

    async def _fit_cascade(self, later: int) -> Findings:
        learnt = await self._fit_local()
        # Without the new examples, because each sentence would be one of them.
        local = LocalNLU(LocalTuning(learnt.limits))
        self.measuring.progress.begin_stage("looking for doubt", len(self.training))
        alone = await self.measuring.measure(local, self.training)
        unsure = [
            question
            for question, reading in zip(self.training, alone, strict=True)
            if not _is_enough(reading, 1.0)
        ]
        fitted = await self._make_model_fit(unsure).fit(later)
        local_program = _drop_empty_local(learnt.make_program())
        threshold = self._choose_threshold(alone, fitted)
        return Findings(local_program, _drop_empty_model(fitted.program), threshold)

    async def _fit_local(self) -> LocalTuning:
        return await LocalFit(self.training, self.triggers, self.measuring, self.seed).fit()

    def _make_model_fit(self, asked: Sequence[Question]) -> ModelFit:
        """`asked`: what the model will be asked about."""
        return ModelFit(
            self.ways, self.training, self.triggers, self.measuring, self.seed, asked=asked
        )

    def _choose_threshold(self, alone: Sequence[Reading], fitted: FittedModel) -> float | None:
        """A better threshold if there is one; of equally good ones the cheapest."""
        nlu = self.config.settings.nlu
        if nlu.sets_threshold:
            told = f"settings.nlu.threshold: {nlu.threshold:g} is written, and so it stays"
            self.measuring.progress.note(told)
            return None
        if fitted.measured is None:
            return None
        first = dict(zip(map(id, self.training), alone, strict=True))
        tried = zip(fitted.tried_on, fitted.measured, strict=True)
        pairs = [(first[id(question)], reading) for question, reading in tried]
        best = max(THRESHOLDS, key=lambda limit: (count_understood(pairs, limit), -limit))
        usual = count_understood(pairs, nlu.threshold)
        return best if count_understood(pairs, best) > usual else None


def count_understood(pairs: Sequence[tuple[Reading, Reading]], threshold: float) -> int:
    """How many sentences a cascade of both providers understands."""
    # If the model returns nothing, a cascade keeps the first answer.
    return sum(
        (one if _is_enough(one, threshold) or not other.got else other).right
        for one, other in pairs
    )


def _is_enough(reading: Reading, threshold: float) -> bool:
    return bool(reading.got) and reading.confidence >= threshold


def _drop_empty_local(program: LocalProgram) -> LocalProgram | None:
    return program if program.limits or program.examples else None


def _drop_empty_model(program: ModelProgram) -> ModelProgram | None:
    return program if program.commands or program.slots else None
