"""Splits a text into clauses, to find out which words a negation applies to."""

from dataclasses import dataclass, field

from soni.core.grounding.lexicon import Lexicon


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
