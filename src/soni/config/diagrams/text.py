"""Texts for diagrams: short, printable, without control characters."""

from textwrap import wrap
from unicodedata import combining, east_asian_width

_ELLIPSIS = "…"
_NARROW_SIGNS = frozenset("fijlrtI.,:;!|'()[]{} ")
_BROAD_SIGNS = frozenset("mwMW@%…")


def clean_line(text: str) -> str:
    """The text on one line, without unprintable characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def shorten_text(text: str, length: int) -> str:
    """The tidy text, or its beginning if it is longer than `length`."""
    # Cut first: an author's text may be far longer than a diagram can show.
    line = clean_line(text[: length * 4])
    return line if len(line) <= length else line[: length - 1].rstrip() + _ELLIPSIS


def wrap_text(text: str, room: float, lines: int) -> list[str]:
    """The text in at most `lines` lines, each about `room` letters wide."""
    line = shorten_text(text, int(room * lines * 2))
    if not line:
        return []
    # Letters differ in width, so the average width of this text decides. Signs that only combine
    # with others have none.
    letters = max(2, int(room * len(line) / max(width(line), 1)))
    rows = wrap(line, letters, break_on_hyphens=False)
    last = rows[:lines][-1]
    return rows if len(rows) <= lines else [*rows[: lines - 1], last[: letters - 1] + _ELLIPSIS]


def width(text: str) -> float:
    """The width of a text in letters, estimated generously because fonts differ."""
    return sum(_measure_sign(sign) for sign in text)


def _measure_sign(sign: str) -> float:
    if combining(sign):
        return 0
    if east_asian_width(sign) in "WF":
        return 1.8
    if sign in _BROAD_SIGNS:
        return 1.5
    if sign in _NARROW_SIGNS:
        return 0.6
    return 1.2 if sign.isupper() else 1
