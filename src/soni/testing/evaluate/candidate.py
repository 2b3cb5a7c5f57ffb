"""Candidate: the provider that is measured."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any

from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, NLUOutput
from soni.du.cascade.provider import sure_enough


@dataclass(frozen=True)
class Answer:
    """What it said to one sentence."""

    output: NLUOutput
    seconds: float
    error: str | None = None
    """Why there is no answer."""

    sure: float = -inf
    """The highest threshold at which a cascade asks no model beside."""

    ways: "tuple[Answer, Answer | None] | None" = None
    """What a cascade says without its model, and with it; None: it is never asked about this."""

    model_error: str | None = None
    """Why the model of a cascade has no answer, where it was asked on its own."""

    def with_ways(
        self, kept: "Answer", sent: "Answer | None", model_error: str | None = None
    ) -> "Answer":
        """The same, beside what could have been said."""
        return replace(self, ways=(kept, sent), model_error=model_error)


class Candidate:
    """Asks a provider and looks at the clock."""

    def __init__(self, provider: NLUProvider, timeout: float, *, warm: bool = False) -> None:
        """`warm`: it has loaded what it needs, or nobody looks at the clock."""
        self._provider = provider
        self._timeout = timeout
        self._warm = warm

    async def ask(self, message: str, history: Sequence[Any], context: DialogueContext) -> Answer:
        """The answer; a provider that fails has answered nothing."""
        try:
            if not self._warm:
                # What is loaded on first use is not the time of the sentence that comes first.
                self._warm = True
                await self.understand(message, history, context)
            started = perf_counter()
            # A conversation would not wait any longer either.
            async with asyncio.timeout(self._timeout):
                output = await self.understand(message, history, context)
            seconds = perf_counter() - started
            return Answer(output, seconds, sure=sure_enough(output, message, context))
        except Exception as failure:
            nothing = NLUOutput(confidence=0.0, source="failed")
            return Answer(nothing, 0.0, f"{type(failure).__name__}: {failure}")

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """What it makes of a message that is not measured."""
        output: NLUOutput = await self._provider.understand(
            user_message=message, history=history, context=context
        )
        return output
