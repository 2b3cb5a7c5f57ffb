"""Sentences that say nearly the same, in one group."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

MIN_LIKENESS: Final = 0.5
MAX_EXAMPLES: Final = 4
_PIECE: Final = 3


@dataclass
class SentenceGroup:
    """Sentences that are alike."""

    sentence: str
    """The most frequent."""

    times: int
    others: list[str] = field(default_factory=list)
    """The next few of them."""

    sentences: int = 1
    """How many different ones there are."""

    def list_sentences(self) -> str:
        """The sentence with some of those that are like it."""
        if not self.others:
            return self.sentence
        more = self.sentences - 1 - len(self.others)
        rest = f" and {more} more" if more else ""
        return f"{self.sentence} (also: {'; '.join(self.others)}{rest})"


def group_alike(counted: Iterable[tuple[str, int]], limit: int) -> list[SentenceGroup]:
    """The largest groups. The sentences come with their counts, the most frequent first.

    Two are alike if they share at least half of their runs of three letters. That takes no
    account of what they mean, but it knows no language, and it finds other forms and misspellings.
    """
    groups: list[tuple[frozenset[str], SentenceGroup]] = []
    for sentence, times in counted:
        pieces = _cut_pieces(sentence)
        group = next((each for own, each in groups if _are_alike(own, pieces)), None)
        if group is None:
            groups.append((pieces, SentenceGroup(sentence, times)))
            continue
        group.times += times
        group.sentences += 1
        if len(group.others) < MAX_EXAMPLES:
            group.others.append(sentence)
    found = [group for _, group in groups]
    return sorted(found, key=lambda group: (-group.times, group.sentence))[:limit]


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    # The sizes alone rule most pairs out.
    if min(len(one), len(other)) < MIN_LIKENESS * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= MIN_LIKENESS * (len(one) + len(other) - shared)


def _cut_pieces(sentence: str) -> frozenset[str]:
    padded = f"  {sentence} "
    return frozenset(padded[at : at + _PIECE] for at in range(len(padded) - _PIECE + 1))
