"""Parts: splits conversations into training and held-out ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from soni.core.errors import SoniError
from soni.testing.evaluate.question import Question

MIN_SENTENCES: Final = 20
"""The least number of sentences."""

MIN_SENTENCES_PER_PART: Final = 5
"""The least number of sentences in each part."""


class TooFewError(SoniError):
    """There are too few sentences to learn from, or to measure with."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"{found}; at least {MIN_SENTENCES} are needed, in several conversations. Write "
            "`commands` into conversation tests, sentences into nlu/, or annotate what people "
            "said: `soni trace DIR USER --annotate FILE`."
        )


@dataclass(frozen=True)
class Parts:
    """Two sets of sentences. A conversation is never split between them."""

    training: tuple[Question, ...]
    held_out: tuple[Question, ...]

    @classmethod
    def split(cls, questions: Sequence[Question], share: float, seed: int) -> "Parts":
        """Split by a share. The seed alone decides which conversation goes where."""
        if len(questions) < MIN_SENTENCES:
            raise TooFewError(f"there are {len(questions)} sentences with their meaning")
        apart = _choose_conversations(questions, share, seed)
        training = tuple(each for each in questions if each.conversation not in apart)
        held_out = tuple(each for each in questions if each.conversation in apart)
        if min(len(training), len(held_out)) < MIN_SENTENCES_PER_PART:
            told = f"{len(training)} sentences to learn from and {len(held_out)} to measure with"
            raise TooFewError(
                f"the conversations come to {told}, and each needs {MIN_SENTENCES_PER_PART}"
            )
        return cls(training, held_out)


def rank_conversations(conversations: Iterable[str], seed: int) -> list[str]:
    """The conversations in a pseudo-random order that depends on the seed alone."""

    def rank(name: str) -> bytes:
        return sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()

    return sorted(set(conversations), key=rank)


def _choose_conversations(questions: Sequence[Question], share: float, seed: int) -> set[str]:
    """Choose conversations until they hold that share of the sentences."""
    sizes = Counter(question.conversation for question in questions)
    chosen, held = set[str](), 0
    for name in rank_conversations(sizes, seed):
        if held >= share * len(questions):
            break
        chosen.add(name)
        held += sizes[name]
    return chosen
