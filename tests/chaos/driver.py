"""The people of a chaos run: each sends its messages until they are answered, to any worker."""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests.chaos.assistant import write_script
from tests.chaos.worker import SLOTS, WorkerSetup, read_phases, serve

ANSWER_SECONDS = 5.0
"""A message without an answer is sent again after this time."""

MAX_TRIES = 200
_context = get_context("forkserver")
# Workers are forked from a process that has imported everything: they start in milliseconds.
_context.set_forkserver_preload(["tests.chaos.worker"])


@dataclass
class Tally:
    """What happened to the workers and the messages."""

    kills: Counter[str] = field(default_factory=Counter)
    """`kill -9` by the phase of each message that was under way."""

    killed: int = 0
    stalls: int = 0
    restarts: int = 0
    lost_connections: int = 0
    full_disks: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """What workers answered instead of a reply."""

    sent_again: int = 0


MOST_STARTS, RESTART_SECONDS = 30, 0.5


class Worker:
    """One worker process, started again whenever it died."""

    def __init__(
        self, setup: WorkerSetup, tally: Tally, answer_seconds: float = ANSWER_SECONDS
    ) -> None:
        self._setup = setup
        self._answer_seconds = answer_seconds
        self._tally = tally
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = count()
        self.stalled = False
        self._process: ForkServerProcess
        self._writer: asyncio.StreamWriter
        self._reading: asyncio.Task[None]

    async def start(self) -> None:
        """Start the process and connect to it.

        One that ends at once is started again, as whoever looks after processes does: the database
        may be just about to come back.
        """
        for _ in range(MOST_STARTS):
            self._setup.socket.unlink(missing_ok=True)
            self._setup.phases.write_bytes(bytes(SLOTS))
            self._process = _context.Process(target=serve, args=(self._setup,), daemon=True)
            await asyncio.to_thread(self._process.start)
            if (reader := await self._connect()) is not None:
                self._reading = asyncio.create_task(self._read_answers(reader))
                return
            await asyncio.sleep(RESTART_SECONDS)
        raise RuntimeError(f"worker {self._setup.socket.name} did not start")

    async def _connect(self) -> asyncio.StreamReader | None:
        while self._process.is_alive():
            try:
                reader, self._writer = await asyncio.open_unix_connection(self._setup.socket)
                return reader
            except OSError:
                await asyncio.sleep(0.02)
        return None

    async def send(self, user: str, message_id: str, text: str) -> dict[str, Any]:
        """Send a message; its answer, or `ConnectionError` if the worker died."""
        if self._reading.done():
            raise ConnectionError
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        request = {"number": number, "user": user, "id": message_id, "text": text}
        self._writer.write(json.dumps(request).encode() + b"\n")
        try:
            return await asyncio.wait_for(answer, self._answer_seconds)
        finally:
            self._waiting.pop(number, None)

    def read_phases(self) -> list[str]:
        """The phases of the messages that the worker handles."""
        return [phase for phase in read_phases(self._setup.phases) if phase != "idle"]

    async def kill(self) -> None:
        """End the process as a power cut would, note where it was, and start another."""
        self._kill_process()
        await asyncio.to_thread(self._process.join)
        self._tally.killed += 1
        self._tally.kills.update(self.read_phases() or ["idle"])
        await self._reading
        await self.start()

    async def stall(self, seconds: float) -> None:
        """Stop the process for some time, as a machine that swaps or sleeps does."""
        self.stalled = True
        self._signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._signal(signal.SIGCONT)
        self._tally.stalls += 1
        self.stalled = False

    async def stop(self) -> None:
        """End the process for good."""
        self._kill_process()
        await asyncio.to_thread(self._process.join)
        await self._reading

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def _kill_process(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    async def _read_answers(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                answer = json.loads(line)
                waiting = self._waiting.get(answer["number"])
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except (ConnectionError, ValueError):
            pass  # the end of the process, in the middle of a line or not
        finally:
            self._writer.close()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionError())


@dataclass
class Person:
    """Somebody who says the same again until it is answered."""

    name: str
    script: list[str]
    answers: dict[str, list[str]] = field(default_factory=dict)
    """What was acknowledged, by message id."""

    async def talk(self, workers: list[Worker], tally: Tally, chance: random.Random) -> None:
        """Say everything, in order."""
        for place, text in enumerate(self.script):
            message_id = f"{self.name}/{place}"
            self.answers[message_id] = await self.say(text, message_id, workers, tally, chance)

    async def say(
        self, text: str, message_id: str, workers: list[Worker], tally: Tally, chance: random.Random
    ) -> list[str]:
        for _ in range(MAX_TRIES):
            try:
                answer = await chance.choice(workers).send(self.name, message_id, text)
            except (ConnectionError, TimeoutError):
                tally.sent_again += 1
            else:
                if "replies" in answer:
                    replies: list[str] = answer["replies"]
                    return replies
                tally.errors[answer["error"]] += 1
            await asyncio.sleep(0.02 + 0.1 * chance.random())
        raise AssertionError(f"{message_id} was never answered")


def make_people(number: int, payments: int, first: int = 0) -> list[Person]:
    """People with their scripts, numbered from `first`."""
    users = range(first, first + number)
    return [Person(f"u{user}", write_script(user, payments)) for user in users]


def make_setups(
    folder: Path,
    workers: int,
    backend: str,
    url: str,
    lease_seconds: float = 30.0,
    pause: float = 0.001,
) -> list[WorkerSetup]:
    """What each worker is started with."""
    return [
        WorkerSetup(
            backend,
            url,
            lease_seconds,
            folder / f"w{number}.sock",
            folder / f"w{number}.phases",
            folder / "payments",
            pause,
        )
        for number in range(workers)
    ]
