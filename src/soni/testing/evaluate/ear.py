"""Ear: sits where understanding does, asks the candidate, and says what is written."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext
from soni.du import DialogueContext, NLUOutput, ScopeManager
from soni.testing.evaluate.candidate import Answer, Candidate
from soni.testing.evaluate.meaning import Interpreter, bare_amounts, types_of
from soni.testing.evaluate.sample import Reading, Sample

Heard = Callable[[Reading], None]


class Ear:
    """The understanding and the scope of one conversation.

    The candidate is asked in the very context that a turn would give it. The conversation goes on
    with the commands that are written; where there are none, with what the candidate said.
    """

    def __init__(self, candidate: Candidate, heard: Heard) -> None:
        self._candidate = candidate
        self._heard = heard
        self._scope = ScopeManager()
        self._samples: Sequence[Sample] = ()
        self._answer: Sequence[Any] | None = None
        self.asked = 0
        """For how many sentences it has asked."""

    def expect(self, samples: Sequence[Sample], answer: Sequence[Any] | None) -> None:
        """What is said in the next turn, and the commands that the turn goes on with."""
        self._samples, self._answer = samples, answer

    def get_available_flows(self, state: DialogueState, context: RuntimeContext) -> list[str]:
        """As for any conversation."""
        return self._scope.get_available_flows(state, context)

    def build(self, state: DialogueState, context: RuntimeContext) -> DialogueContext:
        """As for any conversation; the moment is remembered."""
        self.moment = Situation(state, context)
        return self._scope.build(state, context)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Ask for every sentence of this moment, then say what is written."""
        output = None
        for sample in self._samples:
            if self._makes_sense(sample):
                output = await self._asked(sample, history)
        if self._answer is not None:
            return NLUOutput(commands=tuple(self._answer), source="written")
        return output or await self._candidate.understand(user_message, history, context)

    def _makes_sense(self, sample: Sample) -> bool:
        """Whether anybody could understand at this moment what is written."""
        return True

    async def _asked(self, sample: Sample, history: Sequence[Any]) -> NLUOutput:
        moment = self.moment
        # Which flows are shown may depend on what was said.
        state: DialogueState = {**moment.state, "user_message": sample.text}
        context = self._scope.build(state, moment.context)
        answer = await self._candidate.ask(sample.text, history, context)
        reading = await self._reading(sample, answer)
        if answer.ways is not None:
            kept, sent = answer.ways
            ways = (
                await self._reading(sample, kept),
                None if sent is None else await self._reading(sample, sent),
            )
            reading = replace(reading, apart=ways)
        self._heard(reading)
        self.asked += 1
        return answer.output

    async def _reading(self, sample: Sample, answer: Answer) -> Reading:
        """What was said beside what is meant."""
        output = answer.output
        # As a turn takes them on: whatever a provider calls a command, it is plain data from here.
        said = output.model_dump(mode="json")["commands"]
        if sample.types_only:
            expected, got = types_of(sample.commands), types_of(said)
        else:
            amounts = bare_amounts(sample.commands, self.moment.assistant)
            interpreter = Interpreter(self.moment, amounts)
            expected = await interpreter.meaning(sample.commands)
            got = await interpreter.meaning(said)
        return Reading(
            sample,
            expected,
            got,
            output.confidence,
            answer.seconds,
            answer.error,
            output.usage,
            answer.sure,
        )
