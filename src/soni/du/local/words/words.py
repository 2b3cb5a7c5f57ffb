"""Words as rules compare them: without case, signs or endings."""

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Final

from soni.du.context import SlotBrief
from soni.language import Language


def normalise(text: str) -> str:
    """The message without case, punctuation at its ends, or double spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w\s']", " ", folded).split())


def extract_words(text: str, lang: Language) -> frozenset[str]:
    """The words of a normal text that say something, without their endings."""
    fillers = lang.words("words.filler")
    return frozenset(stem_plural(word, lang) for word in text.split() if word not in fillers)


def stem_plural(word: str, lang: Language) -> str:
    """A word without the ending of its plural."""
    return lang.pattern("words.plural").sub("", word)


def speak_name(name: str) -> str:
    """A name of the configuration as people say it."""
    return normalise(name.replace("_", " ").replace(".", " "))


def describe_slot(slot: SlotBrief) -> str:
    """What a slot is called, and what is said of it."""
    return f"{speak_name(slot.name)} {normalise(slot.description)}"


def is_slot_about(slot: SlotBrief, subject: str, lang: Language) -> bool:
    """Whether the name or description of a slot has the words of a subject, by its pattern."""
    return lang.pattern(subject, cased=True).search(describe_slot(slot)) is not None


def list_forms(slot: SlotBrief) -> list[str]:
    """The words for all values of a choice."""
    return [form for value, same in slot.values.items() for form in (value, *same)]


def find_whole_words(text: str, message: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in a message by itself, not as a part of a word.

    No regular expression: Python caches those, and with them what users said.
    """
    start = message.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        beside = message[start - 1 : start] + message[end : end + 1]
        if not any(sign.isalnum() or sign == "_" for sign in beside):
            yield start, end
        start = message.find(text, start + 1)


def strip_accents(text: str) -> str:
    """A text without accents, with its signs."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


# Shorter words are too alike: "one" and "ona" may be two things.
MIN_TYPO_LENGTH: Final = 4
_ALIKE: Final = 0.8
# In so many letters one may be wrong: "want" is no "walnut", though most of it is there.
_LETTERS_PER_TYPO: Final = 5


def is_inflection(one: str, other: str, lang: Language) -> bool:
    """Whether words differ in their ending alone: "change" and "changed", "drop" and "dropping"."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    shared = one[: sum(1 for _ in alike)]
    if one == other or len(shared) < MIN_TYPO_LENGTH:
        return one == other
    ending = lang.pattern("words.ending")
    return all(ending.fullmatch(_strip_shared(word, shared)) for word in (one, other))


def _strip_shared(word: str, shared: str) -> str:
    rest = word[len(shared) :]
    return rest[1:] if rest[:1] == shared[-1] and len(rest) > 1 else rest


def is_typo(said: str, meant: str) -> bool:
    """Whether words may be others that were mistyped; nobody misses the first letter."""
    if said[:1] != meant[:1] or min(len(said), len(meant)) < MIN_TYPO_LENGTH:
        return False
    if SequenceMatcher(None, said, meant).ratio() < _ALIKE:
        return False
    return _count_slips(said, meant) <= max(1, len(meant) // _LETTERS_PER_TYPO)


def _count_slips(said: str, meant: str) -> int:
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
