"""A store is backed up while it is in use, and restored: see docs/operations.md."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from soni.core.storage import Store
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore
from tests.postgres_server import PostgresServer
from tests.unit.persistence.turns import put, value_of


async def write_turns(store: Store, numbers: range) -> None:
    for number in numbers:
        async with store.conversation("ann"):
            await put(store, number)


async def require_whole(store: Store, number: int) -> None:
    """The conversation is as it was after that turn, and goes on."""
    assert await value_of(store) == number
    entries = await store.journal.entries("ann")
    assert [entry.data["n"] for entry in entries] == list(range(1, number + 1))
    await write_turns(store, range(number + 1, number + 3))
    verify_chain(await store.journal.entries("ann"))


async def test_a_copy_of_a_file_in_use_is_a_whole_conversation(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "backup.db"
    # The copy says that this process holds the conversation, until the lease is over.
    async with SqliteStore(path, lease_term=0.5) as store:
        await write_turns(store, range(1, 6))
        writing = asyncio.create_task(write_turns(store, range(6, 60)))
        await asyncio.sleep(0.02)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        await writing
    with closing(sqlite3.connect(copy)) as restored:
        (last,) = restored.execute("SELECT max(seq) FROM journal").fetchone()
    assert last >= 5
    async with SqliteStore(copy) as store:
        await require_whole(store, last)


async def test_a_dump_of_a_database_in_use_is_a_whole_conversation() -> None:
    server = PostgresServer()
    server.start()
    try:
        async with open_store("postgres", server.url) as store:
            await write_turns(store, range(1, 6))
            writing = asyncio.create_task(write_turns(store, range(6, 40)))
            server.run_client("pg_dump", "--format=custom", "--schema=soni", "--file=backup")
            await writing
            assert await value_of(store) == 39
        server.run_client("psql", "--quiet", "--command=DROP SCHEMA soni CASCADE")
        server.run_client("pg_restore", "--dbname=postgres", "backup")
        async with open_store("postgres", server.url) as store:
            entries = await store.journal.entries("ann")
            assert 5 <= len(entries) < 39
            await require_whole(store, len(entries))
    finally:
        server.stop()
        server.remove()
