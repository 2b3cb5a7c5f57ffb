"""What a file of `nlu/` holds: sentences with their meaning, by the moment they are said in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field

from soni.config.base import Config
from soni.config.positions import Positions
from soni.core.errors import Problem
from soni.testing.evaluate.sample import Sample
from soni.testing.evaluate.shorthand import entries_of, read_command

IDLE: Final = "idle"
"""The moment that needs no words: the beginning of a conversation."""


class SentenceFile(Config):
    """A whole file."""

    conversation: str | None = None
    """All that is said here was said in one conversation, and is never parted for learning."""

    now: str | None = None
    """The clock."""

    language: str | None = None
    """The caller's language."""

    context: dict[str, Any] = Field(default_factory=dict)
    """What the caller knows of the user: `session.*`."""

    stubs: dict[str, Any] = Field(default_factory=dict)
    """Action -> its result, or `{error: type}`."""

    moments: dict[str, list[list[Any]]] = Field(default_factory=dict)
    """How a conversation comes to each moment: turns, each a list of commands."""

    said: dict[str, dict[str, Any]] = Field(min_length=1)
    """Moment -> sentence -> its commands."""


@dataclass(frozen=True)
class Sentences:
    """A file that was read and checked."""

    content: SentenceFile
    positions: Positions
    file: str
    warnings: tuple[Problem, ...] = ()
    """What is written, and probably not meant so."""

    def samples(self, moment: str) -> Iterator[Sample]:
        """What is said at a moment."""
        for sentence, written in self.content.said[moment].items():
            commands = tuple(read_all(entries_of(written)))
            line = self.line("said", moment, sentence)
            yield Sample(sentence, commands, self.file, line, moment)

    def turns(self, moment: str) -> list[list[dict[str, Any]]]:
        """The turns that lead to a moment."""
        return [list(read_all(entries)) for entries in self.content.moments.get(moment, ())]

    def line(self, *path: str | int) -> int:
        """Where a key stands."""
        mark = self.positions.mark(self.positions.get_written(path), "key")
        assert mark is not None, "whatever is in a file has a place"
        return mark.source.place(mark.start)[0]


def read_all(entries: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Commands, each tagged by its type."""
    for name, fields in map(read_command, entries):
        yield {"type": name, **fields}
