"""Many clients at once against a server on loopback, beside a bare FastAPI route.

Each of 200 clients holds a conversation for 30 seconds and checks that its own values come back:
SQLite with one worker, PostgreSQL with two, with offline understanding and with scripted. Beside
each of them stands a route without Soni that writes one row through the same driver. Then a
thousand WebSockets are opened that say nothing.

    python -m benchmarks.load [--clients 200] [--seconds 30] [--sockets 1000] [--store sqlite]
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VARIABLE = "SONI_LOAD"
ASSISTANT = """
slots:
  count: {type: integer, prompt: How many?}
flows:
  order:
    description: Order tickets for a concert
    trigger: {examples: [order tickets, I want tickets, get me tickets for a concert]}
    steps:
      - collect: count
      - say: "Ordered {count} tickets."
"""
SENTENCE = {"offline": "could you get me some tickets", "scripted": "order"}
MANY = 10**9
IDLE_SECONDS = 8


@dataclass
class Setup:
    """What a server is to be."""

    kind: str
    """`offline`, `scripted` or `bare`."""

    store: str
    url: str
    folder: str


# The servers: processes of their own, started as `soni serve` starts its workers.


def make_app() -> Any:
    """The app of one worker."""
    setup = Setup(**json.loads(os.environ[VARIABLE]))
    return make_bare_app(setup) if setup.kind == "bare" else make_soni_app(setup)


def make_soni_app(setup: Setup) -> Any:
    """An assistant that lets everybody talk as much as they like."""
    from soni import RuntimeLoop, SoniConfig
    from soni.commands import SetSlot, StartFlow
    from soni.core.access_key import Role
    from soni.du.context import NLUOutput
    from soni.server import ServerOptions, create_app

    class Scripted:
        async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
            if context.waiting_for_slot is None:
                return NLUOutput(commands=(StartFlow(flow_name="order"),))
            asked = context.waiting_for_slot
            return NLUOutput(commands=(SetSlot(slot_name=asked, value=user_message),))

    config = SoniConfig.load(setup.folder)
    runtime = RuntimeLoop(config, nlu=Scripted()) if setup.kind == "scripted" else None
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    return create_app(config, runtime=runtime, options=options)


def make_bare_app(setup: Setup) -> Any:
    """A route that writes one row, by the driver that the store uses."""
    from fastapi import FastAPI

    keep = _keep_in_sqlite if setup.store == "sqlite" else _keep_in_postgres

    @asynccontextmanager
    async def open_store(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        from soni.config.server_settings import Server
        from soni.server.sockets import STATE_KEY, SocketGuard

        limits = {"sockets": MANY, "sockets_per_address": MANY}
        async with keep(setup.url) as write:
            app.state.write = write
            yield {STATE_KEY: SocketGuard(Server.model_validate({"limits": limits}))}

    app = FastAPI(lifespan=open_store)

    @app.post("/write")
    async def write(body: dict[str, Any]) -> dict[str, Any]:
        await app.state.write(json.dumps(body))
        return body

    return app


@asynccontextmanager
async def _keep_in_sqlite(url: str) -> AsyncIterator[Any]:
    import sqlite3
    from concurrent.futures import ThreadPoolExecutor

    worker = ThreadPoolExecutor(1)
    loop = asyncio.get_running_loop()

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{url}.bare", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS bare (body TEXT)")
        return connection

    connection = await loop.run_in_executor(worker, connect)

    async def write(body: str) -> None:
        query = "INSERT INTO bare VALUES (?)"
        await loop.run_in_executor(worker, lambda: connection.execute(query, (body,)))

    yield write
    worker.shutdown()


@asynccontextmanager
async def _keep_in_postgres(url: str) -> AsyncIterator[Any]:
    from psycopg_pool import AsyncConnectionPool

    address = url.partition("&schema=")[0]
    async with AsyncConnectionPool(address, min_size=4, max_size=10, open=False) as pool:
        async with pool.connection() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(1)")
            await connection.execute("CREATE TABLE IF NOT EXISTS bare (body text)")

        async def write(body: str) -> None:
            async with pool.connection() as connection:
                await connection.execute("INSERT INTO bare VALUES (%s)", (body,))

        yield write


def run_server(port: int, workers: int) -> None:
    """Serve with what `soni serve` gives uvicorn."""
    import uvicorn

    from soni.config.server_settings import Server
    from soni.server.process import make_uvicorn_options

    uvicorn.run(
        "benchmarks.load:make_app",
        factory=True,
        port=port,
        workers=workers,
        log_config=None,
        **make_uvicorn_options(Server()),
    )


@contextmanager
def serve(setup: Setup, workers: int) -> Iterator[tuple[int, int]]:
    """A server in processes of its own: its port, and the id of the first process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {**os.environ, VARIABLE: json.dumps(setup.__dict__), "PYTHONPATH": f"{ROOT}/src"}
    command = [sys.executable, "-m", "benchmarks.load", "--serve", str(port), str(workers)]
    process = subprocess.Popen(command, env=environment, cwd=ROOT)
    try:
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


