"""LiteLLMEngine: the way to models that DSPy does not know itself."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Lock
from typing import Any, Final

from dspy.clients.engines.litellm_engine import AsyncLiteLLMEngine
from dspy.lm15 import Request, Response

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
