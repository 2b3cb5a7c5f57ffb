"""The sentences of a conversation test, asked each in its turn."""

from soni.testing.case import TurnCase
from soni.testing.evaluate.ear import Probe, Responder
from soni.testing.evaluate.held_out import Half, belongs
from soni.testing.evaluate.meaning import Interpreter
from soni.testing.evaluate.sample import Sample
from soni.testing.notation import read_named
from soni.testing.run import ConversationTest


def sample_of(test: ConversationTest, index: int) -> Sample | None:
    """What a turn says, if the test says what it means: as `commands`, or as expected ones."""
    given = test.case.turns[index]
    expects = "commands" in given.expect.model_fields_set
    if given.user is None or not (given.commands is not None or expects):
        return None
    written = given.expect.commands if given.commands is None else given.commands
    named = [read_named(entry) for entry in written]
    file, _, line = test.where_of("turns", index).rpartition(":")
    return Sample(
        given.user,
        tuple({"type": name, **(fields or {})} for name, fields in named),
        file,
        int(line),
        test.name,
        # What is given has its defaults where nothing is written; what is expected, anything.
        types_only=given.commands is None and any(fields is None for _, fields in named),
    )


class TurnEar(Probe):
    """Listens to one test."""

    def __init__(self, test: ConversationTest, half: Half | None, responder: Responder) -> None:
        super().__init__(responder)
        self._test = test
        self._half = half

    def prepare(self, index: int, given: TurnCase) -> None:
        """The turn that comes next."""
        sample = sample_of(self._test, index)
        chosen = [sample] if sample is not None and belongs(sample.text, self._half) else []
        named = map(read_named, given.commands or ())
        written = [{"type": name, **(fields or {})} for name, fields in named]
        self.expect(chosen, None if given.commands is None else written)

    def _makes_sense(self, sample: Sample) -> bool:
        # A test may have the understanding err, to show that the conversation does not mind.
        return sample.types_only or not Interpreter(self.moment).refuses(sample.commands)
