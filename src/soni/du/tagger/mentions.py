"""Whether a value is said in a text, however it is spelt: "Two", "2", "full size"."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from unicodedata import combining, normalize

from soni.language import find_language

_WORD = re.compile(r"\w+")
_CAMEL_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")
# `city_2` is a city: a number at the end only tells two slots of one name apart.
_NUMBER = re.compile(r"(?<=\D) \d+$")
# Shorter words begin alike by chance.
_STEM = 4


@lru_cache(maxsize=1)
def _load_digits() -> Mapping[str, str]:
    # The model has learnt from English alone.
    return find_language("en").table("count.digits")


def normalise_words(text: str) -> str:
    """Words in lower case without accents, numbers in digits, a space around each."""
    bare = "".join(c for c in normalize("NFD", text.lower()) if not combining(c))
    digits = _load_digits()
    words = [digits.get(word, word) for word in _WORD.findall(bare)]
    return f" {' '.join(words)} " if words else " "


@lru_cache(maxsize=8192)
def normalise_author_text(text: str) -> str:
    """The same for a text of the assistant's author. It is cached; what users say never is."""
    return normalise_words(text)


def holds_value(text: str, value: str) -> bool:
    """Whether the text holds the value; both are normalised."""
    return len(value) > 1 and value in text


def measure_overlap(text: str, value: str) -> float:
    """The share of the value's words in the text, compared by prefix; both are normalised."""
    words = value.split()
    if not words:
        return 0.0
    return sum(f" {word[: max(_STEM, len(word) - 2)]}" in text for word in words) / len(words)


def format_words(value: Any) -> str:
    """A value of any kind as plain words."""
    return normalise_words(str(value))


@lru_cache(maxsize=4096)
def speak_identifier(name: str) -> str:
    """`bookTable` and `book_table_2` as "book table"."""
    words = _BETWEEN.sub(" ", _CAMEL_BOUNDARY.sub(" ", name)).strip().lower()
    return _NUMBER.sub("", words)


def make_title(name: str, description: str) -> str:
    """The text that stands for a slot or a flow: "amount: how much to send"."""
    said = speak_identifier(name)
    return f"{said}: {description.strip()}" if description.strip() else said
