"""Runs one test as a conversation with its own clock and store."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Literal, Protocol

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.positions import Path, Positions
from soni.config.soni_config import SoniConfig
from soni.core.errors import ActionError, SoniError
from soni.core.generation import NO_MODEL
from soni.core.protocols import NLUProvider, ScopeBuilder
from soni.du import ScriptedNLU
from soni.du.providers import open_provider
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import Turn
from soni.slots import SlotEnv
from soni.testing.case import Case, TurnCase
from soni.testing.compare import Comparison
from soni.testing.fields import (
    AGENT_MESSAGE,
    PRESS,
    PUSH,
    RELEASE,
    START_FLOW,
    StartFlowCall,
    read_duration,
    read_entry,
    read_moment,
)
from soni.testing.result import Line, Result
from soni.testing.stubs import START, FrozenClock, stub_actions

Understanding = Literal["local", "scripted", "llm", "cascade"]
"""Who understands a message without commands; the settings do not matter to a test."""


class Listener(NLUProvider, ScopeBuilder, Protocol):
    """An NLU provider that also knows what the test says."""

    def prepare(self, index: int, given: TurnCase) -> None:
        """The turn that comes next."""
        ...


class RefusingGenerator:
    """A generator that always refuses, so that tests see the fixed texts."""

    async def generate(self, *given: Any, **named: Any) -> Mapping[str, Any]:
        """Refuse."""
        raise ActionError("no_model", NO_MODEL)


def open_runtime(
    config: SoniConfig, nlu: NLUProvider, clock: FrozenClock, scope: ScopeBuilder | None
) -> RuntimeLoop:
    """A runtime for one test: its state is in memory, and no model writes its texts."""
    store, generator = open_store("memory"), RefusingGenerator()
    return RuntimeLoop(config, nlu=nlu, clock=clock, store=store, scope=scope, generator=generator)


def trust_understanding(config: SoniConfig) -> SoniConfig:
    """The assistant, but a yes needs no words: what is written for a message is what it means."""
    patterns = config.conversation_patterns
    understood = patterns.confirmation.model_copy(update={"consent": "understood"})
    changed = patterns.model_copy(update={"confirmation": understood})
    return config.model_copy(update={"conversation_patterns": changed})


class ConversationTest:
    """A test of a file, ready to run."""

    def __init__(
        self,
        case: Case,
        index: int,
        config: SoniConfig,
        positions: Positions,
        *,
        nlu: Understanding,
    ) -> None:
        self.name = case.name
        self.case = case
        self._config = config
        self._nlu = nlu
        self.positions = positions
        self.path: Path = ("tests", index)

    @property
    def where(self) -> str:
        """The file and line it begins at."""
        return self.find_place()

    def find_place(self, *path: str | int) -> str:
        """The file and line of a part of it."""
        written = self.positions.find_written((*self.path, *path))
        mark = self.positions.find_mark(written, "key")
        assert mark is not None, "whatever is in a file has a place"
        return f"{mark.source.file}:{mark.source.locate(mark.start)[0]}"

    async def run(self, *, to_end: bool = False, listener: Listener | None = None) -> Result:
        """Hold the conversation; stop at the first turn that is not as expected.

        `to_end`: go on in spite of it, to see what else differs. With a `listener` every message
        goes through understanding, and that is the listener.
        """
        case, result, began = self.case, Result(self.name, self.where), perf_counter()
        stubs = dict(case.stubs)
        every = stubs | {name: None for turn in case.turns for name in turn.stubs}
        config = stub_actions(self._config, stubs, every)
        if listener is not None:
            config = trust_understanding(config)
        clock = FrozenClock(read_moment(case.now) if case.now else START)
        nlu = listener or self._open_understanding(config)
        runtime = open_runtime(config, nlu, clock, listener)
        try:
            for index, given in enumerate(case.turns):
                result.turn = index + 1 if result.passed else result.turn
                clock.forward(read_duration(given.after or "0s"))
                stubs.update(given.stubs)
                if listener is not None:
                    listener.prepare(index, given)
                    given = given.model_copy(update={"commands": None})
                await self._run_turn(given, index, runtime, clock, result)
                if result.error is not None or not (result.passed or to_end):
                    break
        finally:
            # A turn is under way only if the test was stopped, so it is dropped.
            await runtime.abort()
            close = getattr(nlu, "aclose", None)
            if close is not None:
                await close()
        result.seconds = perf_counter() - began
        return result

    def _open_understanding(self, config: SoniConfig) -> NLUProvider:
        return ScriptedNLU([]) if self._nlu == "scripted" else open_provider(config, self._nlu)

    async def _run_turn(
        self, given: TurnCase, index: int, runtime: RuntimeLoop, clock: FrozenClock, result: Result
    ) -> None:
        result.transcript.append(_format_input(given))
        try:
            turn = await self._take_turn(given, runtime)
        except SoniError as error:
            result.error = str(error)
            result.where = self.find_place("turns", index)
            return
        result.transcript.extend(Line("bot", message) for message in turn.messages)
        if given.expect.model_fields_set:
            # Steps of turns without expectations do not count as tested.
            result.steps += turn.state["turn"]["steps"]
            result.responses |= set(turn.state["turn"]["responses"])
        language = given.language or self.case.language or self._config.settings.language
        comparison = Comparison(Assistant(self._config), SlotEnv(clock.now, language))
        try:
            found = await comparison.find_mismatches(given.expect, turn)
        except SoniError as error:
            result.error = f"the expectations could not be compared: {error}"
            result.where = self.find_place("turns", index, "expect")
            return
        if found and not result.mismatches:
            result.where = self.find_place("turns", index, "expect", found[0].what)
            result.mismatches = found
        result.differing.extend((index, mismatch) for mismatch in found)

    async def _take_turn(self, given: TurnCase, runtime: RuntimeLoop) -> Turn:
        case = self.case
        context = case.context if given.context is None else given.context
        caller: dict[str, Any] = {"language": given.language or case.language, "context": context}
        if given.user is None:
            return await _call_api(given.api, case.user_id, caller, runtime)
        commands = None
        if given.commands is not None:
            registry = CommandHandlerRegistry.discover()
            named = map(read_entry, given.commands)
            commands = [registry.parse({"type": name, **(fields or {})}) for name, fields in named]
        return await runtime.turn(given.user, case.user_id, commands=commands, **caller)


async def _call_api(api: Any, user_id: str, caller: dict[str, Any], runtime: RuntimeLoop) -> Turn:
    if api == RELEASE:
        return await runtime.release(user_id, **caller)
    if PRESS in api:
        return await runtime.press(user_id, api[PRESS], **caller)
    if PUSH in api:
        return await runtime.push(user_id, api[PUSH], **caller)
    if AGENT_MESSAGE in api:
        return await runtime.agent_message(user_id, api[AGENT_MESSAGE])
    call = StartFlowCall.model_validate(api[START_FLOW])
    return await runtime.start_flow(user_id, call.flow_name, call.inputs, **caller)


def _format_input(given: TurnCase) -> Line:
    if given.user is not None:
        return Line("user", given.user)
    if given.api == RELEASE:
        return Line("api", RELEASE)
    [(name, what)] = given.api.items()
    return Line("api", f"{name} {what if isinstance(what, str) else what['flow_name']}")
