"""Passage: something a knowledge base found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Passage:
    """An answer to a question, best first in what a search returns."""

    id: str
    """Of an entry of the assistant's own knowledge, or of anything else the base holds."""

    score: float
    """How well it fits; only the base knows its scale."""

    text: str | None = None
    """What to say, word for word. None: the answer of the assistant's entry `id`."""
