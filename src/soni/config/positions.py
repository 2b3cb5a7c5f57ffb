"""Where everything an author wrote stands, so that a problem can point at it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel

from soni.config.written import Written, follow
from soni.core.errors import Problem

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Source:
    """One file: its name as shown to the author, and its text, whose lines end with `\\n`."""

    file: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        while (end := self.text.find("\n", starts[-1])) >= 0:
            starts.append(end + 1)
        return starts

    def line(self, number: int) -> str:
        """The text of a line, 1-based, without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else None]

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of a character, both 1-based."""
        number = bisect_right(self._starts, index)
        return number, index - self._starts[number - 1] + 1


@dataclass(frozen=True)
class Mark:
    """A stretch of a file."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.end]

    def problem(
        self,
        message: str,
        *,
        code: str = "",
        path: Path = (),
        remedy: str | None = None,
        available: Sequence[str] = (),
    ) -> Problem:
        """A problem that underlines this stretch, or as much of it as its first line has."""
        line, column = self.source.place(self.start)
        text = self.source.line(line)
        rest = len(text) - column + 1
        return Problem(
            message=message,
            remedy=remedy,
            path=path,
            file=self.source.file,
            line=line,
            column=column,
            length=max(1, min(self.end - self.start, rest)),
            source=text,
            available=tuple(available),
            code=code,
        )

    def within(self, value: str, offset: int, length: int) -> "Mark":
        """The part of this scalar that became `value[offset:]`, if it can be told."""
        start = _start_within(self.text, value, offset, length)
        if start is None:
            return self
        return Mark(self.source, self.start + start, self.start + start + length)


@dataclass(frozen=True)
class Positions:
    """The places of all keys and values of an assistant, by the path of what was written."""

    model: type[BaseModel]
    """The model that `data` is meant for."""

    data: Any = None
    keys: dict[Path, Mark] = field(default_factory=dict)
    values: dict[Path, Mark] = field(default_factory=dict)

    def get_written(self, path: Path) -> Written:
        """What the author wrote for a path of the models."""
        return follow(self.model, self.data, path)

    def problem(
        self,
        path: Path,
        message: str,
        *,
        code: str = "",
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
        remedy: str | None = None,
        available: Sequence[str] = (),
    ) -> Problem:
        """A problem at a path of the models; `part` is (value, offset, length) within a text."""
        written = self.get_written(path)
        shown = (*written.path, *written.rest)
        mark = self.mark(written, on)
        if mark is None:
            return Problem(message, remedy, path=shown, available=tuple(available), code=code)
        if part is not None:
            mark = mark.within(*part)
        return mark.problem(message, code=code, path=shown, remedy=remedy, available=available)

    def mark(self, written: Written, on: Literal["key", "value"] = "value") -> Mark | None:
        """The place of a key or value; of the nearest thing around it where it has none."""
        path = written.path
        key, value = self.keys.get(path), self.values.get(path)
        # What is not there is missed at the name of what should hold it.
        if key is not None and (on == "key" or written.rest or value is None or not value.text):
            return key
        if value is not None:
            return value
        return self.mark(Written(path[:-1], path[-1:])) if path else None


def _start_within(text: str, value: str, offset: int, length: int) -> int | None:
    whole = text.find(value)
    if whole >= 0:
        return whole + offset
    # Folded lines and escapes are written otherwise than they are read.
    part = value[offset : offset + length]
    return text.find(part) if part and text.count(part) == 1 else None
