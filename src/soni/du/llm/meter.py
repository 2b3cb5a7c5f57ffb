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


class Meter:
    """Sums up the usage of calls."""

    def __init__(
        self,
        answered: Callable[[], Iterable[Any]],
        settings: Nlu,
        asked: Callable[[], int],
        *,
        apart: bool = False,
    ) -> None:
        """`answered`: the usage of each answer; `asked`: the number of requests.

        `apart`: whether cached tokens are counted beside the prompt tokens, not among them.
        """
        self._answered = answered
        self._settings = settings
        self._asked = asked
        self._apart = apart

    def read_usage(self) -> Usage:
        """Calls and tokens so far, and the cost where prices are known.

        A call without an answer counts as a call; its tokens are not known.
        """
        calls = list(self._answered())
        details = [call.get("prompt_tokens_details") or {} for call in calls]
        cached = _sum_counts(details, "cached_tokens")
        beside = cached + _sum_counts(details, "cache_creation_tokens") if self._apart else 0
        prompt = _sum_counts(calls, "prompt_tokens") + beside
        completion = _sum_counts(calls, "completion_tokens")
        return Usage(
            model=self._settings.model or "",
            calls=self._asked(),
            prompt_tokens=prompt,
            cached_tokens=cached,
            completion_tokens=completion,
            cost=self._calculate_cost(prompt, cached, completion),
        )

    def _calculate_cost(self, prompt: int, cached: int, completion: int) -> float | None:
        prices = self._settings.prices
        if prices is None:
            return None
        again = prices.input if prices.cached is None else prices.cached
        paid = (prompt - cached) * prices.input + cached * again + completion * prices.output
        return round(paid / 1_000_000, 9)


def _sum_counts(counts: Iterable[Any], name: str) -> int:
    return sum(count.get(name) or 0 for count in counts)
