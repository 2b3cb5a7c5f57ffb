"""What becomes of questions: they are asked at once, or noted down to be asked later."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from soni.du import DialogueContext, LocalNLU, NLUOutput
from soni.testing.evaluate.candidate import Candidate
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Reading

Heard = Callable[[Reading], None]


class Asking:
    """Asks a candidate."""

    def __init__(self, candidate: Candidate, heard: Heard) -> None:
        self._candidate = candidate
        self._heard = heard
        self.readings: list[Reading] = []

    async def answer(self, question: Question) -> NLUOutput:
        """What the candidate says."""
        answer, reading = await question.ask(self._candidate)
        self.readings.append(reading)
        self._heard(reading)
        return answer.output

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """What the candidate says, not measured."""
        return await self._candidate.understand(message, history, context)


class Noting:
    """Notes the questions. Conversations go on with what was meant."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self._named = 0
        self._local = LocalNLU()

    def belongs_to(self, conversation: str | None) -> None:
        """What came since the last time was said in it; None: each sentence by itself."""
        for index in range(self._named, len(self.questions)):
            question = self.questions[index]
            name = question.sample.text if conversation is None else conversation
            self.questions[index] = replace(question, conversation=name)
        self._named = len(self.questions)

    async def answer(self, question: Question) -> NLUOutput:
        """What is written; where only names of commands are, what the offline provider says."""
        self.questions.append(question)
        sample = question.sample
        if sample.types_only:
            return await self.understand(sample.text, question.history, question.context)
        return NLUOutput(commands=sample.commands, source="written")

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """What the offline provider says."""
        return await self._local.understand(message, history, context)
