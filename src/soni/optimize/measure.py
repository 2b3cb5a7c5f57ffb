"""Measuring a provider on questions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from soni.core.errors import SoniError
from soni.core.protocols import NLUProvider
from soni.optimize.budget import Budget, BudgetError
from soni.optimize.progress import Progress
from soni.testing.evaluate.candidate import Candidate
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading
from soni.testing.evaluate.share import Share


class MeasureError(SoniError):
    """A provider that fails cannot be measured."""


@dataclass(frozen=True)
class Measured:
    """What a provider made of questions, in their order."""

    readings: tuple[Reading, ...]

    @property
    def exact(self) -> Share:
        """How many were understood exactly."""
        return Share(sum(each.right for each in self.readings), len(self.readings))


@dataclass(frozen=True)
class Measuring:
    """Asks one question after the other."""

    timeout: float
    """Seconds for a question."""

    progress: Progress
    retries: int = 0
    """How often a question is asked again if the provider fails."""

    budget: Budget = field(default_factory=lambda: Budget(0))

    async def of(self, provider: NLUProvider, questions: Sequence[Question]) -> Measured:
        """All of them. Raises `BudgetError` if that takes more calls than are left."""
        candidate, readings = Candidate(provider, self.timeout, warm=True), []
        for question in questions:
            readings.append(await self._ask_provider(candidate, question))
            self.progress.advance()
        return Measured(tuple(readings))

    async def _ask_provider(self, candidate: Candidate, question: Question) -> Reading:
        for left in range(self.retries, -1, -1):
            _, reading = await question.ask(candidate)
            if self.budget.refused:
                raise BudgetError(f"the budget of {self.budget.calls} model calls is spent")
            if reading.error is None:
                return reading
            if left:
                await asyncio.sleep(2.0 ** (self.retries - left) / 2)
        raise MeasureError(
            f"{question.sample.file}:{question.sample.line}: the understanding gave no answer: "
            f"{reading.error}. Nothing was saved."
        )
