"""LoopEngine: DSPy's own way to the model, with connections that belong to one event loop each.

CountedEngine: the same, for as long as somebody counts.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from dspy.clients.engines import AsyncLM15Engine
from dspy.clients.engines.litellm_engine import AsyncLiteLLMEngine
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


_LOCAL: Final = ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS")
"""Without these LiteLLM fetches lists from the network, of prices and of headers."""


_LOADING: Final = Lock()


class LiteLLMEngine:
    """Sends requests by LiteLLM, which takes seconds to import: with the first of them."""

    def __init__(self, **client: Any) -> None:
        self._engine = AsyncLiteLLMEngine(**client)

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        await asyncio.to_thread(_import_litellm)
        return await self._engine.complete(request)

    async def aclose(self) -> None:
        """LiteLLM's connections belong to the process."""


def _import_litellm() -> None:
    """Import LiteLLM with the lists that it comes with. DSPy switches its telemetry off."""
    with _LOADING, _offline(), suppress(ModuleNotFoundError):
        import_module("litellm")
        # A list that is read once, with the first request to some providers.
        import_module("litellm.anthropic_beta_headers_manager").get_provider_name("anthropic")


@contextmanager
def _offline() -> Iterator[None]:
    """What LiteLLM reads from the environment; an application may want it otherwise for itself."""
    before = {name: os.environ.get(name) for name in _LOCAL}
    os.environ.update(dict.fromkeys(_LOCAL, "True"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            os.environ.update({name: value} if value is not None else {})
