"""How many messages need a model, if the model is never wrong.

Holds the dialogues of dev with the real engine and the real cascade: the default provider first,
and below the threshold the right commands of the data in place of a language model. One
conversation is held for every threshold that makes a difference to it, so mistakes of one message
are there in the next, as they would be. Two things are counted:

- a turn is right if it brings no mistake of its own: no slot or intent is wrong after it that was
  not wrong in the same way before it, and it was heard to ask about what it asks about;
- its state is right if nothing is wrong after it, whichever turn made it so.

    python -m benchmarks.understanding.sgd.cascade FILE [--half all] [--limit N] [--json]

Writes a line for each dialogue to FILE, and goes on where it stopped when it is run again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

# One thread each: what is measured is a message on one core.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import structlog
from langchain_core.messages import HumanMessage

from benchmarks.understanding.sgd.conversation import Provider, hold
from benchmarks.understanding.sgd.dialogues import Dialogue, half, schema
from benchmarks.understanding.sgd.gold import gold
from benchmarks.understanding.sgd.mistakes import Mistake, misheard, standing
from benchmarks.understanding.sgd.run import Options, chosen
from benchmarks.understanding.sgd.schema import Generated, assistant
from soni.commands import Clarify
from soni.du.cascade.provider import CascadeNLU, find_passing_threshold
from soni.du.context import DialogueContext, NLUOutput

THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.92)
TARGET = 0.95
COUNTED = ("asked", "right", "state")


class First:
    """A provider that is asked but once about each moment, and what the last run kept of it."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._known: dict[str, list[tuple[DialogueContext, NLUOutput]]] = {}
        self.sure: list[float] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """Its answer."""
        place = f"{len(history)} {user_message}"
        before = self._known.setdefault(place, [])
        output = next((known for moment, known in before if moment == context), None)
        if output is None:
            output = await self._provider.understand(user_message, history, context)
            before.append((context, output))
        self.sure.append(find_passing_threshold(output, user_message, context))
        return output


class Model:
    """The right commands, as a provider."""

    def __init__(self, dialogue: Dialogue, generated: Generated) -> None:
        self._dialogue = dialogue
        self._generated = generated

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """What the data says of the message."""
        number = sum(isinstance(message, HumanMessage) for message in history)
        said = gold(self._dialogue.turns[number], self._generated)
        about = tuple(command.topic for command in said if isinstance(command, Clarify))
        return NLUOutput(commands=said, about=about, source="gold")


async def counted(
    dialogue: Dialogue, generated: Generated, local: Provider
) -> dict[str, dict[str, int]]:
    """What comes of the dialogue at each threshold."""
    first, model = First(local), Model(dialogue, generated)
    found: dict[str, dict[str, int]] = {}
    last, same_until = dict[str, int](), -1.0
    for threshold in THRESHOLDS:
        # With no answer between the two thresholds the conversation is the same.
        if threshold > same_until:
            first.sure.clear()
            held = await hold(dialogue, generated, CascadeNLU(first, model, threshold=threshold))
            asked = sum(sure < threshold for sure in first.sure)
            same_until = min((sure for sure in first.sure if sure >= threshold), default=2.0)
            last = {"turns": len(held), "asked": asked, **_right(held, generated)}
        found[f"{threshold:g}"] = last
    return found


def _right(held: Sequence[Any], generated: Generated) -> dict[str, int]:
    counts, before = Counter[str](right=0, state=0), frozenset[Mistake]()
    for each in held:
        now, asks = standing(each, generated), list(misheard(each))
        counts["right"] += not (now - before or asks)
        counts["state"] += not (now or asks)
        before = now
    return dict(counts)


def main() -> None:
    """Hold what is not held yet, then print."""
    given = _arguments()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    options = Options(half=None if given.half == "all" else given.half, limit=given.limit)
    # In no order: what is held when it is stopped is a sample of all.
    wanted = sorted(chosen(options), key=lambda one: sha256(one.id.encode()).hexdigest())
    known = {row["id"] for row in _rows(given.file)}
    asyncio.run(_hold([one for one in wanted if one.id not in known], given.file))
    ids = {one.id for one in wanted}
    points = curve([row for row in _rows(given.file) if row["id"] in ids])
    print(json.dumps(points, indent=2) if given.json else table(points))


async def _hold(dialogues: Sequence[Dialogue], file: Path) -> None:
    from soni.du.local.provider import LocalNLU

    services, local, started = schema("dev"), LocalNLU(), time.monotonic()

    @cache
    def made(names: tuple[str, ...]) -> Generated:
        return assistant([services[name] for name in names])

    with file.open("a", encoding="utf-8") as out:
        for number, dialogue in enumerate(dialogues, 1):
            runs = await counted(dialogue, made(dialogue.services), local)
            row = {"id": dialogue.id, "half": half(dialogue.id), "runs": runs}
            print(json.dumps(row), file=out, flush=True)
            if number % 50 == 0 or number == len(dialogues):
                took = time.monotonic() - started
                print(f"{number} of {len(dialogues)}, {took:.0f} s", file=sys.stderr, flush=True)


def curve(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """All dialogues together, by threshold."""
    points = []
    for threshold in (f"{each:g}" for each in THRESHOLDS):
        whole = Counter[str]()
        for row in rows:
            whole.update(row["runs"][threshold])
        shares = {name: whole[name] / whole["turns"] for name in COUNTED}
        points.append({"threshold": float(threshold), "turns": whole["turns"], **shares})
    return points


def table(points: Sequence[Mapping[str, float]]) -> str:
    """The points, and the share of messages that it takes."""
    lines = [f"{'threshold':>9}{'asked':>9}{'right':>9}{'state':>9}"]
    for point in points:
        shares = "".join(f"{point[name]:9.4f}" for name in COUNTED)
        lines.append(f"{point['threshold']:9g}{shares}")
    lines.append(f"{points[0]['turns']:.0f} messages")
    lines += [f"{name} {TARGET:.0%}: {_needed(points, name)}" for name in ("right", "state")]
    return "\n".join(lines)


def _needed(points: Sequence[Mapping[str, float]], name: str) -> str:
    """The share of messages that the model must be asked about, on a line between two points."""
    if points[0][name] >= TARGET:
        return f"without a threshold, asked about {points[0]['asked']:.4f}"
    for low, high in pairwise(points):
        if high[name] >= TARGET:
            part = (TARGET - low[name]) / (high[name] - low[name])
            asked = low["asked"] + part * (high["asked"] - low["asked"])
            between = f"{low['threshold']:g} and {high['threshold']:g}"
            return f"asked about {asked:.4f}, between the thresholds {between}"
    return "not reached"


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="benchmarks.understanding.sgd.cascade")
    options.add_argument("file", type=Path, help="what is held already, and what will be")
    options.add_argument("--half", choices=("A", "B", "all"), default="all")
    options.add_argument("--limit", type=int, help="only so many dialogues")
    options.add_argument("--json", action="store_true")
    return options.parse_args()


if __name__ == "__main__":
    main()
