"""Engines that send DSPy's requests: one set of connections per event loop, and counting."""

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
    """Counts requests as they are sent, since DSPy does not report its retries."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.calls = 0
        """Requests so far, answered or not."""

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        self.calls += 1
        return await self._engine.complete(request)


class LoopEngine:
    """Sends requests without letting DSPy fetch a price list from the network.

    DSPy's connections work only in the event loop that opened them, so each loop gets its own.
    """

    def __init__(self, config: RouterConfig) -> None:
        self._config = config
        self._engines: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        return await self._get_engine().complete(request)

    async def stream(self, request: Request) -> Any:
        """Send a request and yield its events."""
        async for event in self._get_engine().stream(request):
            yield event

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        engine = self._engines.pop(asyncio.get_running_loop(), None)
        if engine is not None:
            await engine.aclose()

    def _get_engine(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._engines:
            self._engines[loop] = AsyncLM15Engine(self._config)
        return self._engines[loop]


_OFFLINE_VARIABLES: Final = ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS")
"""Keep LiteLLM from fetching lists of prices and headers from the network."""

_IMPORT_LOCK: Final = Lock()


class LiteLLMEngine:
    """Sends requests by LiteLLM. It takes seconds to import, so the first request does it."""

    def __init__(self, **client: Any) -> None:
        self._engine = AsyncLiteLLMEngine(**client)

    async def complete(self, request: Request) -> Response:
        """Send a request and wait for the answer."""
        await asyncio.to_thread(_import_litellm)
        return await self._engine.complete(request)

    async def aclose(self) -> None:
        """Do nothing: LiteLLM's connections belong to the process."""


def _import_litellm() -> None:
    """Import LiteLLM with its bundled lists. DSPy switches its telemetry off."""
    with _IMPORT_LOCK, _set_offline_variables(), suppress(ModuleNotFoundError):
        import_module("litellm")
        # This list would otherwise be fetched with the first request to some providers.
        import_module("litellm.anthropic_beta_headers_manager").get_provider_name("anthropic")


@contextmanager
def _set_offline_variables() -> Iterator[None]:
    """Set the variables for the import only: the application may use LiteLLM with others."""
    before = {name: os.environ.get(name) for name in _OFFLINE_VARIABLES}
    os.environ.update(dict.fromkeys(_OFFLINE_VARIABLES, "True"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            os.environ.update({name: value} if value is not None else {})
