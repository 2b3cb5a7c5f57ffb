"""One file, several processes: nothing is lost, nobody waits for the dead."""

import asyncio
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import soni.persistence
from soni.core.storage import Effect
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore
from tests.unit.persistence.turns import put, sql, value_of

SOURCE = Path(soni.persistence.__file__).parents[2]
PRELUDE = """
import asyncio, os, sys
from langgraph.checkpoint.base import empty_checkpoint
from soni.core.storage import StagedCheckpoint, StagedTurn, TurnEntry
from soni.persistence.sqlite import SqliteStore

ANN = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}

async def value(store):
    found = await store.checkpointer.aget_tuple(ANN)
    return found.checkpoint["channel_values"]["n"] if found else 0

async def put(store, n):
    checkpoint = {**empty_checkpoint(), "channel_values": {"n": n}}
    staged = StagedTurn("ann", (StagedCheckpoint("", ANN, checkpoint, {"step": n}, {}),))
    await store.commit(staged, TurnEntry(n, 0.0, {"n": n}))

def say(text):
    print(text, flush=True)
"""


def script(body: str) -> str:
    return (
        f"{PRELUDE}\nasync def main(store):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        + (
            "\nasync def run():\n"
            "    async with SqliteStore(sys.argv[1], lease_term=3600) as store:\n"
            "        await main(store)\n"
            "asyncio.run(run())\n"
        )
    )


@contextmanager
def process(path: Path, body: str) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen(
        [sys.executable, "-c", script(body), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    with started:
        try:
            yield started
        finally:
            started.kill()


def line_of(started: "subprocess.Popen[str]") -> str:
    assert started.stdout is not None
    return started.stdout.readline().strip()


async def test_processes_that_change_one_conversation_lose_nothing(path: Path) -> None:
    body = """
        for _ in range(15):
            async with store.conversation("ann"):
                n = await value(store)
                await asyncio.sleep(0.001)
                await put(store, n + 1)
    """
    # They also create the file at the same time.
    with process(path, body) as one, process(path, body) as two, process(path, body) as three:
        assert [started.wait(120) for started in (one, two, three)] == [0, 0, 0]
    async with SqliteStore(path) as store:
        assert await value_of(store) == 45
        entries = await store.journal.entries("ann")
        assert [entry.data["n"] for entry in entries] == list(range(1, 46))
        verify_chain(entries)
    assert sql(path, "SELECT count(*) FROM checkpoints") == [(1,)]
    assert sql(path, "SELECT owner FROM conversations") == [(None,)]


async def test_a_conversation_held_by_another_process_is_waited_for(path: Path) -> None:
    body = """
        async with store.conversation("ann"):
            say("held")
            await asyncio.to_thread(sys.stdin.readline)
            await put(store, 7)
    """
    with process(path, body) as other:
        assert line_of(other) == "held"
        async with SqliteStore(path) as store:
            async with asyncio.timeout(20), store.conversation("bob"):
                pass
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2), store.conversation("ann"):
                    raise AssertionError
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()
            async with asyncio.timeout(60), store.conversation("ann"):
                assert await value_of(store) == 7
        other.wait(60)


async def test_a_killed_process_does_not_keep_its_conversation(path: Path) -> None:
    # The lease would last an hour.
    body = """
        async with store.conversation("ann"):
            say("held")
            await asyncio.sleep(3600)
    """
    with process(path, body) as other:
        assert line_of(other) == "held"
        other.kill()
        other.wait(20)
        async with SqliteStore(path, lease_term=3600) as store:
            async with asyncio.timeout(20), store.conversation("ann"):
                await put(store, 1)
            assert await value_of(store) == 1


async def test_what_was_acknowledged_survives_the_death_of_its_process(path: Path) -> None:
    body = """
        async with store.conversation("ann"):
            await put(store, 5)
            await store.ledger.begin("k", "d", "ann")
            await store.ledger.finish("k", "d", "ann", {"paid": 1})
            say("stored")
            await asyncio.sleep(3600)
    """
    with process(path, body) as other:
        assert line_of(other) == "stored"
        other.kill()
        other.wait(20)
    async with SqliteStore(path) as store:
        assert await value_of(store) == 5
        async with store.conversation("ann"):
            known = await store.ledger.begin("k", "d", "ann")
    assert known == Effect("k", "d", "finished", {"paid": 1})


async def test_another_process_sees_what_this_one_stored(path: Path) -> None:
    async with SqliteStore(path) as store:
        async with store.conversation("ann"):
            await put(store, 3)
        with process(path, "say(await value(store))") as other:
            assert line_of(other) == "3"
