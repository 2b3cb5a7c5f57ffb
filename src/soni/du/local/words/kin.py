"""Whether two words are one: with another ending, or with a slip of the finger."""

from difflib import SequenceMatcher
from itertools import takewhile
from typing import Final

from soni.language import Language

# Shorter words are too alike: "one" and "ona" may be two things.
SHORTEST: Final = 4
_ALIKE: Final = 0.8
# In so many letters one may be wrong: "want" is no "walnut", though most of it is there.
_LETTERS: Final = 5


def is_inflection(one: str, other: str, lang: Language) -> bool:
    """Whether words differ in their ending alone: "change" and "changed", "drop" and "dropping"."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    shared = one[: sum(1 for _ in alike)]
    if one == other or len(shared) < SHORTEST:
        return one == other
    ending = lang.pattern("words.ending")
    return all(ending.fullmatch(_rest(word, shared)) for word in (one, other))


def _rest(word: str, shared: str) -> str:
    rest = word[len(shared) :]
    return rest[1:] if rest[:1] == shared[-1] and len(rest) > 1 else rest


def is_typo(said: str, meant: str) -> bool:
    """Whether words may be others that were mistyped; nobody misses the first letter."""
    if said[:1] != meant[:1] or min(len(said), len(meant)) < SHORTEST:
        return False
    if SequenceMatcher(None, said, meant).ratio() < _ALIKE:
        return False
    return _slips(said, meant) <= max(1, len(meant) // _LETTERS)


def _slips(said: str, meant: str) -> int:
    """How many letters are wrong, missing, too many, or changed places with the next."""
    before: list[int] = []
    last = list(range(len(meant) + 1))
    for at, letter in enumerate(said, 1):
        row = [at]
        for place, right in enumerate(meant, 1):
            best = min(last[place] + 1, row[-1] + 1, last[place - 1] + (letter != right))
            if before and place > 1 and said[at - 2 : at] == right + meant[place - 2]:
                best = min(best, before[place - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
