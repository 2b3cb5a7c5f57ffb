"""Workers: threads for reading messages, as many as there are cores."""

import asyncio
import contextvars
import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from soni.core.deadline import find_deadline, stop_if_late
from soni.core.invocation import BusyError

T = TypeVar("T")

_MAX_WAITING: Final = 500
"""Messages that may wait for a thread. Each takes some tens of milliseconds."""


def count_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux tells it
        return os.cpu_count() or 1


class Workers:
    """A bounded number of threads and a bounded queue for them. Belongs to a provider."""

    def __init__(self, threads: int | None = None, most_waiting: int = _MAX_WAITING) -> None:
        self._threads = threads or count_cores()
        self._most = self._threads + most_waiting
        self._asked = 0
        self._executor: ThreadPoolExecutor | None = None

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """The result of a function; `BusyError` at once if too many wait.

        The time-out of whoever asked does not count while it waits. What is late before it has
        begun never begins.
        """
        if self._asked >= self._most:
            raise BusyError(
                f"{self._asked} messages are being read or wait for one of {self._threads} "
                "threads; add a worker process, or take fewer messages at once"
            )
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self._threads, thread_name_prefix="soni-reader")
        self._asked += 1
        try:
            return await run_in_thread(partial(function, *args), self._executor)
        finally:
            self._asked -= 1

    def close(self) -> None:
        """Drop what waits and let the threads end. The next `run` starts new ones."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


async def run_in_thread(function: Callable[[], T], executor: Executor | None = None) -> T:
    """The result of a function, run by an executor, or else by that of the event loop.

    The deadline of this context is paused until it begins. If it is cancelled, the function does
    not begin, or ends at its next `stop_if_late`.
    """
    deadline = find_deadline()
    context = contextvars.copy_context()

    def work() -> T:
        if deadline is not None:
            deadline.resume()
        stop_if_late()
        return function()

    if deadline is not None:
        deadline.pause()
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, context.run, work)
    except asyncio.CancelledError:
        if deadline is not None:
            deadline.cancel()
        raise
    finally:
        if deadline is not None:
            deadline.resume()
