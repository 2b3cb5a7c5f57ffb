"""Fits a language model: chooses the examples in its prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from soni.config.program import Demo, ModelProgram
from soni.optimize.findings import ProviderFactory
from soni.optimize.measure import BudgetError, Measurer
from soni.optimize.parts import rank_conversations
from soni.optimize.start_examples import has_secret
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading, count_right

if TYPE_CHECKING:
    from soni.du.llm.moment import Moment
    from soni.du.llm.passes import Passes

MAX_SAMPLE: Final = 24
"""Sentences that a choice of messages is tried on, at the most."""

MAX_TRIES: Final = 12
_CALL_MARGIN: Final = 1.25
"""Safety margin: other sentences may need more calls."""


@dataclass(frozen=True)
class FittedModel:
    """The chosen examples, and the readings of the sentences they were tried on."""

    program: ModelProgram
    tried_on: Sequence[Question]
    measured: Sequence[Reading] | None
    """None: the budget was too small."""


class ModelFit:
    """Tries sets of examples on training sentences, within the budget."""

    def __init__(
        self,
        ways: ProviderFactory,
        training: Sequence[Question],
        triggers: Sequence[Question],
        measuring: Measurer,
        seed: int,
        *,
        asked: Sequence[Question],
    ) -> None:
        """`asked`: those of the training sentences that the model will be asked about."""
        self._ways = ways
        self._measuring = measuring
        self._seed = seed
        open_ones = [each for each in training if not has_secret(each)]
        order = rank_conversations((each.conversation for each in open_ones), seed + 1)
        half = set(order[: len(order) // 2])
        tried = [each for each in asked if each.conversation in half and not has_secret(each)]
        self._tried_on = tried[:MAX_SAMPLE]
        self._shown = [each for each in open_ones if each.conversation not in half]
        self._shown += [each for each in triggers if not has_secret(each)]
        self._best: Sequence[Reading] | None = None
        self._cost = self._later = 0

    async def fit(self, later: int) -> FittedModel:
        """The best that was found; enough calls are left to ask about `later` sentences."""
        from soni.du.llm.passes import Passes
        from soni.du.llm.search import DemoSearch

        self._later = later
        best = len(self._tried_on)
        search = DemoSearch(self._score_passes, seed=self._seed, tries=MAX_TRIES, best=best)
        self._measuring.progress.begin_stage("searching", (1 + MAX_TRIES) * best)
        commands, slots = select_demos(self._shown)
        with self._measuring.budget.keep_calls(later):
            found = await search.acompile(Passes(), commands=commands, slots=slots)
        return FittedModel(found.make_program(), self._tried_on, self._best)

    async def _score_passes(self, passes: "Passes") -> int | None:
        budget = self._measuring.budget
        if not self._tried_on or budget.left < self._cost:
            return None
        before, provider = budget.spent, self._ways.open_model_provider(passes.make_program())
        try:
            measured = await self._measuring.measure(provider, self._tried_on)
        except BudgetError:
            return None
        self._cost = max(self._cost, budget.spent - before)
        budget.keep(ceil(self._later * _CALL_MARGIN * self._cost / len(self._tried_on)))
        right, shown = count_right(measured).count, len(passes.commands.predict.demos)
        self._measuring.progress.note(
            f"training part: {right} of {len(self._tried_on)} exact with {shown} messages shown; "
            f"{max(0, budget.left)} calls left to search"
        )
        if self._best is None or right > count_right(self._best).count:
            self._best = measured
        return right


def select_demos(questions: Sequence[Question]) -> tuple[list[Demo], list[Demo]]:
    """The possible examples for the first and for the second pass."""
    from soni.du.llm.demos import make_command_demo, make_slot_demo

    known = [each for each in questions if not each.sample.types_only]
    commands = [make_command_demo(*_describe_question(each)) for each in known]
    # An example without its values would teach the model that it has none.
    valued = [each for each in known if not each.sample.values_open]
    slots = [make_slot_demo(*_describe_question(each)) for each in valued]
    return [each for each in commands if each], [each for each in slots if each]


def _describe_question(question: Question) -> tuple[str, Sequence[Any], "Moment"]:
    from soni.du.llm.moment import Moment

    moment = Moment(question.context, question.context.available_flows)
    return question.sample.text, question.sample.commands, moment
