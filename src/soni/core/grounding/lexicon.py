"""The word classes of a language that grounding uses."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from soni.language import Language, find_language

_FACTS: Final = ("numbers", "times", "units", "limits", "outcomes")
_FUNCTIONS: Final = ("auxiliaries", "fillers", "joints", "turns")


class Lexicon:
    """Words that state facts, negate, join clauses, or have only a grammatical function."""

    def __init__(self, lang: Language) -> None:
        self._lang = lang
        self.numbers = self._words("numbers")
        self.ones = self._words("ones")
        self.counting = self._words("counting")
        self.pointing = self._words("pointing")
        self.partitive = self._words("partitive")
        self.number_joint = self._words("number_joint")
        self.facts = frozenset[str]().union(*map(self._words, _FACTS))
        self.joints = self._words("joints")
        self.turns = self._words("turns")
        self.openers = self.facts | self._words("openers")
        self.capitals = self._words("capitals")
        self._functions = frozenset[str]().union(*map(self._words, _FUNCTIONS))

    def denies(self, word: str) -> bool:
        """Whether a word is a negation."""
        return word in self._words("negations") or self._matches("negated", word) is not None

    def is_auxiliary(self, word: str) -> bool:
        """Whether a word is or contains an auxiliary verb: "is", "can", "we're"."""
        whole, _, short = word.partition("'")
        joined = short in self._words("contractions") and whole in self._words("fillers")
        return joined or word in self._words("auxiliaries")

    def is_function(self, word: str) -> bool:
        """Whether a word has only a grammatical function."""
        return word in self._functions or self.is_auxiliary(word) or self.denies(word)

    def find_opposites(self, word: str) -> Iterator[str]:
        """The words that a word may be the opposite of: "valid" of "invalid"."""
        for name in ("opposite", "lack"):
            match = self._matches(name, word)
            if match is not None:
                yield match["word"]

    def singular(self, word: str) -> str:
        """A word without the ending of its plural."""
        return self._lang.pattern("grounding.plural").sub("", word)

    def _words(self, name: str) -> frozenset[str]:
        return self._lang.words(f"grounding.{name}")

    def _matches(self, name: str, word: str) -> re.Match[str] | None:
        return self._lang.pattern(f"grounding.{name}").fullmatch(word)


@lru_cache(maxsize=64)
def lexicon_of(language: str) -> Lexicon:
    """The lexicon of a language. It includes English, which only makes checks stricter."""
    return Lexicon(find_language(language))
