"""The result of a test."""

from dataclasses import dataclass, field
from typing import Any

from soni.core.records import StepRecord


@dataclass(frozen=True)
class Mismatch:
    """An expectation that did not hold."""

    what: str
    """The key of the expectation, e.g. `bot`."""

    expected: Any
    got: Any


@dataclass(frozen=True)
class Line:
    """Something that was said in the test."""

    who: str
    """`user`, `bot` or `api`."""

    text: str


@dataclass
class Result:
    """One test after it ran. It stops at the first turn that differs."""

    name: str
    where: str
    """The file, and the line of what did not hold."""

    transcript: list[Line] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    error: str | None = None
    """Why a turn could not be run at all."""

    turn: int = 0
    """The last turn that ran, 1-based."""

    steps: list[StepRecord] = field(default_factory=list)
    """The steps that ran in turns of which something is expected, see `soni.core.turn_trace`."""

    responses: set[str] = field(default_factory=set)
    """The responses that were said in such turns."""

    differing: list[tuple[int, Mismatch]] = field(default_factory=list)
    """All that did not hold, with the index of its turn; more than the first if it ran to the end.
    """

    seconds: float = field(default=0.0, compare=False)

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.mismatches and self.error is None
