"""CascadeNLU: what is sure is understood on the machine, the rest by a language model."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog

from soni.config.settings import Nlu
from soni.core.protocols import NLUProvider
from soni.du.charge import charged
from soni.du.context import DialogueContext, NLUOutput

SHARE: Final = 0.9
"""Of the time that a message may take: the model gets no more, so that the first answer counts."""

_log = structlog.get_logger("soni.understand")


class CascadeNLU:
    """Asks `first`, and `second` only where the first is not sure.

    The first answer stands in for a second one that is late, broken or empty.
    """

    def __init__(
        self,
        first: NLUProvider,
        second: NLUProvider,
        *,
        threshold: float = Nlu().threshold,
        timeout: float = Nlu().timeout,
    ) -> None:
        self._first = first
        self._second = second
        self._threshold = threshold
        self._timeout = timeout

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message, from whichever provider had to be asked."""
        started = asyncio.get_running_loop().time()
        first: NLUOutput = await self._first.understand(user_message, history, context)
        if self._is_enough(first) or not user_message.strip() or context.asks_in_private:
            return first
        try:
            async with asyncio.timeout_at(started + SHARE * self._timeout):
                second: NLUOutput = await self._second.understand(user_message, history, context)
        except Exception as error:
            _log.warning("model_failed", error=type(error).__name__)
            return first.model_copy(update={"usage": charged(error)})
        if second.commands or not first.commands:
            return second
        return first.model_copy(update={"usage": second.usage})

    async def aclose(self) -> None:
        """Close what the providers have open."""
        for provider in (self._first, self._second):
            close = getattr(provider, "aclose", None)
            if close is not None:
                await close()

    def _is_enough(self, output: NLUOutput) -> bool:
        return bool(output.commands) and output.confidence >= self._threshold
