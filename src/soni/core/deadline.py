"""Deadline: how long work may take, without the time in which it waits for a worker."""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from threading import Lock
from typing import Any, Final

from soni.core.errors import SoniError

_CURRENT: ContextVar["Deadline | None"] = ContextVar("_DEADLINE", default=None)


_LOOK_AGAIN: Final = 0.05


class LateError(SoniError, TimeoutError):
    """Work stopped because nobody waits for it any more."""


class Deadline:
    """Seconds that work may take. It is paused while the work has not begun. Thread-safe."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._left = seconds
        self._since: float | None = clock()
        self._is_cancelled = False

    @property
    def left(self) -> float:
        """Seconds that are left; none or fewer: it is over."""
        with self._lock:
            return self._left - (self._clock() - self._since if self._since is not None else 0.0)

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or nobody waits any more."""
        return self._is_cancelled or self.left <= 0

    @property
    def is_paused(self) -> bool:
        """Whether the work waits for its turn."""
        return self._since is None

    def pause(self) -> None:
        """From now on no time passes: the work waits for its turn."""
        with self._lock:
            if self._since is not None:
                self._left -= self._clock() - self._since
                self._since = None

    def resume(self) -> None:
        """The work begins, or goes on."""
        with self._lock:
            if self._since is None:
                self._since = self._clock()

    def cancel(self) -> None:
        """Nobody waits any more."""
        self._is_cancelled = True

    async def wait(self, task: "asyncio.Task[Any]") -> bool:
        """Wait until a task is done or the time is up; whether it is done."""
        while not task.done() and (left := self.left) > 0:
            # While it is paused the same time stays left, however little: look now and then.
            await asyncio.wait({task}, timeout=max(left, _LOOK_AGAIN) if self.is_paused else left)
        return task.done()

    def bind(self) -> None:
        """Let what runs in this context know of it: `find_deadline`, `stop_if_late`."""
        _CURRENT.set(self)


def find_deadline() -> Deadline | None:
    """The deadline of what runs in this context, if there is one."""
    return _CURRENT.get()


def stop_if_late() -> None:
    """Raise `LateError` if nobody waits for the result any more. For long work in threads."""
    deadline = _CURRENT.get()
    if deadline is not None and deadline.is_over:
        raise LateError("stopped: the time for it is over")
