"""The command: providers side by side on the same dialogues.

A cascade may be held with several thresholds: its rows are the curve of what is right by the share
of messages that the model is asked about. Every row is conversations of its own, from the first
message to the last; what the model was asked before in the same moment is not asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import structlog

from benchmarks.understanding.sgd.dialogues import Dialogue, dialogues, half
from benchmarks.understanding.sgd.providers import Model, known, measured
from benchmarks.understanding.sgd.sample import sample
from soni.config.settings import Nlu

QUALITY = (
    ("command_f1", "command F1"),
    ("intent_accuracy", "intent"),
    ("joint_goal_accuracy", "joint goal"),
    ("average_goal_accuracy", "average goal"),
    ("requested_f1", "requested F1"),
    ("exact_match", "exact"),
)
COSTS = (
    ("asked_share", "asked"),
    ("calls", "calls"),
    ("prompt_tokens", "prompt"),
    ("cached_tokens", "cached"),
    ("completion_tokens", "written"),
    ("seconds", "seconds"),
)


def side_by_side(given: argparse.Namespace) -> None:
    """Measure what the command line asks for, and print it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    wanted = None if given.half == "all" else given.half
    found = [each for each in dialogues("dev") if wanted in (None, half(each.id))]
    chosen = sample(found, given.dialogues)
    with _address(given) as url:
        result = asyncio.run(_measured(given, chosen, url))
    print(json.dumps(result, indent=2) if given.json else _printed(result))


async def _measured(
    given: argparse.Namespace, chosen: Sequence[Dialogue], url: str
) -> dict[str, Any]:
    rows = list(_rows(given, url))
    if given.known:
        for name, model in rows:
            chosen = await known(name, chosen, model)
    found: dict[str, Any] = {}
    for name, model in rows:
        title = f"cascade {model.threshold}" if name == "cascade" else name
        found[title] = (await measured(name, chosen, model)).figures()
    return found


def _rows(given: argparse.Namespace, url: str) -> Iterator[tuple[str, Model]]:
    thresholds = given.threshold or [Nlu().threshold]
    for name in dict.fromkeys(given.provider):
        for threshold in thresholds if name == "cascade" else thresholds[:1]:
            yield name, Model(given.model, url, given.answers, threshold, given.known)


@contextmanager
def _address(given: argparse.Namespace) -> Iterator[str]:
    """Where the model is: a server that runs, or one of our own for as long as it is needed."""
    if given.base_url or given.known or given.provider == ["local"]:
        # Where nothing is asked, no address is too wrong.
        yield given.base_url or "http://127.0.0.1:9/v1"
        return
    from tests.models.server import served

    with served(given.model, threads=given.threads) as url:
        yield url


def _printed(rows: Mapping[str, Any]) -> str:
    lines = [_line("", [title for _, title in QUALITY])]
    lines += [_line(name, [row[key] for key, _ in QUALITY]) for name, row in rows.items()]
    kinds = list(dict.fromkeys(kind for row in rows.values() for kind in row["commands"]))
    lines += ["", _line("F1", kinds)]
    lines += [_line(n, [row["commands"][kind]["f1"] for kind in kinds]) for n, row in rows.items()]
    lines += ["", _line("a message", [title for _, title in COSTS])]
    lines += [_line(name, [row["costs"][key] for key, _ in COSTS]) for name, row in rows.items()]
    held = next(iter(rows.values()))
    lines.append(f"\n{held['dialogues']} dialogues, {held['messages']} messages")
    return "\n".join(lines)


def _line(name: str, cells: Sequence[Any]) -> str:
    return f"{name:16}" + "".join(f"{_cell(cell):>20}" for cell in cells)


def _cell(cell: Any) -> str:
    if cell is None:
        return "-"
    return cell if isinstance(cell, str) else f"{cell:.3f}" if cell < 10 else f"{cell:.0f}"
