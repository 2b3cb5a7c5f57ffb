"""Question: a sample with the context in which it is said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from soni.commands.situation import Situation
from soni.du.cascade.provider import CascadeNLU, join_outputs
from soni.du.context import DialogueContext, NLUOutput
from soni.du.local.provider import LocalNLU
from soni.testing.evaluate.candidate import Candidate, CandidateAnswer
from soni.testing.evaluate.meaning import (
    Interpreter,
    drop_values,
    find_bare_amounts,
    reduce_to_types,
)
from soni.testing.evaluate.sample import Reading, Sample


@dataclass(frozen=True)
class Question:
    """What a provider is given, and how its answer is judged."""

    sample: Sample
    history: Sequence[Any]
    context: DialogueContext
    moment: Situation
    conversation: str = ""
    """The conversation it belongs to. Its sentences are not independent of each other."""

    async def ask(self, candidate: Candidate) -> tuple[CandidateAnswer, Reading]:
        """Ask a candidate and judge its answer. For a cascade, judge its alternatives too."""
        answer = await candidate.ask(self.sample.text, self.history, self.context)
        reading = await self._judge_output(answer)
        if answer.ways is None:
            return answer, reading
        without, with_model = answer.ways
        kept = await self._judge_output(without)
        sent = None if with_model is None else await self._judge_output(with_model)
        return answer, replace(reading, apart=(kept, sent), model_error=answer.model_error)

    async def _judge_output(self, answer: CandidateAnswer) -> Reading:
        sample, output = self.sample, answer.output
        # As in a turn, commands are plain data from here.
        said = output.model_dump(mode="json")["commands"]
        if sample.types_only:
            expected, got = reduce_to_types(sample.commands), reduce_to_types(said)
        else:
            amounts = find_bare_amounts(sample.commands, self.moment.assistant)
            interpreter = Interpreter(self.moment, amounts)
            expected = await interpreter.interpret(sample.commands)
            got = await interpreter.interpret(said)
            if sample.values_open:
                expected, got = drop_values(expected), drop_values(got)
        confidence, usage = output.confidence, output.usage
        return Reading(
            sample, expected, got, confidence, answer.seconds, answer.error, usage, answer.sure
        )


ReadingCallback = Callable[[Reading], None]


class AskingResponder:
    """Asks a candidate."""

    def __init__(self, candidate: Candidate, heard: ReadingCallback) -> None:
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


class RecordingResponder:
    """Collects the questions. Conversations continue with what was meant."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self._named = 0
        self._local = LocalNLU()

    def assign_conversation(self, conversation: str | None) -> None:
        """Assign the questions since the last call to a conversation; None: each to its own."""
        for index in range(self._named, len(self.questions)):
            question = self.questions[index]
            name = question.sample.text if conversation is None else conversation
            self.questions[index] = replace(question, conversation=name)
        self._named = len(self.questions)

    async def answer(self, question: Question) -> NLUOutput:
        """The written commands, or the offline provider's if only their types are written."""
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


class CascadeCandidate(Candidate):
    """Asks both providers of a cascade, so that every threshold can be evaluated."""

    def __init__(self, cascade: CascadeNLU, timeout: float) -> None:
        super().__init__(cascade, timeout)
        self._first = Candidate(cascade.first, timeout)
        self._second = Candidate(cascade.second, timeout)
        self._threshold = cascade.threshold

    async def ask(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> CandidateAnswer:
        """What the cascade says, with what it says if the model is not asked, and if it is."""
        kept = await self._first.ask(message, history, context)
        if kept.sure == inf:
            return replace(kept, ways=(kept, None))
        second = await self._second.ask(message, history, context)
        sent = _combine_answers(kept, second)
        chosen = kept if kept.sure >= self._threshold else sent
        return replace(chosen, ways=(kept, sent), model_error=second.error)


def _combine_answers(first: CandidateAnswer, second: CandidateAnswer) -> CandidateAnswer:
    """Combine as a cascade does: if the second answer failed, the first is used."""
    took = first.seconds + second.seconds
    if second.error is not None:
        error = None if first.output.commands else second.error
        return CandidateAnswer(first.output, took, error, first.sure)
    return CandidateAnswer(join_outputs(first.output, second.output), took, None, first.sure)
