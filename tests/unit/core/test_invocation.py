"""An author's function is called the way it was written, and never holds up the loop."""

import asyncio
import functools
import subprocess
import sys
import threading
from typing import Any

import pytest

from soni.core.invocation import invoke


async def later(value: int) -> int:
    await asyncio.sleep(0)
    return value + 1


class Callable:
    async def __call__(self, value: int) -> int:
        return value + 1


@pytest.mark.parametrize(
    "function",
    [
        later,
        lambda value: value + 1,
        lambda value: later(value),
        functools.partial(later),
        Callable(),
    ],
    ids=["async", "sync", "returns an awaitable", "partial", "object"],
)
async def test_every_kind_of_function_gives_its_value(function: Any) -> None:
    assert await invoke(function, 1) == 2
    assert await invoke(lambda *, value: value, value=3) == 3


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

    with pytest.raises(type(error)):
        await invoke(fail)


async def test_an_exhausted_iterator_is_an_error_like_any_other() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(invoke(lambda: next(iter([]))), timeout=10)


async def test_functions_that_never_return_leave_room_for_others() -> None:
    never = threading.Event()
    stuck = [asyncio.create_task(invoke(never.wait)) for _ in range(100)]
    assert await asyncio.wait_for(invoke(lambda: "here"), timeout=10) == "here"
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)
    never.set()


def test_a_program_can_end_while_a_function_still_blocks() -> None:
    program = (
        "import asyncio, threading\n"
        "from soni.core.invocation import invoke\n"
        "async def main():\n"
        "    try:\n"
        "        async with asyncio.timeout(0.1):\n"
        "            await invoke(threading.Event().wait)\n"
        "    except TimeoutError:\n"
        "        print('given up')\n"
        "asyncio.run(main())\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"given up\n", b"")
