"""Candidate: the provider that is measured."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, NLUOutput


@dataclass(frozen=True)
class Answer:
    """What it said to one sentence."""

    output: NLUOutput
    seconds: float
    error: str | None = None
    """Why there is no answer."""


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
            return Answer(output, perf_counter() - started)
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
