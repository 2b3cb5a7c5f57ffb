"""Normalises texts before parsing: tidies them and turns number words into digits."""

import re
import unicodedata
from typing import Any

from soni.language import find_language

MAX_LENGTH = 200
"""Longer texts are no day, time or amount and are not parsed."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def tidy_text(value: Any, longest: int = MAX_LENGTH) -> str | None:
    """A short text in lower case with single spaces; None for anything else."""
    if not isinstance(value, str) or len(value) > longest or _SURROGATE.search(value):
        return None
    return " ".join(unicodedata.normalize("NFC", value).lower().split())


def convert_number_words(text: str, language: str, *, ordinals: bool = False) -> str:
    """The text with its number words as digits: `in two weeks` as `in 2 weeks`.

    `ordinals`: a `second` is the 2nd of something, not a short while.
    """
    lang = find_language(language)
    pieces = [text] if ordinals else lang.pattern("numbers.no_number", cased=True).split(text)
    pieces[::2] = [_replace_number_words(piece, language) for piece in pieces[::2]]
    return lang.pattern("numbers.article_of_hundred", cased=True).sub("", "".join(pieces))


def _replace_number_words(text: str, language: str) -> str:
    from text_to_num import alpha2digit  # type: ignore[import-untyped]

    try:
        return str(alpha2digit(text, language, 0))
    except ValueError:
        # A language whose number words are not known.
        return str(alpha2digit(text, "en", 0))
