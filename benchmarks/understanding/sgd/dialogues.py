"""The Schema-Guided Dialogue data: dialogues, the services they use, and the halves of dev.

Read from `$SONI_BENCH_DATA`, or from ../shared/data beside the checkout.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Turn:
    """What the system said, what the user answered, and what that means."""

    system: str
    system_acts: tuple[Mapping[str, Any], ...]
    user: str
    commands: tuple[Mapping[str, Any], ...]
    spans: tuple[Mapping[str, Any], ...]
    state: Mapping[str, Mapping[str, Any]]
    """By service: active_intent, requested_slots, slot_values."""

    service_calls: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Dialogue:
    """A conversation, and the services it is about."""

    id: str
    services: tuple[str, ...]
    turns: tuple[Turn, ...]


def folder() -> Path:
    """Where the data is."""
    return Path(os.environ.get("SONI_BENCH_DATA", ROOT.parent / "shared" / "data")) / "sgd"


def schema(split: str) -> dict[str, dict[str, Any]]:
    """The services of a split by name: slots and intents with descriptions."""
    with _found(f"{split}.schema.json").open(encoding="utf-8") as file:
        return {service["service_name"]: service for service in json.load(file)}


def dialogues(split: str) -> Iterator[Dialogue]:
    """The dialogues of `train` or `dev`, one after another."""
    with gzip.open(_found(f"{split}.jsonl.gz"), "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            turns = tuple(_turn(turn) for turn in row["turns"])
            yield Dialogue(row["id"], tuple(row["services"]), turns)


def half(dialogue_id: str) -> str:
    """A, to tune on, or B, to report: by the first byte of the id's SHA-256."""
    return "B" if sha256(dialogue_id.encode()).digest()[0] % 2 else "A"


def _turn(row: Mapping[str, Any]) -> Turn:
    parts = ("system_acts", "commands", "spans", "service_calls")
    given = {part: tuple(row[part]) for part in parts}
    return Turn(system=row["system"] or "", user=row["user"], state=row["state"], **given)


def _found(name: str) -> Path:
    path = folder() / name
    if not path.is_file():
        print(f"{path} is not there. Set SONI_BENCH_DATA to the folder of data.", file=sys.stderr)
        sys.exit(2)
    return path
