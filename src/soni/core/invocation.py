"""Calls an author's function, synchronous or asynchronous."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any


async def invoke(function: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """Call a function. A synchronous one runs in a thread, so that it blocks no conversation."""
    if inspect.iscoroutinefunction(function):
        return await function(*values, **named)
    result = await _run_in_thread(lambda: _call_function(function, values, named))
    return await result if inspect.isawaitable(result) else result


async def _run_in_thread(call: Callable[[], Any]) -> Any:
    # A daemon thread per call: functions that never return would exhaust a pool and keep the
    # process from ending.
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def run() -> None:
        value, error = context.run(_catch_outcome, call)
        # The loop may be closed by now, and then nobody waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name="soni-function", daemon=True).start()
    return await future


def _catch_outcome(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return call(), None
    except BaseException as error:
        return None, error


def _call_function(
    function: Callable[..., Any], values: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    try:
        return function(*values, **named)
    except StopIteration as error:
        # A future cannot hold StopIteration, so the caller would wait forever.
        name = getattr(function, "__name__", type(function).__name__)
        raise RuntimeError(f"{name} raised StopIteration") from error
