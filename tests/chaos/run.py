"""A chaos run: people talk, workers fail, and afterwards everything is looked at."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from soni.persistence import open_store
from tests.chaos.database import Database
from tests.chaos.driver import Person, Tally, Worker, make_people, make_setups
from tests.chaos.faults import Fault, fill_disk, kill_worker, stall_worker
from tests.chaos.verdict import judge_run


@dataclass(frozen=True)
class Plan:
    """How much happens in a run."""

    kills: int
    stalls: int
    full_disks: int = 1
    restarts: int = 0
    lost_connections: int = 0
    workers: int = 3
    people: int = 12
    lease_seconds: float = 0.6
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """What a run showed."""

    tally: Tally
    wrong: Sequence[str]
    messages: int


async def hold_run(plan: Plan, database: Database, folder: Path) -> Outcome:
    """People talk until the planned faults have happened and their last payment is done."""
    chance, tally = random.Random(plan.seed), Tally()
    setups = make_setups(folder, plan.workers, database.backend, database.url, plan.lease_seconds)
    workers = [Worker(setup, tally) for setup in setups]
    await asyncio.gather(*(worker.start() for worker in workers))
    faults = asyncio.create_task(_cause_faults(plan, workers, database, tally, chance))
    people: list[Person] = []
    try:
        while not faults.done() or not people:
            some = make_people(plan.people, payments=2, first=len(people))
            people += some
            talks = (person.talk(workers, tally, random.Random(person.name)) for person in some)
            await asyncio.gather(*talks)
        await faults
    finally:
        faults.cancel()
        await asyncio.gather(*(worker.stop() for worker in workers))
    async with open_store(database.backend, database.url) as store:
        wrong = await judge_run(store, people, folder / "payments")
    return Outcome(tally, wrong, sum(len(person.answers) for person in people))


async def _cause_faults(
    plan: Plan, workers: list[Worker], database: Database, tally: Tally, chance: random.Random
) -> None:
    async def kill() -> None:
        await kill_worker(workers, tally, chance)

    async def stall() -> None:
        await stall_worker(workers, plan.lease_seconds, chance)

    async def fill() -> None:
        writers = database.list_writers([worker.pid for worker in workers])
        await fill_disk(writers, database.owner, tally)
        await database.revive()

    async def restart() -> None:
        await database.restart()
        tally.restarts += 1

    async def disconnect() -> None:
        await database.drop_connections()
        tally.lost_connections += 1

    planned: list[tuple[Fault, int]] = [
        (kill, plan.kills),
        (stall, plan.stalls),
        (fill, plan.full_disks),
        (restart, plan.restarts),
        (disconnect, plan.lost_connections),
    ]
    faults = [fault for fault, times in planned for _ in range(times)]
    chance.shuffle(faults)
    stalls = set[asyncio.Task[None]]()
    for fault in faults:
        if fault is stall:
            # A stall takes long: other faults happen meanwhile.
            while len(stalls) >= len(workers) - 1:
                await asyncio.wait(stalls, return_when=asyncio.FIRST_COMPLETED)
                stalls = {task for task in stalls if not task.done()}
            stalls.add(asyncio.create_task(fault()))
        else:
            await fault()
        await asyncio.sleep(0.05 * chance.random())
    await asyncio.gather(*stalls)
