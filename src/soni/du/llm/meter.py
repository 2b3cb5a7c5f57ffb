"""Meter: usage and cost of calls to a language model."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from soni.config.settings import Nlu
from soni.du.context import Usage


@dataclass(frozen=True)
class GeneratedText:
    """A generated text and its usage."""

    text: str
    usage: Usage
    ended: str | None = None
    """The finish reason: `stop` if the text is complete; None if the provider gives none."""


@dataclass(frozen=True)
class Meter:
    """Sums up the usage of calls."""

    settings: Nlu
    answered: Callable[[], Iterable[Any]]
    """The usage of each answer."""

    asked: Callable[[], int]
    """The number of requests."""

    apart: bool
    """Whether cached tokens are counted beside the prompt tokens, not among them."""

    def read_usage(self) -> Usage:
        """Calls and tokens so far, and the cost where prices are known.

        A call without an answer counts as a call; its tokens are not known.
        """
        calls = list(self.answered())
        details = [call.get("prompt_tokens_details") or {} for call in calls]
        cached = _sum_counts(details, "cached_tokens")
        beside = cached + _sum_counts(details, "cache_creation_tokens") if self.apart else 0
        prompt = _sum_counts(calls, "prompt_tokens") + beside
        completion = _sum_counts(calls, "completion_tokens")
        return Usage(
            model=self.settings.model or "",
            calls=self.asked(),
            prompt_tokens=prompt,
            cached_tokens=cached,
            completion_tokens=completion,
            cost=self._calculate_cost(prompt, cached, completion),
        )

    def _calculate_cost(self, prompt: int, cached: int, completion: int) -> float | None:
        prices = self.settings.prices
        if prices is None:
            return None
        again = prices.input if prices.cached is None else prices.cached
        paid = (prompt - cached) * prices.input + cached * again + completion * prices.output
        return round(paid / 1_000_000, 9)


def _sum_counts(counts: Iterable[Any], name: str) -> int:
    return sum(count.get(name) or 0 for count in counts)
