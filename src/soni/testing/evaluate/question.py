"""Question: a sample in the very moment that it is said in, ready to be asked of anybody."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from soni.commands.situation import Situation
from soni.du import DialogueContext
from soni.testing.evaluate.candidate import Answer, Candidate
from soni.testing.evaluate.meaning import (
    Interpreter,
    bare_amounts,
    types_of,
    without_values,
)
from soni.testing.evaluate.sample import Reading, Sample


@dataclass(frozen=True)
class Question:
    """What understanding would be told, and how its answer is judged."""

    sample: Sample
    history: Sequence[Any]
    context: DialogueContext
    moment: Situation
    conversation: str = ""
    """What it was said in: the parts of one must not be taken for independent."""

    async def ask(self, candidate: Candidate) -> tuple[Answer, Reading]:
        """What a candidate says to it, and what that comes to."""
        answer = await candidate.ask(self.sample.text, self.history, self.context)
        return answer, await self.read(answer)

    async def read(self, answer: Answer) -> Reading:
        """An answer beside what was meant; of a cascade also what it would be either way."""
        reading = await self._read(answer)
        if answer.ways is None:
            return reading
        kept, sent = answer.ways
        ways = await self._read(kept), None if sent is None else await self._read(sent)
        return replace(reading, apart=ways, model_error=answer.model_error)

    async def _read(self, answer: Answer) -> Reading:
        sample, output = self.sample, answer.output
        # As a turn takes them on: whatever a provider calls a command, it is plain data from here.
        said = output.model_dump(mode="json")["commands"]
        if sample.types_only:
            expected, got = types_of(sample.commands), types_of(said)
        else:
            amounts = bare_amounts(sample.commands, self.moment.assistant)
            interpreter = Interpreter(self.moment, amounts)
            expected = await interpreter.interpret(sample.commands)
            got = await interpreter.interpret(said)
            if sample.values_open:
                expected, got = without_values(expected), without_values(got)
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
