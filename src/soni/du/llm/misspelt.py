"""Words of a message that a model has spelled in another way."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

_WORD: Final = re.compile(r"\w\S*\w|\w")
_SHORTEST: Final = 5
"""Shorter words are other words as soon as one letter differs: "Rome", "home"."""

_ALIKE: Final = 0.8


def misspelt(value: str, message: str) -> str | None:
    """The words as the person spelled them; None if no words of the message are like these."""
    said = [(match.span(), _strip_word(match[0])) for match in _WORD.finditer(message)]
    meant = [_strip_word(match[0]) for match in _WORD.finditer(value)]
    words = [word for _, word in said]
    # "New York" for "newyork".
    for count in dict.fromkeys((len(meant), len(meant) - 1, len(meant) + 1)):
        for first in range(len(words) - count + 1) if meant and count > 0 else ():
            if _are_alike(words[first : first + count], meant):
                return message[said[first][0][0] : said[first + count - 1][0][1]]
    return None


def _are_alike(said: Sequence[str], meant: Sequence[str]) -> bool:
    if len(said) == len(meant):
        return all(map(_is_alike, said, meant))
    return "".join(said) == "".join(meant)


def _is_alike(said: str, meant: str) -> bool:
    if said == meant:
        return True
    # Nobody misspells digits: those are others.
    if min(len(said), len(meant)) < _SHORTEST or not (said + meant).isalpha():
        return False
    return SequenceMatcher(None, said, meant, autojunk=False).ratio() >= _ALIKE


def _strip_word(word: str) -> str:
    """Without accents, case and signs."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if sign.isalnum())
