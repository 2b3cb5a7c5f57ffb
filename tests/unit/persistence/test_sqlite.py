"""The file of a store: what is in it, and what is said where it cannot be used."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from structlog.testing import capture_logs

from soni.core.storage import StagedWrites, TurnEntry
from soni.core.storage_errors import JournalError, StorageError
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore
from tests.unit.persistence.turns import put, sql, staged, value_of


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
        await store.commit(secret, TurnEntry(1, 0.0, {}))
    assert b"sesame" in path.read_bytes()
    async with SqliteStore(path) as store, store.conversation("ann"):
        await store.forget("ann", TurnEntry(2, 0.0, {}))
    assert b"sesame" not in path.read_bytes()


async def test_a_file_that_fails_is_reported_and_ends_no_turn(path: Path) -> None:
    with capture_logs() as logs:
        async with SqliteStore(path, lease_term=0.1) as store, store.conversation("ann"):
            sql(path, "ALTER TABLE conversations RENAME TO gone")
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
            await store.forget("ann", TurnEntry(2, 0.0, {}))
            await put(store, 2)
        assert await value_of(store) == 2


async def test_a_pending_question_is_stored_and_goes_with_its_checkpoint(path: Path) -> None:
    async with SqliteStore(path) as store:
        config: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}
        async with store.conversation("ann"):
            waiting = staged(1, "ann", StagedWrites("t", "", [("__interrupt__", ["Name?"])]))
            await store.commit(waiting, TurnEntry(1, 0.0, {}))
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
