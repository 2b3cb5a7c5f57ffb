"""Faults, each one an operation on the workers of a run."""

import asyncio
import random
import subprocess
from collections.abc import Awaitable, Callable

from tests.chaos.driver import Tally, Worker
from tests.chaos.worker import PHASES

AIM_SECONDS = 0.5
"""How long to wait for a worker to come into the phase that was killed least."""

Fault = Callable[[], Awaitable[None]]


async def kill_worker(workers: list[Worker], tally: Tally, chance: random.Random) -> None:
    """Kill the worker that is in the phase in which fewest were killed."""
    awake = [worker for worker in workers if not worker.stalled]
    if not awake:
        return
    aim = min(PHASES[1:], key=lambda phase: (tally.kills[phase], chance.random()))
    worker = await _find_in_phase(awake, aim) or chance.choice(awake)
    await worker.kill()


async def _find_in_phase(workers: list[Worker], phase: str) -> Worker | None:
    loop = asyncio.get_running_loop()
    until = loop.time() + AIM_SECONDS
    while loop.time() < until:
        for worker in workers:
            if phase in worker.read_phases():
                return worker
        await asyncio.sleep(0)
    return None


async def stall_worker(workers: list[Worker], lease_seconds: float, chance: random.Random) -> None:
    """Stop a worker that is at work for longer than its lease."""
    awake = [worker for worker in workers if not worker.stalled]
    if len(awake) < 2:
        return  # somebody must be there to take over
    busy = [worker for worker in awake if worker.read_phases()] or awake
    await chance.choice(busy).stall(lease_seconds * (1.5 + chance.random()))


async def fill_disk(processes: list[int], user: int | None, tally: Tally) -> None:
    """Let no file of these processes grow for a while; `user` owns them, if it is another."""
    for limit in ("65536:", "unlimited:"):
        for process in processes:
            # Not all are there any more. A limit is set by the owner, or by nobody.
            command = ["prlimit", "--pid", str(process), f"--fsize={limit}"]
            await asyncio.to_thread(subprocess.run, command, user=user, stderr=subprocess.DEVNULL)
        await asyncio.sleep(0.3)
    tally.full_disks += 1
