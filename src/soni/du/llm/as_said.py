"""Values as they were said: a model's copy is exchanged for the words of the message."""

import re
from typing import Final

_GAP: Final = re.compile(r"\s*(?:\.\.\.|…)\s*")
_QUOTES: Final = str.maketrans("‘’“”", "''\"\"")  # noqa: RUF001
_LOUD: Final = re.compile(r"[!?+#*\"')\]]+")


def as_said(value: str, message: str) -> str | None:
    """The words of the message that a value is a copy of; None if it is none.

    Models change case and quotes, drop a last sign, and copy long texts badly: those they
    may shorten to the beginning and the end.
    """
    whole = message.strip()
    found = _found(value.strip(), whole)
    if found is None:
        return None
    start, end = found
    if start == 0 and _LOUD.fullmatch(whole[end:]):
        # Who says nothing but "Great!" says it with its sign.
        return whole
    return whole[start:end]


def _found(value: str, message: str) -> tuple[int, int] | None:
    if not value:
        return None
    place = _place(value, message)
    if place is not None:
        return place
    parts = _GAP.split(value)
    if len(parts) != 2 or not all(parts):
        return None
    head = _place(parts[0], message)
    tail = _place(parts[1], message, last=True)
    return (head[0], tail[1]) if head and tail and head[1] <= tail[0] else None


def _place(value: str, message: str, *, last: bool = False) -> tuple[int, int] | None:
    """Where a message has these words, whatever the case, the spaces and the form of quotes."""
    words = value.translate(_QUOTES).split()
    # "4" is no part of "453", nor "1" of "1,000".
    before = r"(?<!\d)(?<!\d[.,])" * value[0].isdigit()
    behind = r"(?![.,]?\d)" * value[-1].isdigit()
    pattern = re.compile(before + r"\s+".join(map(re.escape, words)) + behind, re.IGNORECASE)
    found = [match.span() for match in pattern.finditer(message.translate(_QUOTES))]
    if not found:
        return None
    exact = [span for span in found if message[slice(*span)] == value]
    return (exact or found)[-1 if last else 0]
