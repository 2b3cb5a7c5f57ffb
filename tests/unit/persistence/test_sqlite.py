"""One file, several processes: nothing is lost, nobody waits for the dead."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from structlog.testing import capture_logs

import soni.persistence
from soni.core.storage import (
    Effect,
    JournalError,
    LockError,
    StagedCheckpoint,
    StagedTurn,
    StagedWrites,
    StorageError,
)
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore

SOURCE = Path(soni.persistence.__file__).parents[2]

PRELUDE = """
import asyncio, os, sys
from langgraph.checkpoint.base import empty_checkpoint
from soni.core.storage import StagedCheckpoint, StagedTurn
from soni.persistence.sqlite import SqliteStore

ANN = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}

async def value(store):
    found = await store.checkpointer.aget_tuple(ANN)
    return found.checkpoint["channel_values"]["n"] if found else 0

async def put(store, n):
    checkpoint = {**empty_checkpoint(), "channel_values": {"n": n}}
    staged = StagedTurn("ann", (StagedCheckpoint("", ANN, checkpoint, {"step": n}, {}),))
    await store.commit(staged, turn=n, message_id=None, at=0.0, data={"n": n})

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


def staged(value: Any, conversation_id: str = "ann", *pending: StagedWrites) -> StagedTurn:
    place = {"thread_id": conversation_id, "checkpoint_ns": ""}
    checkpoint = {**empty_checkpoint(), "channel_values": {"n": value}}
    part = StagedCheckpoint("", {"configurable": place}, checkpoint, {}, {}, pending=pending)
    return StagedTurn(conversation_id, (part,))


async def put(store: SqliteStore, value: Any, conversation_id: str = "ann") -> None:
    await store.commit(
        staged(value, conversation_id), turn=1, message_id=None, at=0.0, data={"n": value}
    )


async def value_of(store: SqliteStore, conversation_id: str = "ann") -> Any:
    config: Any = {"configurable": {"thread_id": conversation_id, "checkpoint_ns": ""}}
    found = await store.checkpointer.aget_tuple(config)
    return found.checkpoint["channel_values"]["n"] if found else None


