"""Both: the two providers of a cascade, each asked about everything."""

from collections.abc import Sequence
from math import inf
from typing import Any

from soni.du import DialogueContext, NLUOutput
from soni.du.cascade.provider import CascadeNLU, join_outputs
from soni.testing.evaluate.candidate import Answer, Candidate


class Both(Candidate):
    """Asks each once, and answers as the cascade would: every other threshold can be told too."""

    def __init__(self, cascade: CascadeNLU, timeout: float) -> None:
        super().__init__(cascade, timeout)
        self._first = Candidate(cascade.first, timeout)
        self._second = Candidate(cascade.second, timeout)
        self._threshold = cascade.threshold

    async def ask(self, message: str, history: Sequence[Any], context: DialogueContext) -> Answer:
        """What the cascade says, with what it says if the model is not asked, and if it is."""
        kept = await self._first.ask(message, history, context)
        if kept.sure == inf:
            return kept.with_ways(kept, None)
        second = await self._second.ask(message, history, context)
        sent = _combine_answers(kept, second)
        chosen = kept if kept.sure >= self._threshold else sent
        return chosen.with_ways(kept, sent, second.error)


def _combine_answers(first: Answer, second: Answer) -> Answer:
    """As a cascade takes the second answer: the first stands in for one that failed."""
    took = first.seconds + second.seconds
    if second.error is not None:
        error = None if first.output.commands else second.error
        return Answer(first.output, took, error, first.sure)
    output: NLUOutput = join_outputs(first.output, second.output)
    return Answer(output, took, None, first.sure)
