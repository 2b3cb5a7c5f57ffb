"""Words as rules compare them: without case, signs or endings."""

import re
import unicodedata
from collections.abc import Iterator

from soni.language import Language


def normal(text: str) -> str:
    """The message without case, punctuation at its ends, or double spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w\s']", " ", folded).split())


def content(text: str, lang: Language) -> frozenset[str]:
    """The words of a normal text that say something, without their endings."""
    fillers = lang.words("words.filler")
    return frozenset(stem_plural(word, lang) for word in text.split() if word not in fillers)


def stem_plural(word: str, lang: Language) -> str:
    """A word without the ending of its plural."""
    return lang.pattern("words.plural").sub("", word)


def speak_name(name: str) -> str:
    """A name of the configuration as people say it."""
    return normal(name.replace("_", " ").replace(".", " "))


def find_whole_words(text: str, message: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in a message by itself, not as a part of a word.

    Not by an expression: Python would keep that, and what somebody said with it.
    """
    start = message.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if not any(map(_is_of_a_word, (message[start - 1 : start], message[end : end + 1]))):
            yield start, end
        start = message.find(text, start + 1)


def _is_of_a_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def strip_accents(text: str) -> str:
    """A text without accents, with its signs."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
