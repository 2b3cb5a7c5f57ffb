"""What calls of a language model used, and cost."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from soni.config.settings import Nlu
from soni.du.context import Usage


@dataclass(frozen=True)
class Written:
    """A text, and what it took."""

    text: str
    usage: Usage
    ended: str | None = None
    """Why there is no more of it: `stop` if that is all; None if nobody says."""


class Meter:
    """What calls used."""

    def __init__(
        self,
        answered: Callable[[], Iterable[Any]],
        settings: Nlu,
        asked: Callable[[], int],
        *,
        apart: bool = False,
    ) -> None:
        """`answered`: what each answer took; `asked`: how many requests were sent.

        `apart`: tokens of a cache are counted beside those of the prompt, not among them.
        """
        self._answered = answered
        self._settings = settings
        self._asked = asked
        self._apart = apart

    def read(self) -> Usage:
        """Calls and tokens so far, and the cost where prices are known.

        Of a call without an answer nobody knows the tokens; it was a call all the same.
        """
        calls = list(self._answered())
        details = [call.get("prompt_tokens_details") or {} for call in calls]
        cached = _sum(details, "cached_tokens")
        beside = cached + _sum(details, "cache_creation_tokens") if self._apart else 0
        prompt = _sum(calls, "prompt_tokens") + beside
        completion = _sum(calls, "completion_tokens")
        return Usage(
            model=self._settings.model or "",
            calls=self._asked(),
            prompt_tokens=prompt,
            cached_tokens=cached,
            completion_tokens=completion,
            cost=self._cost(prompt, cached, completion),
        )

    def _cost(self, prompt: int, cached: int, completion: int) -> float | None:
        prices = self._settings.prices
        if prices is None:
            return None
        again = prices.input if prices.cached is None else prices.cached
        paid = (prompt - cached) * prices.input + cached * again + completion * prices.output
        return round(paid / 1_000_000, 9)


def _sum(counts: Iterable[Any], name: str) -> int:
    return sum(count.get(name) or 0 for count in counts)
