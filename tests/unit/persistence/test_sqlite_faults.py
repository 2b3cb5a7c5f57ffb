"""What becomes of a conversation when its file is locked, deleted, or of another version."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from soni.core.storage import Receipt, TurnEntry
from soni.core.storage_errors import StorageError
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore, file
from soni.persistence.sqlite.schema import MIGRATIONS
from tests.unit.persistence.turns import put, sql, value_of


async def test_while_another_program_locks_the_file_reads_go_on_and_all_waits_end_together(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with SqliteStore(path) as store, store.conversation("ann"):
        await put(store, 1)
        monkeypatch.setattr(file, "BUSY_SECONDS", 0.5)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            loop = asyncio.get_running_loop()

            async def wait_for_writes(count: int) -> tuple[float, list[object]]:
                begun = loop.time()
                writes = (store.inbox.receive("bob", f"m{n}") for n in range(count))
                outcomes = await asyncio.gather(*writes, return_exceptions=True)
                return loop.time() - begun, outcomes

            alone, _ = await wait_for_writes(1)
            waiting = asyncio.create_task(wait_for_writes(8))
            await asyncio.sleep(0.05)
            assert await value_of(store) == 1
            assert not waiting.done()
            together, outcomes = await waiting
            assert together < 4 * alone  # one after the other it would be eight times as long
        assert all(isinstance(outcome, StorageError) for outcome in outcomes)
        assert "Another program keeps the file" in str(outcomes[0])
        assert await store.inbox.receive("bob", "m0") == Receipt("m0", "waiting")


@pytest.mark.parametrize("replaced", [False, True])
async def test_what_would_be_written_to_a_deleted_file_is_not_acknowledged(
    path: Path, tmp_path: Path, replaced: bool
) -> None:
    async with SqliteStore(path) as store, store.conversation("ann"):
        await put(store, 1)
        copy = tmp_path / "copy.db"
        shutil.copy(path, copy)
        path.unlink()
        if replaced:
            copy.rename(path)
        with pytest.raises(StorageError, match="was deleted or replaced while it was in use"):
            await put(store, 2)


async def test_a_file_of_the_first_version_is_upgraded_with_all_it_holds(path: Path) -> None:
    await write_first_version(path)
    async with SqliteStore(path) as store:
        entries = await store.journal.entries("ann")
        verify_chain(entries)
        assert [entry.status for entry in entries] == ["ok", "reset", "ok"]
        known = await store.directory.find("ann")
        assert known is not None
        assert (known.user_id, known.life, known.last_at) == ("u1", 1, 3.0)
        # A message of the life before is new again.
        assert await store.inbox.find_entry("ann", "m1") is None
        assert await store.inbox.find_entry("ann", "m3") == entries[2]
        (unknown,) = await store.ledger.list_unknown(begun_before=1.0)
        assert unknown.key == "ann/pay_1/charge/1"
        async with store.conversation("ann") as lease:
            assert lease.life == 1
    assert sql(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]


async def test_of_many_processes_that_upgrade_a_file_at_once_one_does(path: Path) -> None:
    await write_first_version(path)
    stores = [SqliteStore(path) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(store.close() for store in stores))
    assert sql(path, "SELECT conversation_id, life FROM conversations") == [("ann", 1)]


async def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write_first_version(path)
    broken = (MIGRATIONS[0], MIGRATIONS[1] + "; CREATE TABLE journal (again TEXT)")
    monkeypatch.setattr("soni.persistence.sqlite.schema.MIGRATIONS", broken)
    with pytest.raises(StorageError, match="journal already exists"):
        await SqliteStore(path).open()
    monkeypatch.undo()
    assert sql(path, "PRAGMA user_version") == [(1,)]
    async with SqliteStore(path) as store:
        assert len(await store.journal.entries("ann")) == 3


async def write_first_version(path: Path) -> None:
    """A file as the first version of its tables was, with a conversation that was reset."""
    async with SqliteStore(path) as store, store.conversation("ann"):
        for seq, status in enumerate(("ok", "reset", "ok"), 1):
            about = TurnEntry(seq, float(seq), {"user_id": "u1"}, message_id=f"m{seq}")
            await store.journal.append("ann", about, status)
    kept = sql(path, "SELECT * FROM journal ORDER BY seq")
    path.unlink()
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.executescript(MIGRATIONS[0])
        old.executemany(f"INSERT INTO journal VALUES ({', '.join('?' * 9)})", kept)
        old.execute("INSERT INTO effects VALUES ('ann/pay_1/charge/1', 'd', 'ann', NULL)")
        old.execute("INSERT INTO leases VALUES ('ann', 'x', 'elsewhere', 1, 0)")
        old.execute("PRAGMA user_version=1")
