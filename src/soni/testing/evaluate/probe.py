"""Probe: an NLU provider that asks about sentences inside a running conversation."""

from collections.abc import Sequence
from typing import Any, Protocol

from soni.commands.situation import Situation
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.types import DialogueState, RuntimeContext
from soni.du import DialogueContext, NLUOutput, ScopeManager
from soni.runtime.turn import Turn
from soni.testing.case import TurnCase
from soni.testing.evaluate.meaning import Interpreter
from soni.testing.evaluate.question import Question
from soni.testing.evaluate.sample import Half, Sample, is_in_half
from soni.testing.evaluate.sentences import Sentences
from soni.testing.fields import read_entry, read_moment
from soni.testing.run import ConversationTest, open_runtime, trust_understanding
from soni.testing.stubs import START, FrozenClock, stub_actions


class Responder(Protocol):
    """Receives every question of a probe."""

    async def answer(self, question: Question) -> NLUOutput:
        """The output that the conversation continues with if no commands are written."""
        ...

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Understand a message that is not a question."""
        ...


class Probe:
    """NLU provider and scope of one conversation.

    The responder gets the same context as in a real turn. The conversation continues with the
    written commands, or with the answer if there are none.
    """

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._scope = ScopeManager()
        self._samples: Sequence[Sample] = ()
        self._answer: Sequence[Any] | None = None
        self.asked = 0
        """For how many sentences it has asked."""

    def expect(self, samples: Sequence[Sample], answer: Sequence[Any] | None) -> None:
        """Set the sentences of the next turn, and the commands that it continues with."""
        self._samples, self._answer = samples, answer

    def get_available_flows(self, state: DialogueState, context: RuntimeContext) -> list[str]:
        """As for any conversation."""
        return self._scope.get_available_flows(state, context)

    async def build(self, state: DialogueState, context: RuntimeContext) -> DialogueContext:
        """Build the context as for any conversation, and keep the moment."""
        self.moment = Situation(state, context)
        return await self._scope.build(state, context)

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Ask about every sentence of this moment, then return the written commands."""
        output = None
        for sample in filter(self._makes_sense, self._samples):
            output = await self._ask_provider(sample, history)
        if self._answer is not None:
            return NLUOutput(commands=tuple(self._answer), source="written")
        return output or await self._responder.understand(user_message, history, context)

    def _makes_sense(self, sample: Sample) -> bool:
        return True

    async def _ask_provider(self, sample: Sample, history: Sequence[Any]) -> NLUOutput:
        moment = self.moment
        # The scope may depend on the message.
        state: DialogueState = {**moment.state, "user_message": sample.text}
        context = await self._scope.build(state, moment.context)
        self.asked += 1
        return await self._responder.answer(Question(sample, history, context, moment))


_ANYTHING = "…"
"""What is said on the way: nobody reads it, for its commands are written."""

_DAY = 86_400.0


class EvaluationError(SoniError):
    """A sentence cannot be asked."""


async def ask_at_moment(
    sentences: Sentences, moment: str, samples: Sequence[Sample], config: SoniConfig, ear: Probe
) -> None:
    """Lead a conversation to the moment, then ask about every sentence there."""
    content = sentences.content
    clock = FrozenClock(read_moment(content.now) if content.now else START)
    caller: dict[str, Any] = {"language": content.language, "context": content.context}
    stubbed = stub_actions(trust_understanding(_extend_timeout(config)), content.stubs)
    runtime = open_runtime(stubbed, ear, clock, ear)
    where = f"{sentences.file}:{sentences.find_line('said', moment)}"
    try:
        for commands in sentences.list_turns(moment):
            ear.expect((), commands)
            turn = await runtime.turn(_ANYTHING, **caller)
            _demand_success(turn, f"{where}: a conversation does not come to '{moment}'")
        ear.expect(samples, ())
        turn = await runtime.turn(_ANYTHING, **caller)
        if ear.asked < len(samples):
            reason = turn.state["metadata"].get("error") or "nothing is understood there"
            raise EvaluationError(f"{where}: what is said at '{moment}' cannot be asked: {reason}")
    finally:
        await runtime.abort()


def _extend_timeout(config: SoniConfig) -> SoniConfig:
    """The assistant with a long time limit: each sentence has a limit of its own."""
    nlu = config.settings.nlu.model_copy(update={"timeout": _DAY})
    return config.model_copy(update={"settings": config.settings.model_copy(update={"nlu": nlu})})


def _demand_success(turn: Turn, what: str) -> None:
    for logged in turn.state["command_log"]:
        if logged["turn"] == turn.number and logged["result"] in ("rejected", "error"):
            reason = f"{logged['command']} in turn {turn.number}: {logged['reason']}"
            raise EvaluationError(f"{what}: {reason}; change its turns under `moments`")


def make_sample(test: ConversationTest, index: int) -> Sample | None:
    """The sample of a turn, if the test gives its commands or expects some."""
    given = test.case.turns[index]
    expects = "commands" in given.expect.model_fields_set
    if given.user is None or not (given.commands is not None or expects):
        return None
    written = given.expect.commands if given.commands is None else given.commands
    named = [read_entry(entry) for entry in written]
    file, _, line = test.find_place("turns", index).rpartition(":")
    return Sample(
        given.user,
        tuple({"type": name, **(fields or {})} for name, fields in named),
        file,
        int(line),
        test.name,
        # Given commands have defaults for missing fields; expected ones match any value.
        types_only=given.commands is None and any(fields is None for _, fields in named),
    )


class CaseProbe(Probe):
    """Asks about the messages of a conversation test."""

    def __init__(self, test: ConversationTest, half: Half | None, responder: Responder) -> None:
        super().__init__(responder)
        self._test = test
        self._half = half

    def prepare(self, index: int, given: TurnCase) -> None:
        """Prepare the next turn."""
        sample = make_sample(self._test, index)
        chosen = [sample] if sample is not None and is_in_half(sample.text, self._half) else []
        named = map(read_entry, given.commands or ())
        written = [{"type": name, **(fields or {})} for name, fields in named]
        self.expect(chosen, None if given.commands is None else written)

    def _makes_sense(self, sample: Sample) -> bool:
        # A test may give wrong commands on purpose, to show how the conversation recovers.
        return sample.types_only or not Interpreter(self.moment).is_refused(sample.commands)
