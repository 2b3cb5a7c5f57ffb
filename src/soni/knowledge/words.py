"""The words of a sentence, made alike: no case, no accents, no endings, no fillers.

Light on purpose: an ending too many is dropped in the question and in the entry alike.
"""

import re
import unicodedata
from types import MappingProxyType
from typing import Final

from soni.knowledge import english, spanish
from soni.language import base_language

MAX_WORDS: Final = 60
"""Of a question, the first so many are looked up: nobody asks for more at once."""

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_LONGEST: Final = 40

LANGUAGES: Final = MappingProxyType({"en": english, "es": spanish})
# What is asked about says more than the words that ask.
_ASKING: Final = english.ASKING | spanish.ASKING
_FILLERS: Final = english.FILLERS | spanish.FILLERS


def fold(text: str) -> str:
    """Without case and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return "".join(sign for sign in folded if not unicodedata.combining(sign))


def plain_words(text: str) -> list[str]:
    """Every word as it is said, folded."""
    joined = re.sub(r"\be-(?=[a-z])", "e", fold(text))
    return [word[:_LONGEST] for word in _WORD.findall(joined)]


def stems(text: str, language: str) -> list[str]:
    """The words that say something, each once, without their endings."""
    rules = LANGUAGES.get(base_language(language))
    words = plain_words(text)
    if rules is None:
        return list(dict.fromkeys(words))
    whole = [rules.whole(word) for word in words]
    # "Are you there?" is made of nothing else.
    said = [word for word in whole if word not in rules.FILLERS] or whole
    return list(dict.fromkeys(rules.stem(word) for word in said))


def is_filler(word: str) -> bool:
    """Whether a folded word says nothing about what is asked."""
    return word in _ASKING or word in _FILLERS


def weight(stem: str) -> float:
    """How much a word counts beside others that are as rare."""
    return 0.25 if stem in _ASKING else 1.0
