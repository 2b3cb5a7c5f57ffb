"""LoopEngine: DSPy's own way to the model, with connections that belong to one event loop each.

CountedEngine: the same, for as long as somebody counts.
"""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from dspy.clients.engines import AsyncLM15Engine
from dspy.lm15 import Request, Response, RouterConfig


class CountedEngine:
    """Counts requests where they are sent: DSPy sends one again without telling anybody."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.calls = 0
        """How often the model was asked, answered or not."""

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        self.calls += 1
        return await self._engine.complete(request)


class LoopEngine:
    """Sends requests. An engine of ours, so that DSPy fetches no price list from the network.

    DSPy's connections work only in the event loop that opened them, and one provider may serve
    several: each gets its own.
    """

    def __init__(self, config: RouterConfig) -> None:
        self._config = config
        self._engines: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        return await self._engine().complete(request)

    async def stream(self, request: Request) -> Any:
        """Send a request; events, as the answer comes in."""
        async for event in self._engine().stream(request):
            yield event

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        engine = self._engines.pop(asyncio.get_running_loop(), None)
        if engine is not None:
            await engine.aclose()

    def _engine(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._engines:
            self._engines[loop] = AsyncLM15Engine(self._config)
        return self._engines[loop]
