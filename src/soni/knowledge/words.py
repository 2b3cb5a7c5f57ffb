"""Normalises the words of a sentence: no case, accents, endings or fillers.

The stemming is crude on purpose: it treats the question and the entry alike.
"""

import re
import unicodedata
from typing import Final

from soni.language import Language, find_language, has_language

MAX_WORDS: Final = 60
"""Only this many words of a question are looked up."""

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MAX_WORD_LENGTH: Final = 40
# Shorter words have no ending to take away.
_MAX_UNINFLECTED_LENGTH: Final = 3


def fold_text(text: str) -> str:
    """The text without case and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return "".join(sign for sign in folded if not unicodedata.combining(sign))


def split_words(text: str) -> list[str]:
    """All words of the text, folded."""
    joined = re.sub(r"\be-(?=[a-z])", "e", fold_text(text))
    return [word[:_MAX_WORD_LENGTH] for word in _WORD.findall(joined)]


def extract_stems(text: str, language: str) -> list[str]:
    """The distinct words that carry meaning, stemmed."""
    words = split_words(text)
    if not has_language(language):
        return list(dict.fromkeys(words))
    lang = find_language(language)
    whole = [_split_contraction(word, lang) for word in words]
    # "Are you there?" has only fillers, so then they are kept.
    said = [word for word in whole if word not in lang.words("knowledge.fillers")] or whole
    return list(dict.fromkeys(_stem_word(word, lang) for word in said))


def is_filler(word: str, lang: Language) -> bool:
    """Whether a folded word carries no meaning in a question."""
    return word in lang.words("knowledge.asking") or word in lang.words("knowledge.fillers")


def weigh_stem(stem: str, lang: Language) -> float:
    """The weight of a word, apart from how rare it is: question words count less."""
    return 0.25 if stem in lang.words("knowledge.asking") else 1.0


def _split_contraction(word: str, lang: Language) -> str:
    """The word without what an apostrophe joins to it."""
    for pattern, replacement in lang.rules("knowledge.contractions"):
        word = pattern.sub(replacement, word)
    return word


def _stem_word(word: str, lang: Language) -> str:
    if len(word) <= _MAX_UNINFLECTED_LENGTH:
        return word
    for pattern, replacement in lang.rules("knowledge.stem"):
        if word in lang.words("knowledge.asking"):
            break
        word = pattern.sub(replacement, word)
    return word
