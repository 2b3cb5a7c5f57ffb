"""Ear: sits where understanding does, asks what is to be asked, and says what is written."""

from collections.abc import Sequence
from typing import Any, Protocol

from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext
from soni.du import DialogueContext, NLUOutput, ScopeManager
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Sample


class Responder(Protocol):
    """Who is told of every question."""

    async def answer(self, question: Question) -> NLUOutput:
        """What the conversation goes on with, where nothing is written."""
        ...

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """What is made of a message that is no question."""
        ...


class Probe:
    """The understanding and the scope of one conversation.

    The responder is asked in the very context that a turn would give it. The conversation goes on
    with the commands that are written; where there are none, with what was answered.
    """

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
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

    async def build(self, state: DialogueState, context: RuntimeContext) -> DialogueContext:
        """As for any conversation; the moment is remembered."""
        self.moment = Situation(state, context)
        return await self._scope.build(state, context)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Ask for every sentence of this moment, then say what is written."""
        output = None
        for sample in self._samples:
            if self._makes_sense(sample):
                output = await self._ask_provider(sample, history)
        if self._answer is not None:
            return NLUOutput(commands=tuple(self._answer), source="written")
        return output or await self._responder.understand(user_message, history, context)

    def _makes_sense(self, sample: Sample) -> bool:
        """Whether anybody could understand at this moment what is written."""
        return True

    async def _ask_provider(self, sample: Sample, history: Sequence[Any]) -> NLUOutput:
        moment = self.moment
        # Which flows are shown may depend on what was said.
        state: DialogueState = {**moment.state, "user_message": sample.text}
        context = await self._scope.build(state, moment.context)
        self.asked += 1
        return await self._responder.answer(Question(sample, history, context, moment))
