"""Keeps what people say out of LangSmith, which LangGraph would send whole states to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.runnables.config import var_child_runnable_config

from soni.core.constants import MASK


class TraceGuard:
    """Decides what of a turn may be traced: nothing, or its course without any value."""

    def __init__(self, *, allowed: bool) -> None:
        self._allowed = allowed
        self._client: Any = None

    @contextmanager
    def guard_turn(self) -> Iterator[None]:
        """Trace what runs inside without values, or not at all."""
        # LangChain imports it with its first graph anyway, so that no turn waits for it here.
        from langchain_core.tracers.context import tracing_v2_callback_var
        from langsmith.run_helpers import tracing_context
        from langsmith.utils import tracing_is_enabled

        is_traced = self._allowed and bool(tracing_is_enabled())
        client = self._open_client() if is_traced else None
        # Handlers of a graph or a tracer around the turn would send what they see as it is.
        outer = var_child_runnable_config.set(None)
        handler = tracing_v2_callback_var.set(None)
        try:
            with tracing_context(enabled=is_traced, client=client, parent=False):
                yield
        finally:
            tracing_v2_callback_var.reset(handler)
            var_child_runnable_config.reset(outer)

    def close(self) -> None:
        """Send what is left."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _open_client(self) -> Any:
        if self._client is None:
            from langsmith import Client

            self._client = Client(anonymizer=_mask_all)
        return self._client


def _mask_all(data: dict[str, Any]) -> dict[str, Any]:
    """Names without values: a message is not masked before it was understood."""
    return dict.fromkeys(data, MASK)