def sql(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".soni" / "conversations.db"


# Processes


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
    assert sql(path, "SELECT count(*) FROM leases") == [(0,)]


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
            await store.ledger.finish("k", "d", {"paid": 1})
            say("stored")
            await asyncio.sleep(3600)
    """
    with process(path, body) as other:
        assert line_of(other) == "stored"
        other.kill()
        other.wait(20)
    async with SqliteStore(path) as store:
        assert await value_of(store) == 5
        assert await store.ledger.begin("k", "d", "ann") == Effect(
            "k", "d", "finished", {"paid": 1}
        )


async def test_another_process_sees_what_this_one_stored(path: Path) -> None:
    async with SqliteStore(path) as store:
        async with store.conversation("ann"):
            await put(store, 3)
        with process(path, "say(await value(store))") as other:
            assert line_of(other) == "3"


# Leases


async def test_one_that_lost_its_conversation_cannot_overwrite_the_new_owners_turn(
    path: Path,
) -> None:
    async with SqliteStore(path) as slow, SqliteStore(path) as quick:
        async with slow.conversation("ann"):
            sql(path, "UPDATE leases SET expires_at = 0")
            async with asyncio.timeout(20), quick.conversation("ann"):
                with pytest.raises(LockError, match="'ann' was taken over by another process"):
                    await put(slow, "late")
                with pytest.raises(LockError, match="taken over"):
                    await slow.forget("ann", turn=1, at=0.0)
                await put(quick, "new")
            with pytest.raises(LockError, match="taken over"):
                await put(slow, "late")
        assert await value_of(slow) == "new"
        assert len(await slow.journal.entries("ann")) == 1


async def test_to_end_a_lost_conversation_does_not_free_it_for_others(path: Path) -> None:
    async with SqliteStore(path) as slow, SqliteStore(path) as quick:
        async with slow.conversation("ann"):
            sql(path, "UPDATE leases SET expires_at = 0")
            taken = quick.conversation("ann")
            await taken.__aenter__()
        await slow.journal.conversations()  # comes after all that `slow` still has to do
        await put(quick, "mine")
        await taken.__aexit__(None, None, None)
        assert await value_of(quick) == "mine"


async def test_a_conversation_is_kept_for_as_long_as_it_is_held(path: Path) -> None:
    async with SqliteStore(path, lease_term=0.3) as store, store.conversation("ann"):
        (first,) = sql(path, "SELECT expires_at FROM leases")
        async with asyncio.timeout(30):
            while sql(path, "SELECT expires_at FROM leases") == [first]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await put(store, 1)
        assert await value_of(store) == 1


async def test_an_owner_on_another_machine_is_believed_until_its_time_is_over(path: Path) -> None:
    async with SqliteStore(path) as store:
        sql(path, "INSERT INTO leases VALUES ('ann', 'x', 'elsewhere', 999999999, 9e12)")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), store.conversation("ann"):
                raise AssertionError
        sql(path, "UPDATE leases SET expires_at = 1")
        async with asyncio.timeout(20), store.conversation("ann"):
            pass


async def test_two_stores_of_one_process_exclude_each_other(path: Path) -> None:
    async with SqliteStore(path) as one, SqliteStore(path) as two:
        async with one.conversation("ann"):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2), two.conversation("ann"):
                    raise AssertionError
        async with asyncio.timeout(20), two.conversation("ann"):
            pass


# The file


async def test_the_file_and_its_folder_are_for_their_owner_only(path: Path) -> None:
    async with SqliteStore(path) as store:
        async with store.conversation("ann"):
            await put(store, 1)
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert set(modes.values()) == {0o600}
        assert path.name in modes


async def test_the_file_grows_by_the_journal_only(path: Path) -> None:
    async def turns(count: int) -> int:
        async with SqliteStore(path) as store:
            for _ in range(count):
                async with store.conversation("ann"):
                    await put(store, 1)
        return path.stat().st_size

    before = await turns(20)
    # An entry takes about 300 bytes, a checkpoint with its indexes would take more than that.
    assert await turns(100) - before <= 100 * 400
    assert sql(path, "SELECT count(*) FROM checkpoints") == [(1,)]
    assert sql(path, "SELECT count(*) FROM writes") == [(0,)]


async def test_a_forgotten_conversation_is_gone_from_the_file(path: Path) -> None:
    async with SqliteStore(path) as store, store.conversation("ann"):
        secret = staged("open sesame " * 400)
        await store.commit(secret, turn=1, message_id=None, at=0.0, data={})
    assert b"sesame" in path.read_bytes()
    async with SqliteStore(path) as store, store.conversation("ann"):
        await store.forget("ann", turn=2, at=0.0)
    assert b"sesame" not in path.read_bytes()


async def test_a_file_that_fails_is_reported_and_ends_no_turn(path: Path) -> None:
    with capture_logs() as logs:
        async with SqliteStore(path, lease_term=0.1) as store, store.conversation("ann"):
            sql(path, "ALTER TABLE leases RENAME TO gone")
            async with asyncio.timeout(30):
                while len(logs) < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
    assert [log["event"] for log in logs[:2]] == ["leases_not_renewed"] * 2
    assert logs[-1]["event"] == "lease_not_released"
    assert str(path) in logs[-1]["reason"]


async def test_a_file_that_is_no_database_is_named_with_a_remedy(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"these are my notes, not a database\n" * 200)
    with pytest.raises(StorageError) as refused:
        await SqliteStore(path).open()
    assert str(refused.value).startswith(f"{path}: file is not a database.")
    assert "settings.persistence.url" in str(refused.value)
    assert path.read_bytes().startswith(b"these are my notes")


async def test_a_damaged_database_is_named_with_a_remedy(path: Path) -> None:
    async with SqliteStore(path) as store:
        for number in range(50):
            async with store.conversation("ann"):
                await put(store, "x" * 5000 + str(number))
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StorageError, match="backup"):
        async with SqliteStore(path) as store:
            await value_of(store)


async def test_a_store_that_cannot_be_opened_lets_go_of_the_file(path: Path) -> None:
    async with SqliteStore(path):
        pass
    sql(path, "DROP TABLE checkpoints")
    sql(path, "CREATE INDEX checkpoints ON journal (turn)")
    store = SqliteStore(path)
    with pytest.raises(StorageError, match="already an index named checkpoints"):
        await store.open()
    with pytest.raises(StorageError, match="not open"):
        await store.journal.conversations()


async def test_a_file_that_another_program_keeps_is_named_with_a_remedy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.persistence.sqlite.file.BUSY_SECONDS", 0.05)
    async with SqliteStore(path) as store, store.conversation("ann"):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match=r"locked\. Another program keeps the file"):
                await put(store, 1)
        await put(store, 2)
        assert await value_of(store) == 2


async def test_a_folder_that_cannot_be_made_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    path = tmp_path / "taken" / "conversations.db"
    with pytest.raises(StorageError) as refused:
        await SqliteStore(path).open()
    assert str(path) in str(refused.value)
    assert "Give write access" in str(refused.value)


async def test_a_file_of_a_newer_soni_is_left_alone(path: Path) -> None:
    async with SqliteStore(path):
        pass
    sql(path, "PRAGMA user_version = 99")
    with pytest.raises(StorageError, match=r"newer Soni \(format 99"):
        await SqliteStore(path).open()


async def test_a_store_that_is_not_open_says_so(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StorageError, match="not open"):
        await store.journal.conversations()
    with pytest.raises(StorageError, match="not open"):
        await value_of(store)
    await store.close()
    await store.open()
    assert await store.journal.conversations() == []
    await store.close()
    with pytest.raises(StorageError, match="not open"):
        await store.journal.conversations()
    assert not path.with_name("conversations.db-wal").exists()


async def test_a_write_that_the_file_refuses_is_undone_as_a_whole(path: Path) -> None:
    async with SqliteStore(path) as store:
        async with store.conversation("ann"):
            await put(store, 1)
            sql(
                path,
                "CREATE TRIGGER full BEFORE INSERT ON journal "
                "BEGIN SELECT RAISE(ABORT, 'no room'); END",
            )
            with pytest.raises(StorageError, match="no room"):
                await put(store, 2)
            assert await value_of(store) == 1
            sql(path, "DROP TRIGGER full")
            await put(store, 3)
        assert await value_of(store) == 3


async def test_a_changed_journal_is_noticed(path: Path) -> None:
    async with SqliteStore(path) as store:
        for number in range(1, 4):
            async with store.conversation("ann"):
                await put(store, number)
        verify_chain(await store.journal.entries("ann"))
        sql(path, "UPDATE journal SET data = '{\"n\":9}' WHERE seq = 2")
        with pytest.raises(JournalError, match="entry 2"):
            verify_chain(await store.journal.entries("ann"))
        sql(path, "UPDATE journal SET data = 'x' WHERE seq = 2")
        with pytest.raises(JournalError, match="entry 2: it was changed, it is no longer JSON"):
            await store.journal.entries("ann")


async def test_a_hostile_checkpoint_is_refused_and_the_conversation_can_be_reset(
    path: Path,
) -> None:
    async with SqliteStore(path) as store:
        async with store.conversation("ann"):
            await put(store, 1)
        sql(path, "UPDATE checkpoints SET type = 'pickle', checkpoint = x'80049500'")
        with pytest.raises(StorageError, match="refused"):
            await value_of(store)
        async with store.conversation("ann"):
            await store.forget("ann", turn=2, at=0.0)
            await put(store, 2)
        assert await value_of(store) == 2


async def test_a_pending_question_is_stored_and_goes_with_its_checkpoint(path: Path) -> None:
    async with SqliteStore(path) as store:
        config: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}
        async with store.conversation("ann"):
            waiting = staged(1, "ann", StagedWrites("t", "", [("__interrupt__", ["Name?"])]))
            await store.commit(waiting, turn=1, message_id=None, at=0.0, data={})
            found = await store.checkpointer.aget_tuple(config)
            assert found is not None
            assert found.pending_writes == [("t", "__interrupt__", ["Name?"])]
            await put(store, 2)
        assert sql(path, "SELECT count(*) FROM writes") == [(0,)]


async def test_the_checkpointer_works_on_its_own_as_any_saver(path: Path) -> None:
    async with SqliteStore(path) as store:
        place: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}
        checkpoint: Any = {**empty_checkpoint(), "channel_values": {"n": 4}}
        stored: Any = await store.checkpointer.aput(place, checkpoint, {"step": 1}, {})
        await store.checkpointer.aput_writes(stored, [("n", 5)], "task")
        (found,) = [each async for each in store.checkpointer.alist(place)]
        assert found.pending_writes == [("task", "n", 5)]
        await store.checkpointer.adelete_thread("ann")
        assert await value_of(store) is None
