"""Invoking an author's function, whichever way it was written."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any


async def invoke(function: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """What the function returns. One that blocks must not hold up every other conversation."""
    if inspect.iscoroutinefunction(function):
        return await function(*values, **named)
    result = await _in_a_thread(lambda: _call_function(function, values, named))
    return await result if inspect.isawaitable(result) else result


async def _in_a_thread(call: Callable[[], Any]) -> Any:
    # A thread of its own, that nobody waits for at the end: in a pool, functions that never
    # return would take every place, and the process could not end before they do.
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
        value, error = context.run(_outcome, call)
        # The loop may be closed by now: whoever waited has gone.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name="soni-function", daemon=True).start()
    return await future


def _outcome(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
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
        # A future cannot carry it: whoever waits would wait for ever.
        name = getattr(function, "__name__", type(function).__name__)
        raise RuntimeError(f"{name} raised StopIteration") from error
