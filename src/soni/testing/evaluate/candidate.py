"""Candidate: the provider that is measured."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any

from soni.core.protocols import NLUProvider
from soni.du import DialogueContext, NLUOutput
from soni.du.cascade.provider import find_passing_threshold
from soni.language import find_language


@dataclass(frozen=True)
class CandidateAnswer:
    """The answer of a provider to one sentence."""

    output: NLUOutput
    seconds: float
    error: str | None = None
    """Why there is no answer."""

    sure: float = -inf
    """The highest threshold at which a cascade asks no model beside."""

    ways: "tuple[CandidateAnswer, CandidateAnswer | None] | None" = None
    """What a cascade says without its model, and with it; None: it is never asked about this."""

    model_error: str | None = None
    """Why the model of a cascade has no answer, where it was asked on its own."""


class Candidate:
    """Asks a provider and measures the time."""

    def __init__(self, provider: NLUProvider, timeout: float, *, warm: bool = False) -> None:
        """`warm`: it has loaded what it needs, or nobody looks at the clock."""
        self._provider = provider
        self._timeout = timeout
        self._warm = warm
        self._warmed: set[str] = set()

    async def ask(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> CandidateAnswer:
        """Ask about a sentence. A provider that fails gives an empty answer with the error."""
        try:
            await self._warm_up(context)
            started = perf_counter()
            # A turn has the same time limit.
            async with asyncio.timeout(self._timeout):
                output = await self.understand(message, history, context)
            seconds = perf_counter() - started
            sure = find_passing_threshold(output, message, context)
            return CandidateAnswer(output, seconds, sure=sure)
        except Exception as failure:
            nothing = NLUOutput(confidence=0.0, source="failed")
            return CandidateAnswer(nothing, 0.0, f"{type(failure).__name__}: {failure}")

    async def _warm_up(self, context: DialogueContext) -> None:
        """Load what the provider loads on first use, so that no sentence is charged for it."""
        if self._warm or context.language in self._warmed:
            return
        self._warmed.add(context.language)
        # A plain answer needs no model, and so would not load one.
        nothing: dict[str, Any] = {"current_flow": "none", "asked": None, "offered": ()}
        nothing |= {"waiting_for_slot": None, "also_asked": ()}
        [said] = find_language(context.language).words("measuring.not_plain")
        # A failure here will occur again with a sentence, and is reported there.
        with suppress(Exception):
            await self.understand(said, (), context.model_copy(update=nothing))

    async def understand(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Understand a message without measuring."""
        output: NLUOutput = await self._provider.understand(
            user_message=message, history=history, context=context
        )
        return output
