"""Invoking an author's function, whichever way it was written."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any


async def invoke(function: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """What the function returns. One that blocks must not hold up every other conversation."""
    if inspect.iscoroutinefunction(function):
        return await function(*values, **named)
    result = await asyncio.to_thread(_called, function, values, named)
    return await result if inspect.isawaitable(result) else result


def _called(function: Callable[..., Any], values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return function(*values, **named)
    except StopIteration as error:
        # Python 3.11 cannot carry it out of the thread: whoever waits would wait for ever.
        name = getattr(function, "__name__", type(function).__name__)
        raise RuntimeError(f"{name} raised StopIteration") from error
