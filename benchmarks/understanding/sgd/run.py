"""Holds many dialogues, in several processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any

import structlog

from benchmarks.understanding.sgd.conversation import Held, Provider, hold
from benchmarks.understanding.sgd.dialogues import Dialogue, dialogues, half, schema
from benchmarks.understanding.sgd.errors import Wrong, wrongs
from benchmarks.understanding.sgd.schema import Generated, assistant
from benchmarks.understanding.sgd.score import Scores


@dataclass(frozen=True)
class Options:
    """What is to be held, and how."""

    split: str = "dev"
    half: str | None = "B"
    limit: int | None = None
    gold: bool = False
    """The right commands in place of a provider's."""

    all_flows: bool = False
    """Every service's flows may start, not only those of the dialogue."""

    errors: bool = False
    processes: int = 2


@dataclass
class Result:
    """What came out."""

    scores: Scores = field(default_factory=Scores)
    wrong: list[Wrong] = field(default_factory=list)


def run(options: Options) -> Result:
    """Hold the dialogues that are asked for."""
    result = Result()
    parts = range(options.processes)
    with ProcessPoolExecutor(options.processes) as pool:
        for part in pool.map(_part, [options] * len(parts), parts):
            result.scores += part.scores
            result.wrong += part.wrong
    return result


def chosen(options: Options) -> list[Dialogue]:
    """The dialogues that are held."""
    wanted = (
        d for d in dialogues(options.split) if options.half is None or half(d.id) == options.half
    )
    if options.limit is None:
        return list(wanted)
    found = list(wanted)
    # Dialogues of one kind follow each other, so a few are taken from everywhere.
    return list(islice(found, 0, None, max(1, len(found) // options.limit)))[: options.limit]


def _part(options: Options, number: int) -> Result:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    mine = chosen(options)[number :: options.processes]
    return asyncio.run(_held(mine, options))


async def _held(mine: Sequence[Dialogue], options: Options) -> Result:
    services = schema(options.split)
    everything = tuple(services)
    provider: Provider | None = None
    encode: Any = None
    if not options.gold:
        provider, encode = _provider()
    result = Result()

    @cache
    def made(names: tuple[str, ...]) -> Generated:
        return assistant([services[name] for name in names])

    for dialogue in mine:
        generated = made(everything if options.all_flows else dialogue.services)
        held = await hold(dialogue, generated, provider)
        for each in held:
            result.scores.add(each, generated)
            if encode is not None:
                result.scores.encoding.append(_timed(encode, each))
        if options.errors:
            result.wrong += wrongs(dialogue, held, generated)
    return result


def _provider() -> tuple[Provider, Any]:
    from soni.du.encoder import Encoder
    from soni.du.local.provider import LocalNLU

    return LocalNLU(), Encoder.load().encode


def _timed(encode: Any, held: Held) -> float:
    start = time.perf_counter()
    encode([held.turn.user])
    return time.perf_counter() - start
