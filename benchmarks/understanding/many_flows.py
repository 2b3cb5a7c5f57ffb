"""What a message costs an assistant of hundreds of flows, and how long others wait for it.

The yardstick, in the same run: a message to an assistant of ten of these flows, once it knows them.

    python benchmarks/understanding/many_flows.py [--flows 100 300 1000] [--messages 10]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from soni import RuntimeLoop, SoniConfig
from soni.du.local.mind import mind
from soni.persistence import open_store

VERBS = (
    *("book", "cancel", "change", "check", "compare", "copy", "cover", "delay", "describe", "draw"),
    *("find", "fix", "insure", "move", "order", "paint", "print", "rent", "sell", "track"),
)
THINGS = (
    *("bicycle", "boat", "boiler", "bridge", "camera", "carpet", "concert", "curtain", "desk"),
    *("dinner", "dishwasher", "door", "dress", "elevator", "fence", "ferry", "flight", "fridge"),
    *("garage", "garden", "guitar", "haircut", "helmet", "horse", "invoice", "jacket", "kitchen"),
    *("ladder", "lamp", "laptop", "lawyer", "license", "lock", "mattress", "medicine", "mirror"),
    *(
        "mortgage",
        "museum visit",
        "oven",
        "parcel",
        "passport",
        "phone",
        "piano",
        "pool",
        "printer",
    ),
    *("roof", "sofa", "taxi", "tent", "window"),
)


@dataclass(frozen=True)
class Cost:
    """Of a message, in seconds."""

    wall: float
    cpu: float
    stood: float
    """The longest that the event loop stood still."""

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s, {self.cpu:6.2f} s of CPU, loop stood {self.stood:6.3f} s"


def assistant(flows: int) -> SoniConfig:
    """An assistant of so many flows, each with a description and three examples."""
    return SoniConfig.model_validate({"flows": dict(islice(_flows(), flows))})


def _flows() -> Iterator[tuple[str, object]]:
    # Things first: neighbours differ in both.
    for number, (verb, thing) in enumerate(product(VERBS, THINGS)):
        near = THINGS[(THINGS.index(thing) + 7 * VERBS.index(verb)) % len(THINGS)]
        yield (
            f"{verb}_{near}".replace(" ", "_"),
            {
                "description": f"Help somebody {verb} a {near}, matter {number}",
                "trigger": {
                    "examples": [
                        f"I would like to {verb} a {near}",
                        f"can you {verb} my {near} please",
                        f"{verb} the {near} for me",
                    ]
                },
                "steps": [{"say": "Done."}],
            },
        )


async def costs(config: SoniConfig, messages: int) -> list[Cost]:
    """Of the first messages that an assistant gets, one after the other."""
    found = []
    async with RuntimeLoop(config, store=open_store("memory")) as runtime:
        for number in range(messages):
            verb, thing = VERBS[number * 3 % len(VERBS)], THINGS[number * 11 % len(THINGS)]
            message = f"please could someone {verb} our old {thing}"
            # Each from somebody else: who is never understood is handed over to a person.
            found.append(await _cost(runtime, message, f"user-{number}"))
    return found


async def _cost(runtime: RuntimeLoop, message: str, user: str) -> Cost:
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)

    ticking = asyncio.create_task(tick())
    wall, cpu = time.perf_counter(), time.process_time()
    await runtime.turn(message, user)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    await asyncio.sleep(0)
    ticking.cancel()
    return Cost(wall, cpu, longest)


def later(every: list[Cost]) -> Cost:
    """The median of all but the first."""
    rest = every[1:]
    return Cost(
        statistics.median(one.wall for one in rest),
        statistics.median(one.cpu for one in rest),
        max(one.stood for one in rest),
    )


async def main(sizes: list[int], messages: int) -> None:
    """Print as figures come in."""
    mind()
    yardstick = later(await costs(assistant(10), messages + 1))
    print(f"yardstick, 10 flows: {yardstick}", flush=True)
    for size in sizes:
        every = await costs(assistant(size), messages + 1)
        ratio = later(every).cpu / yardstick.cpu
        print(f"{size:5} flows, first: {every[0]}", flush=True)
        print(f"{size:5} flows, later: {later(every)}, {ratio:.1f} of the yardstick", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flows", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--messages", type=int, default=10)
    given = parser.parse_args()
    asyncio.run(main(given.flows, given.messages))
