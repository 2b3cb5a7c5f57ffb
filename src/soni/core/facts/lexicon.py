"""The words that a text in a language is read by."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from soni.core.facts import english, spanish
from soni.language import base_language

_RULES: Final = (english, spanish)
_SHORT: Final = frozenset({"s", "re", "ll", "ve", "m", "d"})


@dataclass(frozen=True)
class Lexicon:
    """Words that state, deny, join or only hold a sentence together."""

    numbers: frozenset[str]
    ones: frozenset[str]
    counting: frozenset[str]
    pointing: frozenset[str]
    facts: frozenset[str]
    negations: frozenset[str]
    auxiliaries: frozenset[str]
    fillers: frozenset[str]
    joints: frozenset[str]
    turns: frozenset[str]
    openers: frozenset[str]

    def denies(self, word: str) -> bool:
        """Whether a word says that something is not so."""
        return word in self.negations or word.endswith("n't")

    def is_auxiliary(self, word: str) -> bool:
        """Whether a word shows that something is said of somebody: "is", "can", "we're"."""
        whole, _, short = word.partition("'")
        return word in self.auxiliaries or (short in _SHORT and whole in self.fillers)

    def is_function(self, word: str) -> bool:
        """Whether a word says nothing by itself."""
        known = self.auxiliaries | self.fillers | self.joints | self.turns
        return word in known or self.is_auxiliary(word) or self.denies(word)


def lexicon_of(language: str) -> Lexicon:
    """Other languages are read by both: a word too many only means that less is reworded."""
    return _of(both=base_language(language) != "en")


@lru_cache(maxsize=8)
def _of(both: bool) -> Lexicon:
    rules = _RULES if both else _RULES[:1]
    numbers = frozenset[str]().union(*(each.NUMBERS for each in rules))
    stated = (
        words for each in rules for words in (each.TIMES, each.UNITS, each.LIMITS, each.OUTCOMES)
    )
    facts = numbers.union(*stated)
    return Lexicon(
        numbers=numbers,
        ones=frozenset[str]().union(*(each.ONES for each in rules)),
        counting=english.ONES,
        pointing=english.POINTING,
        facts=facts,
        negations=frozenset[str]().union(*(each.NEGATIONS for each in rules)),
        auxiliaries=frozenset[str]().union(*(each.AUXILIARIES for each in rules)),
        fillers=frozenset[str]().union(*(each.FILLERS for each in rules)),
        joints=frozenset[str]().union(*(each.JOINTS for each in rules)),
        turns=frozenset[str]().union(*(each.TURNS for each in rules)),
        openers=facts.union(*(each.OPENERS for each in rules)),
    )
