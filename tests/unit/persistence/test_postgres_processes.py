"""One schema, several processes: nothing is lost, nobody waits for the dead or the stalled."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import soni.persistence
from soni.persistence.journal import verify_chain
from soni.persistence.postgres.store import PostgresStore
from tests.unit.persistence.database import query
from tests.unit.persistence.turns import put, value_of

ROOT = Path(soni.persistence.__file__).parents[3]
PRELUDE = """
import asyncio, sys
from soni.core.storage_errors import FencedError
from soni.persistence.postgres.store import PostgresStore
from tests.unit.persistence.turns import put, value_of

def say(text):
    print(text, flush=True)
"""


def script(body: str) -> str:
    inside = textwrap.indent(textwrap.dedent(body), "    ")
    return (
        f"{PRELUDE}\nasync def main(store):\n{inside}\n"
        "\nasync def run():\n"
        "    async with PostgresStore(sys.argv[1], lease_seconds=float(sys.argv[2])) as store:\n"
        "        await main(store)\n"
        "asyncio.run(run())\n"
    )


@contextmanager
def process(url: str, body: str, lease: float = 3600) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen(
        [sys.executable, "-c", script(body), url, str(lease)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
    )
    with started:
        try:
            yield started
        finally:
            started.kill()


async def line_of(started: "subprocess.Popen[str]") -> str:
    """What it said next, log entries aside."""
    assert started.stdout is not None
    while "[warning" in (line := await asyncio.to_thread(started.stdout.readline)):
        pass
    return line.strip()


async def test_processes_that_change_one_conversation_lose_nothing(postgres_url: str) -> None:
    body = """
        for _ in range(15):
            async with store.conversation("ann"):
                n = await value_of(store) or 0
                await asyncio.sleep(0.001)
                await put(store, n + 1)
    """
    # They also create the schema at the same time.
    with (
        process(postgres_url, body) as one,
        process(postgres_url, body) as two,
        process(postgres_url, body) as three,
    ):
        assert [started.wait(120) for started in (one, two, three)] == [0, 0, 0]
    async with PostgresStore(postgres_url) as store:
        assert await value_of(store) == 45
        entries = await store.journal.entries("ann")
        assert [entry.data["n"] for entry in entries] == list(range(1, 46))
        verify_chain(entries)
    assert query(postgres_url, "SELECT count(*) FROM checkpoints") == [(1,)]
    assert query(postgres_url, "SELECT token, last_seq FROM conversations") == [(45, 45)]


@pytest.mark.parametrize("waits", [False, True], ids=["held", "held after waiting"])
async def test_a_killed_process_does_not_keep_its_conversation(
    postgres_url: str, waits: bool
) -> None:
    # The lease would last an hour.
    body = """
        say("asks")
        async with store.conversation("ann"):
            say("held")
            await asyncio.sleep(3600)
    """
    async with PostgresStore(postgres_url, lease_seconds=3600) as store:
        own = store.conversation("ann")
        if waits:
            await own.__aenter__()
        with process(postgres_url, body) as other:
            assert await line_of(other) == "asks"
            if waits:
                await asyncio.sleep(0.3)
                await own.__aexit__(None, None, None)
            assert await line_of(other) == "held"
            other.kill()
            other.wait(20)
            async with asyncio.timeout(20), store.conversation("ann"):
                await put(store, 1)
        assert await value_of(store) == 1


async def test_a_stalled_process_loses_its_conversation_and_cannot_write_any_more(
    postgres_url: str,
) -> None:
    body = """
        async with store.conversation("ann"):
            await store.ledger.begin("k", "d", "ann")
            say("held")
            await asyncio.to_thread(sys.stdin.readline)
            try:
                await put(store, "late")
            except FencedError as error:
                say("fenced")
    """
    with process(postgres_url, body, lease=1.0) as other:
        assert await line_of(other) == "held"
        async with PostgresStore(postgres_url) as store:
            waiting = asyncio.create_task(hold(store))
            other.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(20):
                await waiting
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()
            other.send_signal(signal.SIGCONT)
            assert await line_of(other) == "fenced"
            assert await value_of(store) == "new"
            assert len(await store.journal.entries("ann")) == 1


async def hold(store: PostgresStore) -> None:
    async with store.conversation("ann"):
        await put(store, "new")


async def test_one_that_is_killed_while_it_waits_does_not_hold_up_the_queue(
    postgres_url: str,
) -> None:
    body = """
        say("asks")
        async with store.conversation("ann"):
            say("held")
    """
    async with PostgresStore(postgres_url) as store:
        async with store.conversation("ann"):
            with process(postgres_url, body) as other:
                assert await line_of(other) == "asks"
                await asyncio.sleep(0.3)
                other.kill()
                other.wait(20)
        async with asyncio.timeout(20), store.conversation("ann"):
            await put(store, 1)
