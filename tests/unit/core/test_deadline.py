"""Time counts while work runs, not while it waits."""

import asyncio

import pytest

from soni.core.deadline import Deadline, LateError, find_deadline, stop_if_late


class Clock:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_no_time_passes_while_it_is_paused() -> None:
    clock = Clock()
    deadline = Deadline(10, clock)
    clock.now = 4
    deadline.pause()
    clock.now = 100
    deadline.pause()
    assert (deadline.left, deadline.is_over) == (6, False)
    deadline.resume()
    clock.now = 105
    deadline.resume()
    assert deadline.left == 1
    clock.now = 106
    assert deadline.is_over


def test_it_is_over_as_soon_as_nobody_waits() -> None:
    deadline = Deadline(10)
    deadline.cancel()
    assert deadline.is_over


async def test_late_work_stops_and_other_work_does_not() -> None:
    stop_if_late()
    assert find_deadline() is None

    async def work(deadline: Deadline) -> None:
        deadline.bind()
        stop_if_late()

    await asyncio.create_task(work(Deadline(10)))
    with pytest.raises(LateError):
        await asyncio.create_task(work(Deadline(0)))
    assert find_deadline() is None


async def test_a_task_is_waited_for_until_the_time_is_up() -> None:
    done = asyncio.create_task(asyncio.sleep(0))
    assert await Deadline(10).wait(done)
    never = asyncio.create_task(asyncio.Event().wait())
    assert not await Deadline(0.01).wait(never)
    never.cancel()
