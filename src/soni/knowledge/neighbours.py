"""Known words that differ from a misspelt one by a typo."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

# Shorter words have too many neighbours.
_MIN_WORD_LENGTH: Final = 5


class SpellingNeighbours:
    """Finds known words within one typo: such words share a form with one letter deleted."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= _MIN_WORD_LENGTH:
                for left in _iter_deletions(word):
                    self._words[left].append(word)

    def find_near_word(self, word: str) -> str | None:
        """A known word that differs by one letter, or by two swapped letters."""
        if len(word) < _MIN_WORD_LENGTH:
            return None
        near = (other for left in _iter_deletions(word) for other in self._words.get(left, ()))
        return next((other for other in near if _is_single_typo(word, other)), None)


def _iter_deletions(word: str) -> Iterator[str]:
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _is_single_typo(word: str, other: str) -> bool:
    """Whether the words differ by one typo. The first letter must be the same."""
    same = _count_shared_letters(word, other)
    word, other = word[same:], other[same:]
    tail = _count_shared_letters(word[::-1], other[::-1])
    word, other = word[: len(word) - tail], other[: len(other) - tail]
    turned = len(word) == 2 and word == other[::-1]
    return same > 0 and (turned or max(len(word), len(other)) <= 1)


def _count_shared_letters(word: str, other: str) -> int:
    pairs = enumerate(zip(word, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(word), len(other)))
