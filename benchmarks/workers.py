"""Many conversations on several processes that share one store.

Each of 200 people holds a conversation of 20 turns, any worker taking any turn, with 1, 2 and 4
workers. Then 50 messages reach one conversation at once through 4 workers. Nothing may be lost,
mixed up or out of order; the rest are figures.

    python -m benchmarks.workers [--store sqlite|postgres] [--people 200] [--workers 1 2 4]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from soni.persistence import open_store
from tests.chaos.database import DATABASES, Database
from tests.chaos.driver import Person, Tally, Worker, make_people, make_setups
from tests.chaos.verdict import judge_run

PAYMENTS = 4
"""Payments in a conversation, each of five turns."""

AT_ONCE = 50


class TimedPerson(Person):
    """Somebody who looks at the clock."""

    seconds: list[float]

    async def say(
        self, text: str, message_id: str, workers: list[Worker], tally: Tally, chance: random.Random
    ) -> list[str]:
        started = time.perf_counter()
        answer = await super().say(text, message_id, workers, tally, chance)
        self.seconds.append(time.perf_counter() - started)
        return answer


async def hold_conversations(
    database: Database, folder: Path, workers: Sequence[Worker], people: int
) -> tuple[list[float], float, list[str]]:
    """Seconds of each turn, seconds in all, and what is wrong afterwards."""
    tally = Tally()
    talking = [TimedPerson(each.name, each.script) for each in make_people(people, PAYMENTS)]
    for person in talking:
        person.seconds = []
    started = time.perf_counter()
    await asyncio.gather(
        *(person.talk(list(workers), tally, random.Random(person.name)) for person in talking)
    )
    took = time.perf_counter() - started
    async with open_store(database.backend, database.url) as store:
        wrong = await judge_run(store, talking, folder / "payments")
    return [second for person in talking for second in person.seconds], took, wrong


async def send_at_once(database: Database, workers: Sequence[Worker]) -> list[str]:
    """Fifty messages to one conversation, dealt out to the workers; what is wrong afterwards."""

    async def send(number: int) -> list[str]:
        worker = workers[number % len(workers)]
        answer = await worker.send("room", f"room/{number}", f"note {number}")
        replies: list[str] = answer.get("replies", [str(answer.get("error"))])
        return replies

    answers = await asyncio.gather(*(send(number) for number in range(AT_ONCE)))
    wrong = [
        f"message {number} was answered {said}"
        for number, said in enumerate(answers)
        if said != [f"Noted {number}."]
    ]
    async with open_store(database.backend, database.url) as store:
        entries = await store.journal.entries("room")
    order = [int(str(entry.message_id).removeprefix("room/")) for entry in entries]
    for first in range(len(workers)):
        mine = [number for number in order if number % len(workers) == first]
        if mine != list(range(first, AT_ONCE, len(workers))):
            wrong.append(f"worker {first} handled its messages in the order {mine}")
    return wrong


async def measure(name: str, number: int, people: int) -> list[str]:
    """Print the figures for a number of workers; what is wrong."""
    with tempfile.TemporaryDirectory(prefix="soni") as made:
        folder = Path(made)
        async with DATABASES[name](folder) as database:
            setups = make_setups(folder, number, database.backend, database.url, pause=0)
            # Nothing fails here, so nothing is sent again.
            workers = [Worker(setup, Tally(), answer_seconds=600) for setup in setups]
            await asyncio.gather(*(worker.start() for worker in workers))
            try:
                seconds, took, wrong = await hold_conversations(database, folder, workers, people)
                wrong += await send_at_once(database, workers)
            finally:
                await asyncio.gather(*(worker.stop() for worker in workers))
    cuts = statistics.quantiles(seconds, n=100)
    print(
        f"{name}, {number} worker{'s' if number > 1 else ''}: {len(seconds)} turns, "
        f"{len(seconds) / took:.0f} /s, p50 {cuts[49] * 1000:.0f} ms, "
        f"p95 {cuts[94] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms, {len(wrong)} wrong"
    )
    return wrong


def main() -> int:
    """Measure each store with each number of workers; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=sorted(DATABASES), action="append")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    wrong: list[str] = []
    for name in given.store or sorted(DATABASES):
        for number in given.workers:
            wrong += asyncio.run(measure(name, number, given.people))
    for each in wrong:
        print(f"WRONG: {each}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
