"""Optimization: fits a provider on some conversations and measures it on the others."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from soni.config.program import PROGRAM_VERSION, Program, Scores
from soni.core.protocols import NLUProvider
from soni.du.program import fingerprint_assistant, load_program
from soni.optimize.attempt import Attempt
from soni.optimize.findings import Findings, ProviderFactory, ProviderName
from soni.optimize.measure import Budget, BudgetError, Measurer, Progress
from soni.optimize.parts import Parts
from soni.optimize.triggers import make_trigger_questions
from soni.testing.evaluate import Evaluation
from soni.testing.evaluate.sample import Reading, Share, count_right

SHARE: Final = 0.3
BUDGET: Final = 300


@dataclass(frozen=True)
class Optimized:
    """The result of an optimization."""

    before: Share
    """Accuracy on the held-out part before."""

    after: Share
    program: Program | None
    """None: it is not better."""

    calls: int
    """Of a language model."""


@dataclass(frozen=True)
class Optimization:
    """One attempt to improve the understanding of an assistant."""

    evaluation: Evaluation
    way: str
    """The provider."""

    progress: Progress
    budget: int = BUDGET
    seed: int = 0
    share: float = SHARE
    """How much is set apart to measure with."""

    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def run(self) -> Optimized:
        """Measure, learn, measure again."""
        budget = Budget(self.budget)
        ways = ProviderFactory(self.evaluation.config, self.way, budget.spend)
        try:
            return await self._run(ways, budget)
        finally:
            await ways.aclose()

    async def _run(self, ways: ProviderFactory, budget: Budget) -> Optimized:
        config = self.evaluation.config
        questions = await self.evaluation.collect_questions()
        parts = Parts.split(questions, self.share, self.seed)
        triggers = await make_trigger_questions(config)
        nlu = config.settings.nlu
        measuring = Measurer(nlu.timeout, self.progress, nlu.retries, budget)
        self.progress.note(
            f"{len(parts.training)} sentences to learn from, {len(triggers)} examples of flows, "
            f"{len(parts.held_out)} sentences set apart"
        )
        current = Findings.from_program(load_program(config))
        readings = await self._measure_held_out(measuring, ways.open_provider(current), parts)
        before = self._note_exact(readings, "as it is")
        if before.count == before.total:
            self.progress.note("nothing can be better than that")
            return Optimized(before, before, None, budget.spent)
        attempt = Attempt(config, ways, parts.training, triggers, measuring, self.seed)
        by_model = sum(reading.usage is not None for reading in readings)
        found = await attempt.find_best(later=by_model)
        if found == current:
            return Optimized(before, before, None, budget.spent)
        readings = await self._measure_held_out(measuring, ways.open_provider(found), parts)
        after = self._note_exact(readings, "with what was learnt")
        better = after.count > before.count
        program = self._make_program(ways.way, found, before, after) if better else None
        return Optimized(before, after, program, budget.spent)

    async def _measure_held_out(
        self, measuring: Measurer, provider: NLUProvider, parts: Parts
    ) -> list[Reading]:
        self.progress.begin_stage("measuring", len(parts.held_out))
        try:
            return await measuring.measure(provider, parts.held_out)
        except BudgetError as error:
            raise BudgetError(
                f"{error}, and the {len(parts.held_out)} sentences that are set apart were not "
                "all measured: give a larger --budget, or set apart less with --share-held-out"
            ) from None

    def _note_exact(self, readings: list[Reading], how: str) -> Share:
        exact = count_right(readings)
        self.progress.note(f"part that is set apart: {exact.count} of {exact.total} exact {how}")
        return exact

    def _make_program(
        self, way: ProviderName, found: Findings, before: Share, after: Share
    ) -> Program:
        return Program(
            version=PROGRAM_VERSION,
            provider=way,
            made=self.clock().isoformat(timespec="seconds"),
            made_for=fingerprint_assistant(self.evaluation.config),
            scores=Scores(before=before.count, after=after.count, total=after.total),
            local=found.local,
            llm=found.llm,
            threshold=found.threshold,
        )
