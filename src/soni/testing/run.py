"""Running one test: a conversation of its own, on a clock and a store of its own."""

from collections.abc import Callable

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.config.positions import Positions
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.du import ScriptedNLU
from soni.persistence import open_store
from soni.runtime.loop import RuntimeLoop
from soni.runtime.turn import Turn
from soni.slots import SlotEnv
from soni.testing.case import Case, TurnCase
from soni.testing.clock import START, FrozenClock
from soni.testing.compare import Comparison
from soni.testing.fields import START_FLOW, StartFlowCall
from soni.testing.notation import read_duration, read_moment, read_named
from soni.testing.result import Line, Result
from soni.testing.stubs import with_stubs


class ConversationTest:
    """A test of a file, ready to run."""

    def __init__(
        self, case: Case, index: int, config: SoniConfig, positions: Positions, *, scripted: bool
    ) -> None:
        self.name = case.name
        self._case = case
        self._config = config
        self._scripted = scripted
        self._where: Callable[..., str] = lambda *path: _place(positions, ("tests", index, *path))

    @property
    def where(self) -> str:
        """The file and line it begins at."""
        return self._where()

    async def run(self) -> Result:
        """Hold the conversation; stop at the first turn that is not as expected."""
        case, result = self._case, Result(self.name, self.where)
        config = with_stubs(self._config, case.stubs)
        clock = FrozenClock(read_moment(case.now) if case.now else START)
        async with RuntimeLoop(
            config,
            nlu=ScriptedNLU([]) if self._scripted else None,
            clock=clock,
            store=open_store("memory"),
        ) as runtime:
            for index, given in enumerate(case.turns):
                result.turn = index + 1
                clock.forward(read_duration(given.after or "0s"))
                await self._turn(given, index, runtime, clock, result)
                if not result.passed:
                    break
        return result

    async def _turn(
        self, given: TurnCase, index: int, runtime: RuntimeLoop, clock: FrozenClock, result: Result
    ) -> None:
        result.transcript.append(_said(given))
        try:
            turn = await self._taken(given, runtime)
        except SoniError as error:
            result.error = str(error)
            result.where = self._where("turns", index)
            return
        result.transcript.extend(Line("bot", message) for message in turn.messages)
        language = self._case.language or self._config.settings.language
        comparison = Comparison(Assistant(self._config), SlotEnv(clock.now, language))
        result.mismatches = await comparison.mismatches(given.expect, turn)
        if result.mismatches:
            first = result.mismatches[0].what
            result.where = self._where("turns", index, "expect", first)

    async def _taken(self, given: TurnCase, runtime: RuntimeLoop) -> Turn:
        case = self._case
        if given.user is None:
            return await _called(given, case.user_id, runtime)
        registry = CommandHandlerRegistry.discover()
        named = map(read_named, given.commands or ())
        commands = [registry.parse({"type": name, **(fields or {})}) for name, fields in named]
        return await runtime.turn(
            given.user,
            case.user_id,
            language=case.language,
            context=case.context,
            commands=commands if given.commands is not None else None,
        )


async def _called(given: TurnCase, user_id: str, runtime: RuntimeLoop) -> Turn:
    name, fields = read_named(given.api)
    if name != START_FLOW:
        return await runtime.release(user_id)
    call = StartFlowCall.model_validate(fields)
    return await runtime.start_flow(user_id, call.flow_name, call.inputs)


def _said(given: TurnCase) -> Line:
    if given.user is not None:
        return Line("user", given.user)
    name, fields = read_named(given.api)
    return Line("api", f"{name} {(fields or {}).get('flow_name', '')}".rstrip())


def _place(positions: Positions, path: tuple[str | int, ...]) -> str:
    mark = positions.mark(positions.written(path), "key")
    assert mark is not None, "whatever is in a file has a place"
    return f"{mark.source.file}:{mark.source.place(mark.start)[0]}"
