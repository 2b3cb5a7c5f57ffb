"""Splits a text into clauses, to find out which words a negation applies to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from soni.language import Language, find_language

_FACTS: Final = ("numbers", "times", "units", "limits", "outcomes")


_FUNCTIONS: Final = ("auxiliaries", "fillers", "joints", "turns")


class Lexicon:
    """Words that state facts, negate, join clauses, or have only a grammatical function."""

    def __init__(self, lang: Language) -> None:
        self._lang = lang
        self.numbers = self._find_words("numbers")
        self.ones = self._find_words("ones")
        self.counting = self._find_words("counting")
        self.pointing = self._find_words("pointing")
        self.partitive = self._find_words("partitive")
        self.number_joint = self._find_words("number_joint")
        self.facts = frozenset[str]().union(*map(self._find_words, _FACTS))
        self.joints = self._find_words("joints")
        self.turns = self._find_words("turns")
        self.openers = self.facts | self._find_words("openers")
        self.capitals = self._find_words("capitals")
        self._functions = frozenset[str]().union(*map(self._find_words, _FUNCTIONS))

    def is_negation(self, word: str) -> bool:
        """Whether a word is a negation."""
        listed = word in self._find_words("negations")
        return listed or self._match_word("negated", word) is not None

    def is_auxiliary(self, word: str) -> bool:
        """Whether a word is or contains an auxiliary verb: "is", "can", "we're"."""
        whole, _, short = word.partition("'")
        joined = short in self._find_words("contractions") and whole in self._find_words("fillers")
        return joined or word in self._find_words("auxiliaries")

    def is_function_word(self, word: str) -> bool:
        """Whether a word has only a grammatical function."""
        return word in self._functions or self.is_auxiliary(word) or self.is_negation(word)

    def find_opposites(self, word: str) -> Iterator[str]:
        """The words that a word may be the opposite of: "valid" of "invalid"."""
        for name in ("opposite", "lack"):
            match = self._match_word(name, word)
            if match is not None:
                yield match["word"]

    def strip_plural(self, word: str) -> str:
        """A word without the ending of its plural."""
        return self._lang.pattern("grounding.plural").sub("", word)

    def _find_words(self, name: str) -> frozenset[str]:
        return self._lang.words(f"grounding.{name}")

    def _match_word(self, name: str, word: str) -> re.Match[str] | None:
        return self._lang.pattern(f"grounding.{name}").fullmatch(word)


@dataclass(frozen=True)
class Clause:
    """The words between two conjunctions: "cats are not allowed" in "..., but cats are ..."."""

    words: tuple[str, ...]
    """The content words."""

    negations: int
    is_whole: bool
    """Whether it has a predicate; "dogs" in "dogs and cats are not allowed" has none."""

    sentence: int


@dataclass
class ClauseCollector:
    """Collects the clauses of a text, token by token."""

    lexicon: Lexicon
    _done: list[Clause] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _negations: int = 0
    _is_whole: bool = False
    _sentence: int = 0

    def add_token(self, kind: str, word: str) -> None:
        """Take the next token."""
        if kind in ("stop", "comma"):
            self._end_clause(kind == "stop")
            return
        if kind == "word" and word in self.lexicon.joints | self.lexicon.turns:
            # The clause before a "but" is complete even without a verb.
            self._end_clause(word in self.lexicon.turns)
        if kind == "word" and self.lexicon.is_negation(word):
            self._negations += 1
            self._is_whole = True
        elif kind == "word" and self.lexicon.is_function_word(word):
            self._is_whole = self._is_whole or self.lexicon.is_auxiliary(word)
        else:
            self._words.append(word)

    def get_clauses(self) -> tuple[Clause, ...]:
        """All of them."""
        self._end_clause(True)
        return tuple(self._done)

    def _end_clause(self, sentence: bool) -> None:
        if self._words or self._negations:
            clause = Clause(tuple(self._words), self._negations, self._is_whole, self._sentence)
            self._done.append(clause)
        self._words, self._negations, self._is_whole = [], 0, False
        self._sentence += sentence


@lru_cache(maxsize=64)
def find_lexicon(language: str) -> Lexicon:
    """The lexicon of a language. It includes English, which only makes checks stricter."""
    return Lexicon(find_language(language))
