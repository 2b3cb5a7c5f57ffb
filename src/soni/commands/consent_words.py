"""The words of consent: phrases as a language's file has them, and messages split like them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Final

from soni.knowledge.words import fold_text
from soni.language import Language
from soni.language.language import NAME

_TOKEN: Final = re.compile(r"\d+(?:[.,:]\d+)*%?|[^\W_]+|\.{2,}|\S")
# An emoji is the same in any colour and style, and people leave apostrophes out.
_STYLE: Final = re.compile("['\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
_SIGNS: Final = frozenset(",.!;:-\u2013\u2014()*_~¡")
_CURRENCIES: Final = frozenset("$€£¥")


def split_message(text: str) -> list[str]:
    """The words and signs of a message, folded; nothing if it asks, or breaks off."""
    words = _split_signs(text)
    if "?" in words or "¿" in words or (words and words[-1].startswith("..")):
        return []
    return [word for word in words if word not in _SIGNS and not word.startswith("..")]


def split_question(text: str) -> list[str]:
    """The words of a question, folded as those of a message are."""
    return [word for word in _split_signs(text) if word[0].isalnum() or word in _CURRENCIES]


def _split_signs(text: str) -> list[str]:
    return _TOKEN.findall(_STYLE.sub("", fold_text(text)))


@lru_cache(maxsize=512)
def list_phrases(name: str, lang: Language) -> frozenset[tuple[str, ...]]:
    """Every phrase of a class, each name in it replaced by the phrases of that name."""
    found = set[tuple[str, ...]]()
    for written in lang.words(f"consent.{name}"):
        choices = product(*(_list_parts(part, lang) for part in written.split()))
        found |= {tuple(word for part in parts for word in part) for parts in choices}
    return frozenset(phrase for phrase in found if phrase)


def _list_parts(part: str, lang: Language) -> Iterable[tuple[str, ...]]:
    inserted = NAME.fullmatch(part)
    return list_phrases(inserted[1], lang) if inserted else [tuple(split_message(part))]


@lru_cache(maxsize=128)
def list_words(name: str, lang: Language) -> frozenset[str]:
    """The single words of a class."""
    return frozenset(phrase[0] for phrase in list_phrases(name, lang) if len(phrase) == 1)


def has_grammar(lang: Language) -> bool:
    """Whether the language itself says what a yes is; otherwise the words of English count."""
    return "agreement" in lang.sections.get("consent", ())
