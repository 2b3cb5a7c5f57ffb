"""How long understanding took, measured around the provider."""

import time
from collections.abc import Sequence
from typing import Any

from soni.core.protocols import NLUProvider


class TimedNLU:
    """A provider that remembers how long it was asked."""

    def __init__(self, provider: NLUProvider) -> None:
        self._provider = provider
        self.seconds = 0.0

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """Ask the provider."""
        started = time.perf_counter()
        try:
            return await self._provider.understand(
                user_message=user_message, history=history, context=context
            )
        finally:
            self.seconds += time.perf_counter() - started
