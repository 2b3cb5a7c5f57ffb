"""What a message costs in processor time with numpy's default threads and with one thread.

Eight users at once say something that needs the models, to an assistant embedded with defaults.
The yardstick is the same with `OPENBLAS_NUM_THREADS=1`. Each is a process of its own, since the
environment is read when numpy is imported; they take turns, and the medians are compared.

    python benchmarks/understanding/threads.py [--rounds 3] [--messages 48] [--unlimited]

`--unlimited` measures what happens if Soni leaves numpy's threads alone as well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time

import numpy  # as an application would, before Soni

from soni import RuntimeLoop, SoniConfig
from soni.du.encoder import blas
from soni.persistence import open_store

AIM = 1.2
USERS = 8

CONFIG = SoniConfig.model_validate(
    {
        "slots": {
            "city": {"type": "string", "prompt": "Where to?"},
            "day": {"type": "date", "prompt": "Which day?"},
        },
        "flows": {
            f"book_{thing}": {
                "description": f"Book a {thing}",
                "trigger": {"examples": [f"book a {thing}", f"I need a {thing}"]},
                "steps": [{"collect": "city"}, {"collect": "day"}, {"say": "Done."}],
            }
            for thing in ("flight", "hotel", "car", "boat", "guide", "tent", "dinner", "concert")
        },
    }
)
SAID = (
    "could you get me a place to sleep for the weekend",
    "it should be somewhere near the sea, perhaps Lisbon",
    "my sister would like to come along next Friday",
    "actually forget about that",
)


async def measure_messages(count: int) -> float:
    """Seconds of CPU per message, eight users talking at once."""
    async with RuntimeLoop(CONFIG, store=open_store("memory")) as runtime:
        for said in SAID:
            await runtime.turn(said, "warm-up")

        async def talk(user: str) -> None:
            for index in range(count // USERS):
                await runtime.turn(SAID[index % len(SAID)], user)

        started = time.process_time()
        await asyncio.gather(*(talk(f"user {n}") for n in range(USERS)))
        return (time.process_time() - started) / (count // USERS * USERS)


def measure_process(messages: int, threads: str | None, *, unlimited: bool = False) -> float:
    """The same in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    if threads is not None:
        environment["OPENBLAS_NUM_THREADS"] = threads
    command = [sys.executable, __file__, "--measure", "--messages", str(messages)]
    command += ["--unlimited"] if unlimited else []
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print the ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--messages", type=int, default=48)
    parser.add_argument("--unlimited", action="store_true")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        if given.unlimited:
            blas.find_blas = lambda: None  # type: ignore[assignment]
        print(asyncio.run(measure_messages(given.messages)))
        return
    print(f"numpy {numpy.__version__}, {os.cpu_count()} cores, {USERS} users at once")
    kinds: dict[str, list[float]] = {"one thread": [], "default": [], "unlimited": []}
    for _ in range(given.rounds):
        kinds["one thread"].append(measure_process(given.messages, "1"))
        kinds["default"].append(measure_process(given.messages, None))
        if given.unlimited:
            kinds["unlimited"].append(measure_process(given.messages, None, unlimited=True))
    medians = {kind: statistics.median(times) for kind, times in kinds.items() if times}
    for kind, seconds in medians.items():
        ratio = seconds / medians["one thread"]
        print(f"  {kind:12} {seconds * 1000:7.1f} ms of CPU a message   {ratio:.2f} x", flush=True)
    print(f"  aim: default at most {AIM} x of one thread")


if __name__ == "__main__":
    main()
