"""A process that serves conversations on a socket, and notes in which phase each of them is."""

import asyncio
import json
import mmap
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soni import RuntimeLoop, SoniError, TurnError
from soni.core.storage import Lease, Store
from soni.persistence import open_store
from tests.chaos.assistant import Understanding, make_assistant

PHASES = (
    "idle", "receive", "lock", "load", "understand", "begin", "act", "finish", "commit", "reply",
)  # fmt: skip
SLOTS = 8
"""How many messages a worker handles at once; further ones wait before anything is done."""

_slot: ContextVar[int] = ContextVar("slot")


@dataclass(frozen=True)
class WorkerSetup:
    """What a worker is started with."""

    backend: str
    url: str
    lease_seconds: float
    socket: Path
    phases: Path
    payments: Path
    pause: float = 0.001
    """Seconds that a message stays in phases that are over at once, so that a kill can hit them."""


class PhaseBoard:
    """One byte per message under way, which the driver can read when the worker is dead."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._bytes = mmap.mmap(file.fileno(), SLOTS)

    def note(self, phase: str) -> None:
        """Note the phase of the current message."""
        if (slot := _slot.get(None)) is not None:
            self._bytes[slot] = PHASES.index(phase)


def read_phases(path: Path) -> list[str]:
    """The phases in which the messages of a worker are, or were when it died."""
    return [PHASES[each] for each in path.read_bytes()]


def serve(setup: WorkerSetup) -> None:
    """Serve until the process is ended."""
    asyncio.run(_serve(setup))


async def _serve(setup: WorkerSetup) -> None:
    board = PhaseBoard(setup.phases)
    store = open_store(setup.backend, setup.url, lease_seconds=setup.lease_seconds)
    _watch_phases(store, board)
    config = make_assistant(setup.payments)
    nlu = WatchedUnderstanding(board, setup.pause)
    async with RuntimeLoop(config, store=store, nlu=nlu) as runtime:
        worker = _Worker(runtime, board, setup.pause)
        server = await asyncio.start_unix_server(worker.serve_client, setup.socket)
        await server.serve_forever()


class WatchedUnderstanding(Understanding):
    """Notes when it is asked."""

    def __init__(self, board: PhaseBoard, pause: float) -> None:
        self._board = board
        self._pause = pause

    async def understand(self, *args: Any, **given: Any) -> Any:
        self._board.note("understand")
        await asyncio.sleep(self._pause)
        return await super().understand(*args, **given)


class _Worker:
    def __init__(self, runtime: RuntimeLoop, board: PhaseBoard, pause: float) -> None:
        self._runtime = runtime
        self._board = board
        self._pause = pause
        self._free = asyncio.Queue[int]()
        self._tasks = set[asyncio.Task[None]]()
        for slot in range(SLOTS):
            self._free.put_nowait(slot)

    async def serve_client(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while line := await reader.readline():
            task = asyncio.create_task(self._answer(json.loads(line), writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        slot = await self._free.get()
        _slot.set(slot)
        try:
            answer: dict[str, Any] = await self._handle(request)
            self._board.note("reply")
            await asyncio.sleep(self._pause)
            writer.write(json.dumps({"number": request["number"], **answer}).encode() + b"\n")
        finally:
            self._board.note("idle")
            self._free.put_nowait(slot)

    async def _handle(self, request: dict[str, Any]) -> dict[str, Any]:
        user, message_id = request["user"], request["id"]
        try:
            turn = await self._runtime.turn(request["text"], user, message_id=message_id)
        except SoniError as error:
            cause = error.__cause__ if isinstance(error, TurnError) else error
            return {"error": type(cause).__name__}
        return {"replies": turn.messages, "turn": turn.number}


def _watch_phases(store: Store, board: PhaseBoard) -> None:
    """Note the phase before each operation of the store."""
    watched: tuple[tuple[Any, str, str], ...] = (
        (store.inbox, "receive", "receive"),
        (store.ledger, "begin", "begin"),
        (store.ledger, "finish", "finish"),
        (store, "commit", "commit"),
    )
    for part, name, phase in watched:
        setattr(part, name, _note_before(getattr(part, name), phase, board))
    hold = store.conversation

    @asynccontextmanager
    async def conversation(conversation_id: str, *, wait: bool = True) -> AsyncIterator[Lease]:
        board.note("lock")
        async with hold(conversation_id, wait=wait) as lease:
            board.note("load")
            yield lease

    store.conversation = conversation  # type: ignore[method-assign]


def _note_before(
    operation: Callable[..., Awaitable[Any]], phase: str, board: PhaseBoard
) -> Callable[..., Awaitable[Any]]:
    async def run(*args: Any, **given: Any) -> Any:
        board.note(phase)
        result = await operation(*args, **given)
        if phase == "begin":
            board.note("act")
        return result

    return run
