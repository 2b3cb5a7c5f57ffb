"""How many of the examples' conversations a provider gets through, from the first word to the last.

    python -m benchmarks.understanding.conversations [bank travel] [-k stranger]
        [--provider local | llm | cascade] [--results FILE]
        [--threads 2 | --base-url http://127.0.0.1:8080/v1 --model qwen]

Held are the conversation tests in which no turn has written commands: all is understood. One ends
with the first turn that is not as expected. Without `--base-url` the model of `make test-llm` is
served here. With `--results` a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

# One thread beside those of the model, which works on the same cores.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import structlog

from soni import SoniConfig
from soni.config.settings import Nlu
from soni.testing import ConversationTest, Result, Suite
from soni.testing.run import Understanding

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = "qwen2.5-coder-1.5b"
SECONDS = 3600.0
"""How long a message may take: a machine that others use as well is slow at times."""


@dataclass(frozen=True)
class Held:
    """What became of a conversation."""

    assistant: str
    name: str
    provider: str
    right: int
    """Turns that were as expected."""

    turns: int
    seconds: float
    heard: str
    """All that was said, if something differed, and the first thing that did."""

    @property
    def whole(self) -> bool:
        """Whether it was as expected to its end."""
        return self.right == self.turns

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.assistant, self.name, self.provider

    def told(self) -> str:
        """A line."""
        how = "whole" if self.whole else f"{self.right} of {self.turns} turns"
        return f"{self.assistant}: {self.name}: {how}, {self.seconds:.0f} s"


def free(
    path: Path, provider: Understanding, nlu: Nlu, pattern: str = ""
) -> list[ConversationTest]:
    """The conversations of an assistant in which every message has to be understood."""
    config = SoniConfig.load(path)
    settings = config.settings.model_copy(update={"nlu": nlu})
    config = config.model_copy(update={"settings": settings})
    suite = Suite.load(path, nlu=provider, config=config).select(pattern)
    return [test for test in suite if all(turn.commands is None for turn in test.case.turns)]


async def held(assistant: str, test: ConversationTest, provider: str) -> Held:
    """Hold a conversation."""
    result = await test.run()
    turns = len(test.case.turns)
    right = turns if result.passed else result.turn - 1
    heard = "" if result.passed else _heard(result)
    return Held(assistant, test.name, provider, right, turns, result.seconds, heard)


def _heard(result: Result) -> str:
    lines = [f"{line.who}: {line.text}" for line in result.transcript]
    for wrong in result.mismatches[:1]:
        lines.append(f"expected {wrong.what}: {wrong.expected!r}, got {wrong.got!r}")
    return "\n".join([*lines, *filter(None, [result.error])])


class Results:
    """What was held before, in a file of one JSON object a line; with no file, nothing was."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        rows = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
        self._known = {row.key: row for row in (Held(**json.loads(line)) for line in rows)}

    def get(self, assistant: str, name: str, provider: str) -> Held | None:
        """A conversation that was held already."""
        return self._known.get((assistant, name, provider))

    def add(self, row: Held) -> None:
        """Keep it at once."""
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def summed(rows: Iterable[Held]) -> str:
    """What a table has of an assistant."""
    every = list(rows)
    whole = sum(row.whole for row in every)
    right, turns = sum(row.right for row in every), sum(row.turns for row in every)
    return f"{whole} of {len(every)} conversations whole, {right} of {turns} turns until then"


async def main(
    assistants: Mapping[str, Path],
    provider: Understanding,
    nlu: Nlu,
    pattern: str = "",
    results: Path | None = None,
) -> None:
    """Print as conversations end."""
    known = Results(results)
    title = f"cascade {nlu.threshold:g}" if provider == "cascade" else provider
    for name, path in assistants.items():
        rows = []
        for test in free(path, provider, nlu, pattern):
            row = known.get(name, test.name, title)
            if row is None:
                row = await held(name, test, title)
                known.add(row)
            rows.append(row)
            print(row.told(), flush=True)
        print(f"{name}, {title}: {summed(rows)}\n", flush=True)


def _arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    names = sorted(path.name for path in EXAMPLES.iterdir() if (path / "soni.yaml").exists())
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("assistants", nargs="*", default=names, help=f"of {', '.join(names)}")
    options.add_argument("-k", default="", metavar="PATTERN", help="only those called so")
    options.add_argument("--provider", choices=("local", "llm", "cascade"), default="llm")
    options.add_argument("--threshold", type=float, default=Nlu().threshold, help="of a cascade")
    options.add_argument("--results", type=Path, help="where to keep what was held")
    options.add_argument("--base-url", help="an OpenAI-compatible server that has a model")
    options.add_argument("--model", default=MODEL, help="what that server calls it")
    options.add_argument("--threads", type=int, default=2, help="of the model that is served here")
    return options.parse_args(given)


def _run(given: argparse.Namespace) -> None:
    from tests.models.server import served

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    here = given.provider != "local" and not given.base_url
    with served(given.model, given.threads) if here else nullcontext(given.base_url) as url:
        nlu = Nlu(model=given.model, base_url=url, threshold=given.threshold, timeout=SECONDS)
        chosen = {name: EXAMPLES / name for name in given.assistants}
        asyncio.run(main(chosen, given.provider, nlu, given.k, given.results))


if __name__ == "__main__":
    _run(_arguments())
