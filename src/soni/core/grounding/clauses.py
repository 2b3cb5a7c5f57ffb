"""The clauses of a text: the words that a denial stands with."""

from dataclasses import dataclass, field

from soni.core.grounding.lexicon import Lexicon


@dataclass(frozen=True)
class Clause:
    """What is said between two joints: "cats are not allowed" in "..., but cats are ..."."""

    words: tuple[str, ...]
    """Those that say something by themselves."""

    negations: int
    is_whole: bool
    """Whether something is said of somebody; "dogs" in "dogs and cats are not allowed" is none."""

    sentence: int


@dataclass
class Clauses:
    """Collects the clauses of a text, token by token."""

    lexicon: Lexicon
    _done: list[Clause] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _negations: int = 0
    _is_whole: bool = False
    _sentence: int = 0

    def add(self, kind: str, word: str) -> None:
        """Take the next token."""
        if kind in ("stop", "comma"):
            self._end(kind == "stop")
            return
        if kind == "word" and word in self.lexicon.joints | self.lexicon.turns:
            # What comes before a "but" is said for itself, even without an "is".
            self._end(word in self.lexicon.turns)
        if kind == "word" and self.lexicon.denies(word):
            self._negations += 1
            self._is_whole = True
        elif kind == "word" and self.lexicon.is_function(word):
            self._is_whole = self._is_whole or self.lexicon.is_auxiliary(word)
        else:
            self._words.append(word)

    def get_clauses(self) -> tuple[Clause, ...]:
        """All of them."""
        self._end(True)
        return tuple(self._done)

    def _end(self, sentence: bool) -> None:
        if self._words or self._negations:
            clause = Clause(tuple(self._words), self._negations, self._is_whole, self._sentence)
            self._done.append(clause)
        self._words, self._negations, self._is_whole = [], 0, False
        self._sentence += sentence
