"""An author's function is called the way it was written, and never holds up the loop."""

import asyncio
import functools
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from soni.core.invocation import BusyError, FunctionExit, InvocationTimeout, Invoker


async def invoke(function: Callable[..., Any], *values: Any, seconds: float = 10) -> Any:
    return await Invoker(4).invoke(functools.partial(function, *values), seconds)


async def let_tasks_run() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def later(value: int) -> int:
    await asyncio.sleep(0)
    return value + 1


class Adding:
    async def __call__(self, value: int) -> int:
        return value + 1


@pytest.mark.parametrize(
    "function",
    [
        later,
        lambda value: value + 1,
        lambda value: later(value),
        functools.partial(later),
        Adding(),
    ],
    ids=["async", "sync", "returns an awaitable", "partial", "object"],
)
async def test_every_kind_of_function_gives_its_value(function: Any) -> None:
    assert await invoke(function, 1) == 2


async def test_a_function_that_blocks_does_not_block_others() -> None:
    go = threading.Event()
    waiting = asyncio.create_task(invoke(lambda: go.wait(timeout=10)))
    await asyncio.sleep(0)
    go.set()  # reached only because the function waits in a thread of its own
    assert await waiting is True


@pytest.mark.parametrize("error", [ValueError("why"), KeyError("x"), RuntimeError()])
async def test_what_a_function_raises_comes_out_as_it_is(error: Exception) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        raise error

    for function in (fail, fail_later):
        with pytest.raises(type(error)):
            await invoke(function)


async def test_an_exhausted_iterator_is_an_error_like_any_other() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(invoke(lambda: next(iter([]))), timeout=10)


class Stop(BaseException):
    """Not even an Exception."""


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), Stop()])
async def test_what_would_end_the_process_is_an_error_like_any_other(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        await asyncio.sleep(0)
        raise error

    for function in (fail, fail_later, lambda: fail_later()):
        with pytest.raises(FunctionExit, match=f"raised {type(error).__name__}, which would end"):
            await invoke(function)


async def test_a_coroutine_that_ignores_its_cancellation_is_left_behind_and_then_dropped() -> None:
    seen: list[str] = []

    async def stubborn() -> None:
        try:
            while True:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    seen.append("ignored")
        finally:
            seen.append("dropped")

    before = asyncio.all_tasks()
    with pytest.raises(InvocationTimeout, match="no answer within 0"):
        await invoke(stubborn, seconds=0.01)
    (left,) = asyncio.all_tasks() - before
    await asyncio.sleep(0)
    assert seen == ["ignored"]
    left.cancel()  # as the end of the loop does
    await asyncio.wait({left}, timeout=10)
    assert (left.cancelled(), seen) == (True, ["ignored", "dropped"])


async def test_a_coroutine_that_is_cancelled_may_clean_up() -> None:
    cleaned = asyncio.Event()

    async def careful() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    with pytest.raises(InvocationTimeout):
        await invoke(careful, seconds=0.01)
    await asyncio.wait_for(cleaned.wait(), timeout=10)
    cleaned.clear()
    waiting = asyncio.create_task(invoke(careful))
    await let_tasks_run()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert cleaned.is_set(), "who cancels a turn waits for it"


async def test_threads_are_bounded_and_one_that_is_free_again_is_used() -> None:
    invoker, go, lock, counts = Invoker(2), threading.Event(), threading.Lock(), [0]

    def wait() -> bool:
        with lock:
            counts.append(counts[-1] + 1)
        went = go.wait(10)
        with lock:
            counts.append(counts[-1] - 1)
        return went

    running = [asyncio.create_task(invoker.invoke(wait, 10)) for _ in range(5)]
    await let_tasks_run()
    go.set()
    assert await asyncio.gather(*running) == [True] * 5
    assert max(counts) <= 2


async def test_functions_that_hang_leave_room_for_others_until_the_bound_is_reached() -> None:
    invoker, never = Invoker(3), threading.Event()
    for _ in range(2):
        with pytest.raises(InvocationTimeout):
            await invoker.invoke(never.wait, 0.01)
    assert await invoker.invoke(lambda: "here", 10) == "here"
    with pytest.raises(InvocationTimeout):
        await invoker.invoke(never.wait, 0.01)
    with pytest.raises(BusyError, match="all 3 threads are taken by functions that hang"):
        await invoker.invoke(lambda: "here", 600)
    assert await invoker.invoke(functools.partial(later, 1), 10) == 2, "it needs no thread"
    never.set()
    while True:
        try:
            assert await invoker.invoke(lambda: "here", 10) == "here"
            break
        except BusyError:
            await let_tasks_run()


async def test_a_function_waits_for_a_thread_only_so_long() -> None:
    invoker, go = Invoker(1), threading.Event()
    running = asyncio.create_task(invoker.invoke(lambda: go.wait(10), 10))
    await let_tasks_run()
    with pytest.raises(BusyError, match="none of 1 threads was free within 0"):
        await invoker.invoke(lambda: "here", 0.01)
    gone = asyncio.create_task(invoker.invoke(lambda: "here", 10))
    await let_tasks_run()
    gone.cancel()
    waiting = asyncio.create_task(invoker.invoke(lambda: "here", 10))
    go.set()
    assert await asyncio.gather(running, waiting) == [True, "here"]


PROGRAM = """
import asyncio, threading
from soni.core.invocation import InvocationTimeout, Invoker

async def stubborn():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue

async def main():
    for function in (threading.Event().wait, stubborn):
        try:
            await Invoker(1).invoke(function, 0.1)
        except InvocationTimeout:
            print("given up")

asyncio.run(main())
"""


def test_a_program_can_end_while_functions_still_block() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"given up\n" * 2, b"")
