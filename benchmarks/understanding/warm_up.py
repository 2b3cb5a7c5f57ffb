"""How long an assistant of many flows takes to be ready, the first time and the second.

Each start is a process of its own; the second finds the encodings that the first has kept.

    python benchmarks/understanding/warm_up.py [--flows 1000] [--starts 2]
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from many_flows import assistant

from soni import RuntimeLoop, SoniConfig
from soni.persistence import open_store


def with_cache(config: SoniConfig, folder: str) -> SoniConfig:
    """The same assistant with a folder for its encodings."""
    nlu = config.settings.nlu.model_copy(update={"cache": folder})
    settings = config.settings.model_copy(update={"nlu": nlu})
    return config.model_copy(update={"settings": settings})


async def warm_up(flows: int, folder: str) -> None:
    """One start: the seconds until it is ready, and those of the first message."""
    config = with_cache(assistant(flows, "en"), folder)
    async with RuntimeLoop(config, store=open_store("memory")) as runtime:
        started, worked = time.perf_counter(), time.process_time()
        await runtime.warm_up()
        ready, used = time.perf_counter() - started, time.process_time() - worked
        started = time.perf_counter()
        await runtime.turn("please could someone paint our old fence", "ann")
        first = time.perf_counter() - started
    print(f"ready after {ready:.2f} s ({used:.2f} s of CPU); the first message {first:.2f} s")


def main() -> None:
    """Start several times and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flows", type=int, default=1000)
    parser.add_argument("--starts", type=int, default=2)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.folder:
        asyncio.run(warm_up(given.flows, given.folder))
        return
    with TemporaryDirectory() as folder:
        for start in range(given.starts):
            command = [sys.executable, __file__, "--flows", str(given.flows), "--folder", folder]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(f"start {start + 1}: {done.stdout.strip()}", flush=True)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        print(f"file: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
