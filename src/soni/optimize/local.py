"""Fits the offline understanding: limits, and examples of flows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from soni.du.local.limits import LIMITS, Limits, LocalTuning
from soni.du.local.provider import LocalNLU
from soni.du.local.recall import keep_results
from soni.optimize.measure import Measurer
from soni.optimize.parts import rank_conversations
from soni.optimize.start_examples import Sentences, collect_examples, find_started_flow
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import count_right

FOLDS: Final = 3
"""The number of folds in cross-validation."""

GRID: Final[Mapping[str, tuple[float, ...]]] = {
    "start": (0.35, 0.65),
    "interrupt": (0.55, 0.8),
    "examples": (0.5, 0.9),
    "close": (0.05, 0.25),
    "question": (0.75,),
    "act": (0.5, 0.7),
    "sure_act": (0.7, 0.88),
    "chat": (0.8,),
}
"""The limits that depend most on an assistant, and what is tried in place of the usual."""


@dataclass(frozen=True)
class _Setup:
    limits: Limits = LIMITS
    sentences: Sentences = "none"

    def learn_examples(self, questions: Sequence[Question]) -> LocalTuning:
        return LocalTuning(self.limits, collect_examples(questions, self.sentences))


class LocalFit:
    """Tries what limits and examples might be, on training sentences alone."""

    def __init__(
        self,
        training: Sequence[Question],
        triggers: Sequence[Question],
        measuring: Measurer,
        seed: int,
    ) -> None:
        self._training = training
        self._questions = [*training, *triggers]
        self._measuring = measuring
        order = rank_conversations((each.conversation for each in self._questions), seed)
        self._folds = [frozenset(order[at::FOLDS]) for at in range(FOLDS)]

    async def fit(self) -> LocalTuning:
        """The best setup; the default one unless another is better."""
        with keep_results():
            return await self._add_examples(await self._find_best_setup())

    async def _find_best_setup(self) -> _Setup:
        progress, tried = self._measuring.progress, list(_iter_variations())
        progress.begin_stage("fitting", (1 + len(tried)) * len(self._questions))
        best, top = _Setup(), await self._count_right(_Setup())
        progress.note(f"training part: {top} of {len(self._questions)} exact as it is")
        for words, change, limit in tried:
            setup = replace(best, **change, limits=replace(best.limits, **limit))
            right = await self._count_right(setup)
            if right > top:
                best, top = setup, right
                progress.note(f"training part: {top} exact with {words}")
        return best

    async def _count_right(self, setup: _Setup) -> int:
        """How many sentences are right in cross-validation over conversations."""
        right = 0
        for fold in self._folds:
            others = [each for each in self._training if each.conversation not in fold]
            asked = [each for each in self._questions if each.conversation in fold]
            measured = await self._measuring.measure(LocalNLU(setup.learn_examples(others)), asked)
            right += count_right(measured).count
        return right

    async def _add_examples(self, best: _Setup) -> LocalTuning:
        """Add all examples, except those that would break their own sentence."""
        learnt = best.learn_examples(self._training)
        asked = [each for each in self._training if find_started_flow(each) is not None]
        self._measuring.progress.begin_stage("looking over", 2 * len(asked))
        before = await self._measuring.measure(LocalNLU(LocalTuning(best.limits)), asked)
        after = await self._measuring.measure(LocalNLU(learnt), asked)
        pairs = zip(before, after, strict=True)
        spoilt = {then.sample.text for then, now in pairs if then.right and not now.right}
        kept = {
            flow: tuple(text for text in texts if text not in spoilt)
            for flow, texts in learnt.examples.items()
        }
        return LocalTuning(best.limits, {flow: texts for flow, texts in kept.items() if texts})


def _iter_variations() -> Iterator[tuple[str, dict[str, Any], dict[str, float]]]:
    """Variations of the setup: a description, the changed fields, the changed limits."""
    yield "the sentences without values as examples", {"sentences": "bare"}, {}
    yield "all sentences that start a flow as examples", {"sentences": "all"}, {}
    for name, values in GRID.items():
        for value in values:
            yield f"{name} = {value}", {}, {name: value}
