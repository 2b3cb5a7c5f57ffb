"""Samples (sentences with their meaning) and readings (what a provider understood)."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import inf, sqrt
from typing import Any, Final, Literal

from soni.du import Usage
from soni.testing.evaluate.meaning import Meaning


@dataclass(frozen=True)
class Sample:
    """A sentence and its meaning."""

    text: str
    commands: tuple[dict[str, Any], ...]
    """What it means, each command tagged by its `type`."""

    file: str
    line: int
    moment: str
    """Where in a conversation it is said: a moment of the file, or the name of a test."""

    types_only: bool = False
    """The commands are names alone, which stand for any fields."""

    values_open: bool = False
    """Nobody wrote which values it says: only what else is meant counts."""

    @property
    def place(self) -> str:
        """`nlu/bank.yaml:12`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Reading:
    """What a provider made of a sample."""

    sample: Sample
    expected: Meaning
    got: Meaning
    confidence: float
    seconds: float
    error: str | None = None
    """Why there is no answer."""

    usage: Usage | None = None
    """What it took of a language model, if one was asked."""

    sure: float = -inf
    """The highest threshold at which a cascade asks no model beside."""

    apart: "tuple[Reading, Reading | None] | None" = None
    """What a cascade made of it without its model, and with it, if both were to be told."""

    model_error: str | None = None
    """Why that model had no answer."""

    @property
    def right(self) -> bool:
        """Whether it is exactly what was meant."""
        return self.expected == self.got and self.error is None


Half = Literal["held-out", "tuning"]


def is_held_out(sentence: str) -> bool:
    """Whether a sentence belongs to the held-out half, which nobody reads while tuning.

    It does if the SHA-256 of the sentence, in UTF-8, is an odd number. So a sentence never
    changes its half, wherever it stands.
    """
    return sha256(sentence.encode("utf-8")).digest()[-1] % 2 == 1


def is_in_half(sentence: str, half: Half | None) -> bool:
    """Whether a sentence is of that half; None: all are."""
    return half is None or is_held_out(sentence) == (half == "held-out")


_Z: Final = 1.959964
"""How many standard deviations to each side hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Share:
    """A part of a whole."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        """The share itself; None: there is nothing to divide by."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the share of all such sentences lies, with 95 % confidence (Wilson's interval)."""
        if not self.total:
            return None
        share, n = self.count / self.total, self.total
        middle = share + _Z**2 / (2 * n)
        wide = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        whole = 1 + _Z**2 / n
        return round((middle - wide) / whole, 9), round((middle + wide) / whole, 9)

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"count": self.count, "total": self.total, "share": self.value}


def count_right(readings: Sequence[Reading]) -> Share:
    """How many were understood exactly."""
    return Share(sum(reading.right for reading in readings), len(readings))
