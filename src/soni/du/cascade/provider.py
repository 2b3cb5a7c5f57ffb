"""CascadeNLU: what is sure is understood on the machine, the rest by a language model."""

import asyncio
import math
from collections.abc import Sequence
from typing import Any, Final

import structlog

from soni.config.settings import Nlu
from soni.core.protocols import NLUProvider
from soni.du.charge import find_usage
from soni.du.context import DialogueContext, NLUOutput

SHARE: Final = 0.9
"""Of the time that a message may take: the model gets no more, so that the first answer counts."""

_log = structlog.get_logger("soni.understand")


class CascadeNLU:
    """Asks `first`, and `second` only where the first is not sure.

    The first answer stands in for a second one that is late, broken or empty. A first one that is
    broken is not sure of anything.
    """

    def __init__(
        self,
        first: NLUProvider,
        second: NLUProvider,
        *,
        threshold: float = Nlu().threshold,
        timeout: float = Nlu().timeout,
    ) -> None:
        self.first = first
        self.second = second
        self.threshold = threshold
        self._timeout = timeout

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message, from whichever provider had to be asked."""
        started = asyncio.get_running_loop().time()
        first = await self._first(user_message, history, context)
        if sure_enough(first, user_message, context) >= self.threshold:
            return first
        try:
            async with asyncio.timeout_at(started + SHARE * self._timeout):
                second: NLUOutput = await self.second.understand(user_message, history, context)
        except Exception as error:
            _log.warning("model_failed", error=type(error).__name__)
            if not first.commands:
                # Nothing stands in for it: whoever runs the assistant has to hear why.
                raise
            reason = f"the model failed: {type(error).__name__}"
            return first.model_copy(update={"usage": find_usage(error), "reasoning": reason})
        return join_outputs(first, second)

    async def _first(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        try:
            first: NLUOutput = await self.first.understand(user_message, history, context)
        except Exception as error:
            if stays_here(user_message, context):
                raise
            _log.warning("first_failed", error=type(error).__name__)
            return NLUOutput(confidence=0.0)
        return first

    async def aclose(self) -> None:
        """Close what the providers have open."""
        for provider in (self.first, self.second):
            close = getattr(provider, "aclose", None)
            if close is not None:
                await close()


def stays_here(message: str, context: DialogueContext) -> bool:
    """Whether nobody else may read a message, or there is nothing to read."""
    return not message.strip() or context.asks_in_private


def sure_enough(first: NLUOutput, message: str, context: DialogueContext) -> float:
    """The highest threshold at which the first answer is enough.

    What stays here is never sent; what was not understood always is.
    """
    if stays_here(message, context):
        return math.inf
    return first.confidence if first.commands else -math.inf


def join_outputs(first: NLUOutput, second: NLUOutput) -> NLUOutput:
    """What counts where both have answered."""
    if second.commands or not first.commands:
        return second
    return first.model_copy(update={"usage": second.usage, "reasoning": second.reasoning})
