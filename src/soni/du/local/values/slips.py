"""Days and times as people type them in a hurry: "tomorow", "tmrw", "quater past", "right now"."""

from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from soni.language import Language

# Shorter words are like too many others.
_SHORTEST: Final = 5
_ALIKE: Final = 0.82
# With more letters too many, or too few, words are not so much alike.
_LONGER: Final = 3


def correct_day_words(said: str, lang: Language) -> str:
    """The words of a day as they were meant; themselves if nothing is wrong with them."""
    if is_now(said, lang):
        return "today"
    return " ".join(_word(word, lang) for word in said.split())


def is_now(said: str, lang: Language) -> bool:
    """Whether words say how urgent something is: a day only for who was asked for one."""
    return lang.pattern("misspellings.now").fullmatch(said) is not None


def strip_contraction(message: str, start: int, end: int, lang: Language) -> str:
    """Words without the "is" or "will" that is written with them: "wensday's good"."""
    found = lang.pattern("misspellings.contracted").fullmatch(message, start, end)
    if found is None:
        return message[start:end]
    is_day = lang.pattern("misspellings.day_of_its_own").fullmatch(found["bare"])
    suits = lang.pattern("misspellings.suits").match(message, end)
    owns = found["may"] and not (is_day or suits)
    return message[start:end] if owns else found["bare"]


def _word(word: str, lang: Language) -> str:
    low = word.casefold()
    short = lang.table("misspellings.short")
    if low in short:
        return str(short[low])
    beside, known = lang.words("misspellings.beside"), _known_words(lang)
    if len(low) < _SHORTEST - 1 or not low.isalpha():
        return word
    if low in known or low in lang.words("misspellings.other_word"):
        return word
    known = beside if len(low) < _SHORTEST else known
    # People miss a first letter less often than they use another word. Comparing takes long.
    may = [one for one in known if one[0] == low[0] and abs(len(one) - len(low)) <= _LONGER]
    near = get_close_matches(low, may, 1, _ALIKE) if may else []
    return near[0] if near else word


@lru_cache(maxsize=16)
def _known_words(lang: Language) -> frozenset[str]:
    """The days, and what stands beside them."""
    names = ("misspellings.day", "misspellings.beside", "calendar.weekdays", "calendar.months")
    return frozenset().union(*map(lang.words, names))
