"""What people want, and how they say it: businesses that nobody runs, and public data."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tools.tagger.scene import tasks

# mypy takes the folder beside the module for it.
from tools.tagger.spoken import Business, Place, Remark, read  # type: ignore[attr-defined]

TAGGER = Path(__file__).parents[1] / "tagger"
DATA = Path(os.environ.get("SONI_BENCH_DATA", Path(__file__).parents[2].parent / "shared" / "data"))

# Of the businesses that the tagger does not know, one in so many is kept apart here too: when to
# stop is found on it.
APART = 4
# Of an intent of a large source, at most so many messages.
MOST = 120
# A shorter first message of STAR is a greeting.
LEAST_WORDS = 6
# An intent with fewer messages has none left to ask with.
LEAST = 4

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ONLY = re.compile(r"I am only able to (?:help (?:you )?)?(?:to |with )?")


@dataclass(frozen=True)
class Intent:
    """Something that people want."""

    names: tuple[str, ...]
    description: str
    said: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """Intents that go together, and what people say that is none of them."""

    name: str
    intents: tuple[Intent, ...]
    foreign: tuple[str, ...] = ()


def list_businesses(*, apart: bool) -> list[Source]:
    """The businesses to learn from, or those kept apart."""
    files = sorted((*TAGGER.glob("spoken/*.txt"), *TAGGER.glob("apart/*.txt")))
    return [
        make_business(file.stem, read(file.read_text(encoding="utf-8")))
        for file in files
        if is_kept_apart(file) == apart
    ]


def is_kept_apart(file: Path) -> bool:
    """Whether no model has learnt from a business, by its folder and name."""
    return file.parent.name == "apart" and sha256(file.stem.encode()).digest()[0] % APART == 0


def make_business(name: str, business: Business) -> Source:
    """A business by its first messages."""
    first = [one for one in business.remarks if one.place == Place()]
    intents = (
        Intent(
            tuple(flow.names),
            flow.description,
            tuple(join_words(one) for one in first if one.starts == key),
        )
        for key, flow in business.flows.items()
    )
    foreign = tuple(join_words(one) for one in first if one.starts is None)
    return Source(name, tuple(intents), foreign)


def join_words(remark: Remark) -> str:
    """A message as it was written."""
    return "".join(part.words for part in remark.parts)


def load_sources(without: Iterable[str] = ()) -> dict[str, Source]:
    """All sources of intents by name but some."""
    unknown = set(without) - {*READERS, "businesses"}
    if unknown:
        raise ValueError(
            f"there is no source {', '.join(sorted(unknown))}; there are: {', '.join(READERS)}"
        )
    return {
        name: Source(name, tuple(make())) for name, make in READERS.items() if name not in without
    }


def read_invented() -> Iterator[Intent]:
    """Flows of the invented assistants, with what begins them."""
    for task in tasks():
        yield Intent(tuple(task.names), task.description, tuple(task.openers))


def read_clinc() -> Iterator[Intent]:
    """The train part of CLINC150."""
    return _read_pairs("clinc150")


def read_banking() -> Iterator[Intent]:
    """The train part of Banking77."""
    return _read_pairs("banking77")


def _read_pairs(name: str) -> Iterator[Intent]:
    rows = json.loads((DATA / "intents" / f"{name}.json").read_text(encoding="utf-8"))["train"]
    yield from group_texts((intent, text) for text, intent in rows)


def group_texts(
    rows: Iterable[tuple[str, str]], descriptions: Mapping[str, str] | None = None
) -> Iterator[Intent]:
    """An intent for each key that has enough texts."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for key, text in rows:
        found[key][text] = None
    for key in sorted(found):
        if len(found[key]) >= LEAST:
            said = tuple(sorted(found[key], key=_hash_text)[:MOST])
            name = _CAMEL.sub(" ", key.rpartition(".")[2]).replace("_", " ").lower().strip("? ")
            yield Intent((name,), (descriptions or {}).get(key, ""), said)


def _hash_text(text: str) -> bytes:
    return sha256(text.encode()).digest()


def read_sgd() -> Iterator[Intent]:
    """What starts a flow in SGD train; the same intent of two services is one."""
    services = json.loads((DATA / "sgd" / "train.schema.json").read_text(encoding="utf-8"))
    told = {
        f"{service['service_name'].partition('_')[0]}.{intent['name']}": intent["description"]
        for service in services
        for intent in service["intents"]
    }
    yield from group_texts(_iter_sgd_starts(), told)


def _iter_sgd_starts() -> Iterator[tuple[str, str]]:
    for dialogue in read_lines(DATA / "sgd" / "train.jsonl.gz"):
        for turn in dialogue["turns"]:
            starts = [one for one in turn["commands"] if one["cmd"] == "StartFlow"]
            if len(starts) == 1 and starts[0].get("via") == "inform":
                service, _, intent = starts[0]["flow"].partition(".")
                yield f"{service.partition('_')[0]}.{intent}", turn["user"]


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file with one in each line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_star(half: int) -> Iterator[Intent]:
    """First messages for one half of the tasks of STAR, so that the other half can measure."""
    known = describe_star_tasks()
    rows = ((known[task][0], text) for task, text in iter_star_starts())
    yield from group_texts(
        (row for row in rows if is_star_half(row[0], half)), dict(known.values())
    )


def is_star_half(name: str, half: int) -> bool:
    """Whether a task belongs to the half, by its name alone."""
    return sha256(name.encode()).digest()[0] % 2 == half


def describe_star_tasks() -> dict[str, tuple[str, str]]:
    """Of each task a name in words, and what the wizards say that they can do."""
    told = json.loads((DATA / "star" / "tasks.json").read_text(encoding="utf-8"))["tasks"]
    return {
        key: (
            task["task"].replace("_", " "),
            _ONLY.split(task["replies"]["out_of_scope"])[-1].rstrip("."),
        )
        for key, task in told.items()
    }


def iter_star_starts() -> Iterator[tuple[str, str]]:
    """Task and first message of each dialogue that has one task."""
    for dialogue in read_lines(DATA / "star" / "dialogues.jsonl.gz"):
        first = next((turn["user"] for turn in dialogue["turns"] if "user" in turn), None)
        if len(dialogue["tasks"]) == 1 and first and len(first.split()) >= LEAST_WORDS:
            yield dialogue["tasks"][0], first


def read_nlupp() -> Iterator[Intent]:
    """NLU++: each set of its intents that occurs often enough is one."""
    told = json.loads((DATA / "intents" / "nlupp.json").read_text(encoding="utf-8"))
    for domain in ("banking", "hotels"):
        rows = (
            (" ".join(sorted(row["intents"])), row["text"])
            for row in told[domain]
            if row.get("intents")
        )
        yield from group_texts(rows)


READERS: Mapping[str, Callable[[], Iterator[Intent]]] = {
    "invented": read_invented,
    "clinc150": read_clinc,
    "banking77": read_banking,
    "sgd": read_sgd,
    "star-a": lambda: read_star(0),
    "star-b": lambda: read_star(1),
    "nlupp": read_nlupp,
}
