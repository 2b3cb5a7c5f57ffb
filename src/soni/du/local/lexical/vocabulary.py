"""The words that are written about some flows, found quickly however many there are."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from soni.du.local.lexical.dictionary import in_english
from soni.du.local.lexical.stems import beginnings
from soni.language import Language

# "Pedir" is an order or a booking: what is translated may be meant otherwise.
_TRANSLATED: Final = 0.8

LITTLE: Final = 0.05
"""What a word of all flows still says."""


class Vocabulary:
    """Of each word the flows that have it. Safe in many threads."""

    def __init__(
        self, flows: Iterable[frozenset[str]], beside: frozenset[str], lang: Language
    ) -> None:
        """`flows`: the words of each; `beside`: others, that tell no flow from another."""
        self.lang = lang
        self._flows: dict[str, set[int]] = {}
        self._count = 0
        for words in flows:
            for word in words:
                self._flows.setdefault(word, set()).add(self._count)
            self._count += 1
        self._words = beside.union(self._flows)
        self._longer: defaultdict[str, set[str]] = defaultdict(set)
        for word in self._words:
            for beginning in beginnings(word):
                self._longer[beginning].add(word)

    def same(self, word: str) -> frozenset[str]:
        """The written words that a stem is: the same, or a little shorter or longer."""
        return self._words & {word, *beginnings(word), *self._longer.get(word, ())}

    def has(self, word: str) -> bool:
        """Whether a stem is a written word, or its translation is."""
        return bool(self.same(word)) or not self._words.isdisjoint(in_english(word, self.lang))

    def rarity(self, word: str) -> float:
        """1 for a word of one flow, little for a word of all."""
        forms = (self.same(word) | in_english(word, self.lang)) & self._flows.keys()
        flows = set[int]().union(*(self._flows[form] for form in forms))
        if not flows or self._count < 2:
            return 1.0
        return max(LITTLE, 1 - (len(flows) - 1) / (self._count - 1))


class Heard:
    """Stems of a message, and which written words each of them is."""

    def __init__(self, said: frozenset[str], known: Vocabulary) -> None:
        self._same = {word: known.same(word) for word in said}
        self._meant = {word: in_english(word, known.lang) for word in said}
        self.rarities = {word: known.rarity(word) for word in said}
        self.words: frozenset[str] = frozenset().union(*self._same.values(), *self._meant.values())

    def weight(self, word: str, words: frozenset[str]) -> float:
        """1 if a stem is among some words, a little less if its translation is."""
        if not self._same[word].isdisjoint(words):
            return 1.0
        return 0.0 if self._meant[word].isdisjoint(words) else _TRANSLATED