# The clients: HTTP written by hand, because a library would cost more than the server.


class Client:
    """One connection that sends JSON and reads JSON."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._headers = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def use_token(self, token: str) -> None:
        self._headers = f"Authorization: Bearer {token}\r\n"

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"{self._headers}Content-Length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(
            line.lower().split(": ", 1) for line in answer.split("\r\n")[1:] if ": " in line
        )
        read = await reader.readexactly(int(fields.get("content-length", 0)))
        return int(answer.split(" ", 2)[1]), json.loads(read) if read else None

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


@dataclass
class Tally:
    """What the clients of one run have seen."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    took: float = 0.0

    def describe(self) -> str:
        cuts = [1000 * cut for cut in statistics.quantiles(self.seconds, n=100)]
        return (
            f"{len(self.seconds):7,} | {len(self.seconds) / self.took:6.0f} | {cuts[49]:7.0f} | "
            f"{cuts[94]:7.0f} | {cuts[98]:7.0f} | {len(self.wrong):5}"
        )


async def talk(port: int, number: int, kind: str, deadline: float, tally: Tally) -> None:
    """Hold a conversation, and note every answer that is not one's own."""
    client = Client(port)
    status, opened = await client.post("/api/conversations", {})
    if status != 201:
        tally.wrong.append(f"client {number}: {status} {opened}")
        return
    client.use_token(opened["token"])
    path = f"/api/conversations/{opened['id']}/messages"
    turn = 0
    while time.perf_counter() < deadline:
        count = number * 10_000 + turn
        for text, expected in (
            (SENTENCE[kind], "How many?"),
            (str(count), f"Ordered {count} tickets."),
        ):
            turn += 1
            started = time.perf_counter()
            status, answer = await client.post(path, {"text": text, "message_id": f"m-{turn}"})
            tally.seconds.append(time.perf_counter() - started)
            said = [reply["text"] for reply in answer.get("replies", [])]
            if status != 200 or said != [expected] or answer["turn"] != turn:
                tally.wrong.append(f"client {number}, turn {turn}: {status} {answer}")
                return
    await client.close()


async def write_rows(port: int, number: int, kind: str, deadline: float, tally: Tally) -> None:
    """Let the bare route write rows."""
    client, row = Client(port), 0
    while time.perf_counter() < deadline:
        row += 1
        started = time.perf_counter()
        status, answer = await client.post("/write", {"client": number, "row": row})
        tally.seconds.append(time.perf_counter() - started)
        if status != 200 or answer != {"client": number, "row": row}:
            tally.wrong.append(f"client {number}, row {row}: {status} {answer}")
            return
    await client.close()


async def measure(setup: Setup, workers: int, clients: int, seconds: float) -> Tally:
    """All clients at once against one server."""
    work = write_rows if setup.kind == "bare" else talk
    tally = Tally()
    with serve(setup, workers) as (port, _):
        await wait_until_ready(port)
        started = time.perf_counter()
        deadline = started + seconds
        await asyncio.gather(
            *(work(port, number, setup.kind, deadline, tally) for number in range(clients))
        )
        tally.took = time.perf_counter() - started
    return tally


