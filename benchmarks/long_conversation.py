"""One conversation of thousands of turns: is the last turn as cheap as the first?

    python -m benchmarks.long_conversation [--store memory|sqlite|postgres] [--turns 5000]

Prints, for each fifth of the conversation, the time of a turn (beside that of a fixed piece of
work in the same run, since machines are not equally busy all the time), the rows that one turn
adds to each table, and the bytes that it adds.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.turn import CONFIG, SCRIPT, Script
from soni import RuntimeLoop
from soni.persistence import open_store
from tests.chaos.database import DATABASES, Database

PARTS = 5


def do_fixed_work() -> float:
    """Seconds that a fixed piece of work takes."""
    started = time.perf_counter()
    sum(number * number for number in range(20_000))
    return time.perf_counter() - started


async def measure(name: str, turns: int) -> None:
    """Hold the conversation and print its parts."""
    with tempfile.TemporaryDirectory(prefix="soni") as made:
        async with DATABASES[name](Path(made)) as database:
            await _hold_conversation(name, database, turns)


async def _hold_conversation(name: str, database: Database, turns: int) -> None:
    store = open_store(database.backend, database.url)
    async with RuntimeLoop(CONFIG, nlu=Script(), store=store) as runtime:
        before = database.measure_size()
        for part in range(PARTS):
            seconds, yardstick = [], []
            for number in range(turns // PARTS):
                text = SCRIPT[number % len(SCRIPT)][0]
                started = time.perf_counter()
                await runtime.turn(text, "ann", message_id=f"{part}/{number}")
                seconds.append(time.perf_counter() - started)
                if number % 20 == 0:
                    yardstick.append(do_fixed_work())
            after = database.measure_size()
            middle = statistics.median(seconds)
            print(
                f"{name}, turns {part * turns // PARTS + 1} to {(part + 1) * turns // PARTS}: "
                f"{middle * 1000:.2f} ms a turn, {middle / statistics.median(yardstick):.1f} x "
                f"the fixed work; per turn {_show_growth(before, after, turns // PARTS)}",
                flush=True,
            )
            before = after


def _show_growth(before: Mapping[str, int], after: Mapping[str, int], turns: int) -> str:
    grown = ((name, (after[name] - before.get(name, 0)) / turns) for name in after)
    return ", ".join(f"{name} {'+' if each > 0 else ''}{each:.2f}" for name, each in grown if each)


def main() -> None:
    """Measure each store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=sorted(DATABASES), action="append")
    parser.add_argument("--turns", type=int, default=5000)
    given = parser.parse_args()
    for name in given.store or sorted(DATABASES):
        asyncio.run(measure(name, given.turns))


if __name__ == "__main__":
    main()
