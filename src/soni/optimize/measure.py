"""Measures a provider on questions."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from soni.core.errors import SoniError
from soni.core.protocols import NLUProvider
from soni.testing.evaluate.candidate import Candidate
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading


class Progress(Protocol):
    """Receives progress reports."""

    def begin_stage(self, name: str, total: int) -> None:
        """Something begins that has so many parts."""
        ...

    def advance(self) -> None:
        """A part is done."""
        ...

    def note(self, text: str) -> None:
        """Something was found out."""
        ...


class BudgetError(SoniError):
    """No call is left in the budget."""


class Budget:
    """Counts model calls, and raises before one that exceeds the limit."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.spent = 0
        self.refused = False
        """Whether more was wanted."""

        self._kept = 0

    @property
    def left(self) -> int:
        """The calls that may still be made."""
        return self.calls - self.spent - self._kept

    @contextmanager
    def keep_calls(self, calls: int) -> Iterator[None]:
        """Reserve calls for later within the block."""
        self._kept = calls
        try:
            yield
        finally:
            self._kept, self.refused = 0, False

    def keep(self, calls: int) -> None:
        """Reserve at least so many calls."""
        self._kept = max(self._kept, calls)

    def spend(self) -> None:
        """A call is about to be made."""
        if self.left <= 0:
            self.refused = True
            raise BudgetError(f"the budget of {self.calls} model calls is spent")
        self.spent += 1


class MeasureError(SoniError):
    """A provider that fails cannot be measured."""


@dataclass(frozen=True)
class Measurer:
    """Asks one question after the other."""

    timeout: float
    """Seconds for a question."""

    progress: Progress
    retries: int = 0
    """How often a question is asked again if the provider fails."""

    budget: Budget = field(default_factory=lambda: Budget(0))

    async def measure(self, provider: NLUProvider, questions: Sequence[Question]) -> list[Reading]:
        """All readings, in order. Raises `BudgetError` if that takes more calls than are left."""
        candidate, readings = Candidate(provider, self.timeout, warm=True), []
        for question in questions:
            readings.append(await self._ask_provider(candidate, question))
            self.progress.advance()
        return readings

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
            f"{question.sample.place}: the understanding gave no answer: {reading.error}. "
            "Nothing was saved."
        )