async def wait_until_ready(port: int) -> None:
    """Return when a worker answers; models are loaded before that."""
    client = Client(port)
    async with asyncio.timeout(120):
        while True:
            try:
                await client.post("/readyz", {})
            except OSError:
                await asyncio.sleep(0.1)
            else:
                await client.close()
                return


async def hold_sockets(setup: Setup, count: int) -> str:
    """Open WebSockets that say nothing; what they cost the server in memory."""
    with serve(setup, 1) as (port, process):
        await wait_until_ready(port)
        client = Client(port)
        _, opened = await client.post("/api/conversations", {})
        client.use_token(opened["token"])
        await client.post(f"/api/conversations/{opened['id']}/messages", {"text": "order"})
        before = read_memory(process)
        writers = [await open_socket(port, opened) for _ in range(count)]
        await asyncio.sleep(2)
        grown, spent = read_memory(process) - before, read_cpu(process)
        await asyncio.sleep(IDLE_SECONDS)
        share = (read_cpu(process) - spent) / IDLE_SECONDS
        for writer in writers:
            writer.close()
    return (
        f"{count:,} idle WebSockets: {grown / 1e6:.0f} MB more, {grown / count / 1e3:.0f} kB each, "
        f"{share:.0%} of a core"
    )


async def open_socket(port: int, opened: dict[str, Any]) -> asyncio.StreamWriter:
    """A WebSocket as a browser opens it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /api/conversations/{opened['id']}/ws HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {opened['token']}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return writer


def read_memory(process: int) -> int:
    """The bytes of memory that a process uses."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def read_cpu(process: int) -> float:
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def write_assistant(folder: Path, store: str, url: str) -> None:
    """The assistant of a run, with a store of its own and without limits on clients."""
    limits = {
        "sockets": MANY,
        "sockets_per_address": MANY,
        "connections": MANY,
        "connections_per_subject": MANY,
        "requests_per_minute": MANY,
        "requests_per_minute_by_address": MANY,
        "waiting_turns": MANY,
    }
    settings = {"persistence": {"backend": store, "url": url}, "server": {"limits": limits}}
    (folder / "soni.yaml").write_text(f"settings: {json.dumps(settings)}\n{ASSISTANT}")


@contextmanager
def open_database(store: str, folder: Path) -> Iterator[str]:
    """The address of a store that is gone afterwards."""
    if store == "sqlite":
        yield str(folder / "talks.db")
        return
    from tests.postgres_server import PostgresServer

    server = PostgresServer()
    server.start()
    try:
        yield f"{server.url}&schema=load"
    finally:
        server.stop()
        server.remove()


def main() -> int:
    """Measure each store with each understanding; 1 if any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--store", choices=["sqlite", "postgres"], action="append")
    parser.add_argument("--serve", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        run_server(*given.serve)
        return 0
    wrong: list[str] = []
    print(f"{given.clients} clients, {given.seconds:.0f} s each, {os.cpu_count()} cores")
    print("store, workers | what     |   turns |    /s |  p50 ms |  p95 ms |  p99 ms | wrong")
    for store in given.store or ["sqlite", "postgres"]:
        workers = 1 if store == "sqlite" else 2
        with tempfile.TemporaryDirectory(prefix="soni-load-") as made:
            folder = Path(made)
            with open_database(store, folder) as url:
                write_assistant(folder, store, url)
                for kind in ("bare", "scripted", "offline"):
                    setup = Setup(kind, store, url, str(folder))
                    tally = asyncio.run(measure(setup, workers, given.clients, given.seconds))
                    print(f"{store:>11}, {workers} | {kind:<8} | {tally.describe()}", flush=True)
                    wrong += tally.wrong
                if store == "sqlite" and given.sockets:
                    idle = Setup("scripted", store, url, str(folder))
                    print(asyncio.run(hold_sockets(idle, given.sockets)), flush=True)
    for each in wrong[:20]:
        print(f"WRONG: {each}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
