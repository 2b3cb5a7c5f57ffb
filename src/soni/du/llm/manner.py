"""Manner: how a model wants to be asked. Some refuse what others need."""

from dataclasses import dataclass
from typing import Final

import dspy

from soni.config.settings import Nlu

_THINKING: Final = 16_000
"""The least that a model may write which thinks first: its thoughts count, and nobody sees them."""


@dataclass(frozen=True)
class Manner:
    """What can be asked of a model beside the prompt."""

    temperature: float | None
    max_tokens: int | None
    bounds: bool
    """Whether the form of an answer may say how long its lists are."""

    marks: bool
    """Whether it has to be said how much of a prompt is worth keeping, and what is kept counted
    beside the rest of the prompt.
    """

    @classmethod
    def of(cls, model: str, provider: str | None, settings: Nlu) -> "Manner":
        """For a model, by its whole name, and the provider that DSPy reaches it by."""
        temperature, most = settings.temperature, settings.max_output_tokens
        thinks = _thinks(model)
        return cls(
            # Such a model takes no other temperature than its own, which is 1.
            temperature=temperature if not thinks or temperature == 1 else None,
            max_tokens=most if not thinks or most >= _THINKING else None,
            # Anthropic refuses them. Others need them: a small model that must follow the form
            # goes on with a list until something ends it.
            bounds=not any(name in model.lower() for name in ("claude", "anthropic")),
            marks="anthropic" in (provider or ""),
        )


def _thinks(model: str) -> bool:
    """Whether it is one of OpenAI's that think before they write."""
    # DSPy knows them, and has another name for their limit.
    return "max_completion_tokens" in dspy.LM(model).kwargs
