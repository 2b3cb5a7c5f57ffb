"""Invoker: calls an author's functions, synchronous or asynchronous, whatever they do."""

import asyncio
import contextvars
import inspect
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from soni.core.deadline import Deadline
from soni.core.errors import SoniError

_GRACE: Final = 2.0
"""Seconds in which a cancelled coroutine may clean up, before it is dropped."""


class InvocationTimeout(SoniError, TimeoutError):  # noqa: N818 - as Python names it
    """A function did not answer in time. It may still be running."""


class BusyError(SoniError):
    """A function was not called: no thread was free."""


class FunctionExit(SoniError):  # noqa: N818 - what a function did, not what went wrong in Soni
    """A function raised what would have ended the process, such as `SystemExit`."""

    def __init__(self, raised: BaseException) -> None:
        self.kind = type(raised).__name__
        super().__init__(f"it raised {self.kind}, which would end the process")


class Invoker:
    """Calls functions. At most `max_threads` synchronous ones run at the same time."""

    def __init__(self, max_threads: int) -> None:
        self._threads = _Threads(max_threads)

    async def invoke(self, function: Callable[[], Any], seconds: float) -> Any:
        """The result of a function, or its error, or `InvocationTimeout`, or `BusyError`.

        A synchronous one runs in a thread, so that it blocks no conversation. After the time the
        function is left behind: a coroutine is cancelled, a thread keeps its place until it ends.
        Time in which it waits for a worker, having paused its `Deadline`, does not count.
        """
        if inspect.iscoroutinefunction(function):
            started = _call_coroutine(function)
        else:
            await self._threads.take(seconds)
            started = _finish(self._threads.start(function))
        deadline, context = Deadline(seconds), contextvars.copy_context()
        context.run(deadline.bind)
        # A task of its own: awaited directly, it could swallow the cancellation of the turn.
        task = asyncio.create_task(started, context=context)
        task.add_done_callback(_ignore_late_error)
        try:
            done = await deadline.wait(task)
        except asyncio.CancelledError:
            await _stop_task(task)
            raise
        if not done:
            deadline.cancel()
            task.cancel()
            asyncio.get_running_loop().call_later(_GRACE, task.cancel)
            raise InvocationTimeout(f"no answer within {seconds:g} seconds")
        return task.result()


async def _stop_task(task: asyncio.Task[Any]) -> None:
    task.cancel()
    try:
        await asyncio.wait({task}, timeout=_GRACE)
    finally:
        task.cancel()


def _ignore_late_error(task: asyncio.Task[Any]) -> None:
    # Nobody waits for a task that was left behind; asyncio would print its error.
    if not task.cancelled():
        task.exception()


async def _call_coroutine(function: Callable[[], Any]) -> Any:
    return await _Leash(function())


async def _finish(future: asyncio.Future[Any]) -> Any:
    result = await future
    return await _Leash(result) if inspect.isawaitable(result) else result


class _Leash:
    """Awaits an author's coroutine. It may ignore one cancellation; the second one drops it."""

    def __init__(self, awaitable: Any) -> None:
        self._awaitable = awaitable

    def __await__(self) -> Generator[Any, None, Any]:
        coroutine = _await(self._awaitable)
        resume: Callable[[], Any] = partial(coroutine.send, None)
        cancelled = False
        while True:
            try:
                waits_for = resume()
            except StopIteration as end:
                return end.value
            except (Exception, asyncio.CancelledError):
                raise
            except BaseException as error:
                raise FunctionExit(error) from error
            try:
                yield waits_for
            except (asyncio.CancelledError, GeneratorExit) as stop:
                if cancelled or isinstance(stop, GeneratorExit):
                    _drop(coroutine)
                    raise
                cancelled = True
                resume = partial(coroutine.throw, stop)
            except BaseException as error:
                resume = partial(coroutine.throw, error)
            else:
                resume = partial(coroutine.send, None)


async def _await(awaitable: Any) -> Any:
    return await awaitable


def _drop(coroutine: Coroutine[Any, Any, Any]) -> None:
    # It may refuse even this; then nobody resumes it any more.
    with suppress(BaseException):
        coroutine.close()


class _Threads:
    """A bounded number of daemon threads, one per call.

    Daemons, because a function that never returns must not keep the process from ending.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._taken = 0
        self._running: set[asyncio.Future[Any]] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self, seconds: float) -> None:
        """Take a place, in the order of asking; none in time, or none to hope for: `BusyError`."""
        place = self._request_place()
        try:
            async with asyncio.timeout(seconds):
                await place
        except BaseException as error:
            self._give_up(place)
            if isinstance(error, TimeoutError):
                reason = f"none of {self._limit} threads was free within {seconds:g} seconds"
                raise BusyError(reason) from None
            raise

    def _request_place(self) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        place: asyncio.Future[None] = loop.create_future()
        with self._lock:
            if self._taken < self._limit:
                self._taken += 1
                # As late as a coroutine begins: functions begin in the order of asking.
                loop.call_soon(self._grant, place)
                return place
            # A future that is done has nobody waiting, but its function still runs.
            if len(self._running) == self._limit and all(each.done() for each in self._running):
                raise BusyError(f"all {self._limit} threads are taken by functions that hang")
            self._waiting.append(place)
            return place

    def start(self, function: Callable[[], Any]) -> asyncio.Future[Any]:
        """Call a function in the place that was taken, which is free again when it returns."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()

        def run() -> None:
            value, error = context.run(_catch_outcome, function)
            with self._lock:
                self._running.discard(future)
            self._free_place()
            # The loop may be closed by now, and then nobody waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, future, value, error)

        with self._lock:
            self._running.add(future)
        try:
            threading.Thread(target=run, name="soni-function", daemon=True).start()
        except RuntimeError as error:
            with self._lock:
                self._running.discard(future)
            self._free_place()
            raise BusyError(f"the system gives no further thread: {error}") from error
        return future

    def _give_up(self, place: asyncio.Future[None]) -> None:
        with self._lock, suppress(ValueError):
            self._waiting.remove(place)
        if place.done() and not place.cancelled():
            self._free_place()

    def _free_place(self) -> None:
        with self._lock:
            self._taken -= 1
            while self._waiting:
                place = self._waiting.popleft()
                # A closed loop has nobody waiting in it.
                with suppress(RuntimeError):
                    place.get_loop().call_soon_threadsafe(self._grant, place)
                    self._taken += 1
                    return

    def _grant(self, place: asyncio.Future[None]) -> None:
        if place.done():
            self._free_place()
        else:
            place.set_result(None)


def _settle(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)


def _catch_outcome(function: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return function(), None
    except StopIteration as error:
        # A future cannot hold StopIteration, so the caller would wait forever.
        stopped = RuntimeError(f"{_get_name(function)} raised StopIteration")
        stopped.__cause__ = error
        return None, stopped
    except (Exception, asyncio.CancelledError) as error:
        return None, error
    except BaseException as error:
        exited = FunctionExit(error)
        exited.__cause__ = error
        return None, exited


def _get_name(function: Callable[[], Any]) -> str:
    inner = function.func if isinstance(function, partial) else function
    return getattr(inner, "__name__", type(inner).__name__)
