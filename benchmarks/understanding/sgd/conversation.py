"""A dialogue of the data held with the engine, message by message."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from benchmarks.understanding.sgd.dialogues import Dialogue, Turn
from benchmarks.understanding.sgd.gold import gold
from benchmarks.understanding.sgd.rules import Plan, as_asked, planned
from benchmarks.understanding.sgd.schema import Generated
from benchmarks.understanding.sgd.state import Frame, frame
from benchmarks.understanding.sgd.system import System
from soni import RuntimeLoop
from soni.commands import CancelFlow, Clarify, Command, CommandHandlerRegistry
from soni.du.context import DialogueContext, NLUOutput

# The day on which the data's dialogues take place.
NOW = datetime(2019, 3, 1, 12, tzinfo=UTC)


class Provider(Protocol):
    """Anything that understands messages."""

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands of a message."""
        ...


@dataclass(frozen=True)
class Held:
    """What became of one message."""

    turn: Turn
    said: Sequence[Command]
    """What understanding made of it."""

    about: frozenset[str]
    """The slots that it was heard to ask about."""

    frames: Mapping[str, Frame]
    """By service, those that the data has a state for."""

    seconds: float
    """How long understanding took."""


class Listener:
    """Understanding as the engine sees it: the provider's, with the data's side of the moment.

    Without a provider, the right commands.
    """

    def __init__(self, provider: Provider | None, generated: Generated, system: System) -> None:
        self._provider = provider
        self._generated = generated
        self._system = system
        self.turn: Turn | None = None
        self.said: Sequence[Command] = ()
        self.about: frozenset[str] = frozenset()
        self.plan = Plan(())
        self.seconds = 0.0

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands with which the turn begins; the others follow when all is closed."""
        told, before = self._system.context(context), self._system.history()
        start = time.perf_counter()
        self.said = await self._read(user_message, before, told)
        self.seconds = time.perf_counter() - start
        self.plan = planned(self.said, self._system, self._generated, told)
        return NLUOutput(commands=(CancelFlow(),) if self.plan.closes else self.plan.commands)

    async def _read(
        self, message: str, history: Sequence[Any], context: DialogueContext
    ) -> Sequence[Command]:
        if self._provider is None:
            said = gold(self.turn, self._generated) if self.turn else []
            self.about = frozenset(c.topic for c in said if isinstance(c, Clarify))
            return said
        output = await self._provider.understand(message, history, context)
        self.about = frozenset(output.about)
        parse = CommandHandlerRegistry.discover().parse
        return as_asked([parse(each) for each in output.commands], context)


async def hold(dialogue: Dialogue, generated: Generated, provider: Provider | None) -> list[Held]:
    """Hold the dialogue; what each message made of the conversation."""
    system = System(dialogue, generated)
    listener = Listener(provider, generated, system)
    held = []
    async with RuntimeLoop(generated.config, nlu=listener, clock=lambda: NOW) as runtime:
        for _ in dialogue.turns:
            turn = listener.turn = system.speak()
            done = await runtime.turn(turn.user, dialogue.id)
            if listener.plan.closes:
                while done.state["flow_stack"]:
                    done = await runtime.turn("", dialogue.id, commands=[CancelFlow()])
                done = await runtime.turn("", dialogue.id, commands=listener.plan.commands)
            about = listener.about
            frames = {s: frame(s, done.state, about, generated) for s in turn.state}
            held.append(Held(turn, listener.said, about, frames, listener.seconds))
    return held
