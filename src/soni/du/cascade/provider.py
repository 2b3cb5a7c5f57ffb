"""CascadeNLU: a language model is asked only where the offline provider is not sure."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, Final

import structlog

from soni.config.settings import Nlu
from soni.core.protocols import NLUProvider, WarmUp
from soni.du.context import DialogueContext, NLUOutput
from soni.du.usage import find_usage

MODEL_TIME_SHARE: Final = 0.9
"""The share of a message's timeout that the model gets; the rest is left to answer without it."""

_log = structlog.get_logger("soni.understand")


@dataclass(frozen=True)
class CascadeNLU:
    """Asks `first`, and `second` only if the first answer's confidence is below `threshold`.

    If the second provider is late, fails or answers nothing, the first answer is used. If the
    first one fails, the second is asked.
    """

    first: NLUProvider
    second: NLUProvider
    _: KW_ONLY
    threshold: float = Nlu().threshold
    timeout: float = Nlu().timeout

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message, from whichever provider had to be asked."""
        started = asyncio.get_running_loop().time()
        first = await self._ask_first(user_message, history, context)
        if find_passing_threshold(first, user_message, context) >= self.threshold:
            return first
        try:
            async with asyncio.timeout_at(started + MODEL_TIME_SHARE * self.timeout):
                second: NLUOutput = await self.second.understand(user_message, history, context)
        except Exception as error:
            _log.warning("model_failed", error=type(error).__name__)
            if not first.commands:
                # There is no first answer to fall back on, so the operator has to see the error.
                raise
            reason = f"the model failed: {type(error).__name__}"
            return first.model_copy(update={"usage": find_usage(error), "reasoning": reason})
        return join_outputs(first, second)

    async def _ask_first(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        try:
            first: NLUOutput = await self.first.understand(user_message, history, context)
        except Exception as error:
            if must_stay_local(user_message, context):
                raise
            _log.warning("first_failed", error=type(error).__name__)
            return NLUOutput(confidence=0.0)
        return first

    async def warm_up(self, context: DialogueContext, most_flows: int, folder: Path | None) -> None:
        """Prepare the providers, as far as they have something to prepare."""
        for provider in (self.first, self.second):
            if isinstance(provider, WarmUp):
                await provider.warm_up(context, most_flows, folder)

    async def aclose(self) -> None:
        """Close the providers' connections."""
        for provider in (self.first, self.second):
            close = getattr(provider, "aclose", None)
            if close is not None:
                await close()


def must_stay_local(message: str, context: DialogueContext) -> bool:
    """Whether a message may not be sent to a model: it is sensitive, or empty."""
    return not message.strip() or context.asks_in_private


def find_passing_threshold(first: NLUOutput, message: str, context: DialogueContext) -> float:
    """The highest threshold at which the first answer is enough.

    A message that must stay local is never sent on; one without commands always is.
    """
    if must_stay_local(message, context):
        return math.inf
    return first.confidence if first.commands else -math.inf


def join_outputs(first: NLUOutput, second: NLUOutput) -> NLUOutput:
    """The second answer, unless it is empty and the first is not."""
    if second.commands or not first.commands:
        return second
    return first.model_copy(update={"usage": second.usage, "reasoning": second.reasoning})
