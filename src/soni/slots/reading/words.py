"""Words before they are read: tidied, and spelled-out numbers turned into digits."""

import re
import unicodedata
from typing import Any

LONGEST = 200
"""No day, time or amount takes more to say, and what is longer is never looked at."""

# To text2num these are ordinals; to somebody who says a time they are units and shares.
# "Unos 80" is about 80.
_UNITS = re.compile(r"\b(seconds?|segundos?|cuartos?|un[oa]s)\b")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def tidied(value: Any, longest: int = LONGEST) -> str | None:
    """A short text in lower case with single spaces; None for anything else."""
    if not isinstance(value, str) or len(value) > longest or _SURROGATE.search(value):
        return None
    return " ".join(unicodedata.normalize("NFC", value).lower().split())


def in_digits(text: str, language: str, *, ordinals: bool = False) -> str:
    """The text with its number words as digits: `in two weeks` as `in 2 weeks`.

    `ordinals`: a `second` is the 2nd of something, not a short while.
    """
    pieces = [text] if ordinals else _UNITS.split(text)
    pieces[::2] = [_replaced(piece, language) for piece in pieces[::2]]
    return re.sub(r"\ban? (?=10{2,}\b)", "", "".join(pieces))


def _replaced(text: str, language: str) -> str:
    from text_to_num import alpha2digit  # type: ignore[import-untyped]

    try:
        return str(alpha2digit(text, language, 0))
    except ValueError:
        # A language whose number words are not known.
        return str(alpha2digit(text, "en", 0))
