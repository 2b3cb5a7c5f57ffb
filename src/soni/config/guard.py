"""Limits that a file must keep before it is parsed.

The parser's time grows faster than the text for some inputs, so these are refused in one pass.
"""

import re
from typing import Final

from soni.config.positions import Mark, Source
from soni.core.errors import Problem, UnreadableFile

MAX_LINE: Final = 20_000
"""The longest line; no text may be longer either."""

MAX_SIGNS: Final = 30_000
"""Lines, commas, colons and the like: a file has at most about as many values."""

MAX_DEPTH: Final = 64
"""How deep values may be nested."""

MAX_PROBLEMS: Final = 100
"""The most problems that are reported at once."""

_SIGNS: Final = ("\n", ",", ":", "[", "{", "- ", "? ")
_BRACKET: Final = re.compile(r"[\[\]{}]")


def refuse_bombs(source: Source) -> None:
    """Raise `UnreadableFile` for a text that would take the parser too long."""
    if sum(source.text.count(sign) for sign in _SIGNS) > MAX_SIGNS:
        message = f"the file has more than {MAX_SIGNS:,} lines, commas, colons and brackets"
        remedy = "split it over several files"
        raise UnreadableFile(Problem(message, remedy, file=source.file, code="E152"))
    start = 0
    for line in source.text.split("\n"):
        _check_line(source, start, start + len(line))
        start += len(line) + 1


def _check_line(source: Source, start: int, end: int) -> None:
    if end - start > MAX_LINE:
        mark = Mark(source, start + MAX_LINE, start + MAX_LINE + 1)
        message = f"the line is longer than {MAX_LINE:,} characters"
        raise mark.make_error(message, "E153", "break it into several lines")
    if source.text.count("[", start, end) + source.text.count("{", start, end) <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _BRACKET.finditer(source.text, start, end):
        depth = depth + 1 if bracket.group() in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            raise make_depth_error(Mark(source, bracket.start(), bracket.end()))


def make_depth_error(mark: Mark) -> UnreadableFile:
    """The error for values that are nested too deeply."""
    return mark.make_error(f"this is nested more than {MAX_DEPTH} deep", "E151", "flatten it")
