"""An index of questions and answers by their words, for one language."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from soni.knowledge.words import MAX_WORDS, extract_stems, weigh_stem
from soni.language import find_language

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


# Virtual entries that smooth the weights: in a small base, a word that one entry has weighs
# about as much as a word that none has.
_VIRTUAL_ENTRIES: Final = 50

# A word that only the answer has counts less than one of the question.
_ANSWER_WEIGHT: Final = 0.4

# Covering the words of the user weighs more than covering those of the entry.
_TOPIC_WEIGHT: Final = 0.7

# Nearly all words of the entry's question.
_NEARLY_WHOLE: Final = 0.8

# Below this, an answer would be wrong more often than right.
_MIN_SCORE: Final = 0.53


@dataclass(frozen=True)
class SearchHit:
    """An entry and its score, from 0 to 1."""

    entry: int
    score: float


@dataclass(frozen=True)
class _Entry:
    questions: tuple[frozenset[str], ...]
    answer: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.answer.union(*self.questions)


class Index:
    """An inverted index: a search scores only entries that share a rare word with the question."""

    def __init__(self, entries: Iterable[tuple[Sequence[str], Sequence[str]]], language: str):
        """Index the questions and the answers of every entry."""
        self._language = language
        self._lang = find_language(language)
        self._entries = [
            _Entry(
                tuple(filter(None, (frozenset(extract_stems(q, language)) for q in questions))),
                frozenset(stem for answer in answers for stem in extract_stems(answer, language)),
            )
            for questions, answers in entries
        ]
        self._having: dict[str, list[int]] = defaultdict(list)
        for at, entry in enumerate(self._entries):
            for stem in entry.words:
                self._having[stem].append(at)
        self._worth = {stem: self._weigh_rarity(stem, len(at)) for stem, at in self._having.items()}
        self._near = SpellingNeighbours(self._worth)

    def search(self, question: str) -> list[SearchHit]:
        """Entries that answer the question, best first. Low scores are left out."""
        words = self._weigh_words(extract_stems(question, self._language)[:MAX_WORDS])
        # "When?" alone cannot tell entries apart, so nearly the whole question must match.
        least = _NEARLY_WHOLE if all(weigh_stem(stem, self._lang) < 1 for stem in words) else 0.0
        scored = (
            SearchHit(at, self._score_entry(self._entries[at], words, least))
            for at in self._find_candidates(words)
        )
        found = [each for each in scored if each.score >= _MIN_SCORE]
        return sorted(found, key=lambda each: (-each.score, each.entry))

    def _find_candidates(self, words: Mapping[str, float]) -> set[int]:
        """Entries that can reach the minimum score. Those that share only common words cannot."""
        candidates: set[int] = set()
        left = total = sum(words.values())
        for stem in sorted(words, key=lambda stem: -words[stem]):
            if left < total * _MIN_SCORE ** (1 / _TOPIC_WEIGHT):
                break
            candidates.update(self._having.get(stem, ()))
            left -= words[stem]
        return candidates

    def _score_entry(self, entry: _Entry, words: Mapping[str, float], least: float) -> float:
        """The score: how much of the question the entry covers, and the reverse."""
        asked = frozenset().union(*entry.questions)
        about = sum(
            worth if stem in asked else worth * _ANSWER_WEIGHT if stem in entry.answer else 0.0
            for stem, worth in words.items()
        )
        share = max((self._compute_share(asks, words) for asks in entry.questions), default=0.0)
        if share < least:
            return 0.0
        return float((about / sum(words.values())) ** _TOPIC_WEIGHT * share ** (1 - _TOPIC_WEIGHT))

    def _compute_share(self, question: frozenset[str], words: Mapping[str, float]) -> float:
        said = sum(self._worth[stem] for stem in question if stem in words)
        return said / sum(self._worth[stem] for stem in question)

    def _weigh_words(self, words: Sequence[str]) -> dict[str, float]:
        """The weight of each word. A misspelt word is replaced by the known one."""
        known = (
            word if word in self._worth else self._near.find_near_word(word) or word
            for word in words
        )
        return {word: self._worth.get(word) or self._weigh_rarity(word, 0) for word in known}

    def _weigh_rarity(self, stem: str, having: int) -> float:
        others = len(self._entries) + _VIRTUAL_ENTRIES - having
        return weigh_stem(stem, self._lang) * math.log(1 + (others + 0.5) / (having + 0.5))


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
