"""Values as they were said: a model's copy is exchanged for the words of the message."""

import re
from typing import Final

_GAP: Final = re.compile(r"\s*(?:\.\.\.|…)\s*")
_QUOTES: Final = str.maketrans("‘’“”", "''\"\"")  # noqa: RUF001
_LOUD: Final = re.compile(r"[!?+#*\"')\]]+")
_SIGNS: Final = re.compile(r"[+#]+(?![\w+#])")
_LETTER: Final = (
    r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff"
    r"\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u03ff\u1f00-\u1fff"
    r"\u0400-\u052f"
)
"""Latin, Greek and Cyrillic: other scripts write words without a space between them."""

_IS_LETTER: Final = re.compile(f"[{_LETTER}]")
_WORD_BEFORE: Final = f"(?<![{_LETTER}])"
_WORD_BEHIND: Final = rf"(?![{_LETTER}\u0300-\u036f])"


def as_said(value: str, message: str) -> str | None:
    """The words of the message that a value is a copy of; None if it is none.

    Models change case and quotes, drop a last sign, and copy long texts badly: those they
    may shorten to the beginning and the end.
    """
    whole = message.strip()
    found = _find_span(value.strip(), whole)
    if found is None:
        return None
    start, end = found
    signs = _SIGNS.match(whole, end) if whole[end - 1].isalpha() else None
    # The "C" of "C++" is another language.
    end = signs.end() if signs else end
    if start == 0 and _LOUD.fullmatch(whole[end:]):
        # Who says nothing but "Great!" says it with its sign.
        return whole
    return whole[start:end]


def _find_span(value: str, message: str) -> tuple[int, int] | None:
    if not value:
        return None
    place = _find_words(value, message)
    if place is not None:
        return place
    # A value may have a gap of its own: "So... it never came ... it is gone".
    cuts = (
        _ends(value[: gap.start()], value[gap.end() :], message) for gap in _GAP.finditer(value)
    )
    return next(filter(None, cuts), None)


def _ends(head: str, tail: str, message: str) -> tuple[int, int] | None:
    if not head or not tail:
        return None
    first, last = _find_words(head, message), _find_words(tail, message, last=True)
    return (first[0], last[1]) if first and last and first[1] <= last[0] else None


def _find_words(value: str, message: str, *, last: bool = False) -> tuple[int, int] | None:
    """Where a message has these words, whatever the case, the spaces and the form of quotes."""
    words = value.translate(_QUOTES).split()
    # "4" is no part of "453", nor "1" of "1,000", nor "Ann" of "cannot".
    before = r"(?<!\d)(?<!\d[.,])" * value[0].isdigit()
    before += _WORD_BEFORE * bool(_IS_LETTER.match(value[0]))
    behind = r"(?![.,]?\d)" * value[-1].isdigit()
    behind += _WORD_BEHIND * bool(_IS_LETTER.match(value[-1]))
    pattern = re.compile(before + r"\s+".join(map(re.escape, words)) + behind, re.IGNORECASE)
    found = [match.span() for match in pattern.finditer(message.translate(_QUOTES))]
    if not found:
        return None
    exact = [span for span in found if message[slice(*span)] == value]
    return (exact or found)[-1 if last else 0]
