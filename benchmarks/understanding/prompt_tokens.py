"""How many tokens the prompt for a message has, with few flows and with many.

    python -m benchmarks.understanding.prompt_tokens [--flows 10 100 1000] [--messages 5]
        [--serve qwen2.5-coder-1.5b | --base-url http://127.0.0.1:8080/v1 --model qwen]

Counted by the model that is served here, or that a server has. Without one, words are counted,
which are fewer than tokens. The prompts are those of the first pass; the second, where a flow
starts, tells of that flow alone, however many there are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from benchmarks.understanding.many_flows import SPEECH, assistant
from soni import RuntimeLoop
from soni.config.settings import Nlu
from soni.persistence import open_store
from tests.model_server import commands, serving
from tests.models.server import served
from tests.models.weights import MODELS

SECONDS = 3600.0
"""How long a message may take: the first waits until all flows were read."""


@dataclass(frozen=True)
class Counted:
    """Of a prompt."""

    tokens: int
    kept: int | None = None
    """Those that the model still had from the prompt before, if it says so."""


Count = Callable[[dict[str, Any]], Counted]


def words(body: dict[str, Any]) -> Counted:
    """Of a prompt, for want of a model."""
    return Counted(sum(len(message["content"].split()) for message in body["messages"]))


def by_model(url: str, name: str) -> Count:
    """By a model: it is asked for one token, and says how many it has read."""

    def count(body: dict[str, Any]) -> Counted:
        asked = {"model": name, "messages": body["messages"], "max_tokens": 1}
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            f"{url}/chat/completions", json.dumps(asked).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=600) as answer:
            usage = json.load(answer)["usage"]
        details = usage.get("prompt_tokens_details") or {}
        return Counted(usage["prompt_tokens"], details.get("cached_tokens"))

    return count


async def prompts(flows: int, messages: int) -> list[dict[str, Any]]:
    """What a model is asked about the first messages to an assistant of so many flows."""
    with serving() as model:
        model.always = commands({"type": "ChitChat"})
        nlu = Nlu(provider="llm", model="any", base_url=model.url, timeout=SECONDS)
        config = assistant(flows, "en")
        settings = config.settings.model_copy(update={"nlu": nlu})
        config = config.model_copy(update={"settings": settings})
        async with RuntimeLoop(config, store=open_store("memory")) as runtime:
            for number in range(messages):
                await runtime.turn(SPEECH["en"].said(number), f"user-{number}")
        return model.asked


def report(flows: int, found: Sequence[Counted]) -> str:
    """A line."""
    tokens = [one.tokens for one in found]
    mean = f"{statistics.mean(tokens):8.0f} in the mean ({min(tokens)} to {max(tokens)})"
    # The first finds nothing, or what another assistant has left.
    kept = [one.kept for one in found[1:] if one.kept is not None]
    again = f", {statistics.mean(kept):.0f} of them kept from the message before" if kept else ""
    return f"{flows:5} flows: {mean}{again}"


async def main(sizes: Sequence[int], messages: int, count: Count) -> None:
    """Print as figures come in."""
    for size in sizes:
        asked = await prompts(size, messages)
        print(report(size, [count(body) for body in asked]), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flows", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--messages", type=int, default=5)
    parser.add_argument("--serve", choices=MODELS, help="a model of the tests, on this machine")
    parser.add_argument("--base-url", help="an OpenAI-compatible server that has a model")
    parser.add_argument("--model", default="model", help="what that server calls it")
    given = parser.parse_args()
    with served(given.serve) if given.serve else nullcontext(given.base_url) as url:
        print(f"counted by {given.serve or given.model}" if url else "counted in words", flush=True)
        counted = by_model(url, given.serve or given.model) if url else words
        asyncio.run(main(given.flows, given.messages, counted))
