"""What answering from knowledge costs: reading the files, building the index, a search.

Entries are made of real words in the proportions of language: few words are common, most are rare.

    python benchmarks/knowledge.py [--entries 3000] [--searches 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from soni import SoniConfig
from soni.knowledge import LexicalKnowledge

PER_FILE = 1_000
COMMON = [
    *("account", "card", "transfer", "money", "fee", "limit", "app", "branch", "payment", "loan"),
    *("open", "close", "change", "cost", "take"),
]
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "bra", "cli", "tro"]


def sentence(rng: random.Random, words: list[str], length: int) -> str:
    """Words as people use them: the n-th most common one is n times as rare as the first."""
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return " ".join(rng.choices(words, weights, k=length))


def write(folder: Path, entries: int, rng: random.Random) -> None:
    """An assistant with so many entries."""
    rare = {"".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(2 * entries)}
    words = [*COMMON, *sorted(rare)]
    (folder / "soni.yaml").write_text("flows: {greet: {steps: [{say: Hello}]}}\n")
    (folder / "knowledge").mkdir()
    for start in range(0, entries, PER_FILE):
        lines = [
            f"- question: How do I {sentence(rng, words, 6)} number {number}?\n"
            f"  answer: You {sentence(rng, words, 20)}.\n"
            for number in range(start, min(start + PER_FILE, entries))
        ]
        (folder / "knowledge" / f"part_{start}.yaml").write_text("".join(lines))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What came out, and the milliseconds it took."""
    start = time.perf_counter()
    done = work()
    return done, 1000 * (time.perf_counter() - start)


async def searches(config: SoniConfig, count: int, rng: random.Random) -> list[float]:
    """The first search, which builds the index, then the others."""
    knowledge = LexicalKnowledge(config.knowledge)
    taken = []
    for _ in range(count + 1):
        entry = rng.choice(config.knowledge)
        asked = f"please tell me, {entry.question} And what does it cost?"
        start = time.perf_counter()
        await knowledge.search(asked, language="en")
        taken.append(1000 * (time.perf_counter() - start))
    return taken


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, default=3_000)
    options.add_argument("--searches", type=int, default=2_000)
    given = options.parse_args()
    rng = random.Random(7)
    with TemporaryDirectory() as place:
        write(Path(place), given.entries, rng)
        config, loaded = timed(lambda: SoniConfig.load(place))
    first, *others = asyncio.run(searches(config, given.searches, rng))
    centiles = statistics.quantiles(others, n=100)
    print(f"{given.entries:,} entries")
    print(f"  read and checked   {loaded:8.1f} ms, once")
    print(f"  first search       {first:8.1f} ms, once for each language")
    print(f"  search, median     {statistics.median(others):8.2f} ms")
    print(f"  search, 99 of 100  {centiles[98]:8.2f} ms")


if __name__ == "__main__":
    main()
