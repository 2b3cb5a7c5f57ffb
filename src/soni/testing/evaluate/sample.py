"""Sentences with their meaning, and what was made of them."""

from dataclasses import dataclass
from math import inf
from typing import Any

from soni.du import Usage
from soni.testing.evaluate.meaning import Meaning


@dataclass(frozen=True)
class Sample:
    """Something that people say, and what they mean by it."""

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
