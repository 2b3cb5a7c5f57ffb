"""Conversations in tests: an assistant from YAML text, and somebody who talks to it."""

from __future__ import annotations

import os
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from soni import RuntimeLoop, SoniConfig
from soni.commands import Command
from soni.config.modules import load_functions
from soni.runtime.turn import Turn


class FrozenClock:
    """A clock that moves only when it is told to."""

    def __init__(self, start: str = "2026-03-02T10:00:00+00:00") -> None:
        self.now = datetime.fromisoformat(start)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def assistant(yaml: str, actions: str = "") -> SoniConfig:
    """An assistant from the text of its soni.yaml and of its actions.py.

    Its functions are its own: what one conversation leaves in their module is not there in the
    next. The rest never changes, and a text that many tests share is read once.
    """
    settings = frozenset(item for item in os.environ.items() if item[0].startswith("SONI_"))
    config = _loaded(yaml, actions, settings)
    if not actions:
        return config
    with TemporaryDirectory() as folder:
        _write(folder, "actions.py", actions)
        return config._copy_with(functions=load_functions(Path(folder)))


@lru_cache(maxsize=256)
def _loaded(yaml: str, actions: str, settings: frozenset[tuple[str, str]]) -> SoniConfig:
    # The settings are in the environment; they are told so that others are not taken for these.
    with TemporaryDirectory() as folder:
        _write(folder, "soni.yaml", yaml)
        if actions:
            _write(folder, "actions.py", actions)
        return SoniConfig.load(folder)


def _write(folder: str, name: str, text: str) -> None:
    Path(folder, name).write_text(textwrap.dedent(text), encoding="utf-8")


class Talk:
    """Somebody talking to an assistant. Commands given with a message go past understanding."""

    def __init__(self, runtime: RuntimeLoop, clock: FrozenClock, user_id: str = "ann") -> None:
        self.runtime = runtime
        self.clock = clock
        self.user_id = user_id
        self.last: Turn | None = None

    async def say(self, text: str, *commands: Command, **options: Any) -> list[str]:
        """Send a message; what the bot answered, message by message."""
        given = list(commands) if commands else options.pop("commands", None)
        self.last = await self.runtime.turn(text, self.user_id, commands=given, **options)
        return self.last.messages

    @property
    def state(self) -> Any:
        assert self.last is not None
        return self.last.state

    @property
    def slots(self) -> dict[str, Any]:
        """The active flow's slots."""
        stack = self.state["flow_stack"]
        return dict(self.state["flow_slots"].get(stack[-1]["flow_id"], {})) if stack else {}

    @property
    def stack(self) -> list[str]:
        return [flow["flow_name"] for flow in self.state["flow_stack"]]

    @property
    def decisions(self) -> list[tuple[str, str]]:
        assert self.last is not None
        return [(made["command"], made["decision"]) for made in self.last.commands]

    @property
    def actions(self) -> list[tuple[str, dict[str, Any]]]:
        """Actions of the last turn, with their inputs."""
        return [(ran["action"], ran["inputs"]) for ran in self.state["turn"]["actions"]]

    @property
    def ended(self) -> list[tuple[str, str]]:
        return [(flow["flow_name"], flow["result"]) for flow in self.state["turn"]["ended"]]


@asynccontextmanager
async def talking_to(
    config: SoniConfig | str, actions: str = "", **options: Any
) -> AsyncIterator[Talk]:
    """Talk to an assistant (a config, or the text of its YAML) on a frozen clock."""
    clock = options.pop("clock", None) or FrozenClock()
    made = assistant(config, actions) if isinstance(config, str) else config
    async with RuntimeLoop(made, clock=clock, **options) as runtime:
        yield Talk(runtime, clock)
