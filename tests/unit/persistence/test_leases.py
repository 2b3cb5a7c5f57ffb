"""Leases: who holds a conversation, for how long, and what becomes of one that lost it."""

import asyncio
from pathlib import Path

import pytest

from soni.core.storage import TurnEntry
from soni.core.storage_errors import LockError
from soni.persistence.sqlite import SqliteStore
from tests.unit.persistence.turns import put, sql, value_of


async def test_one_that_lost_its_conversation_cannot_overwrite_the_new_owners_turn(
    path: Path,
) -> None:
    async with SqliteStore(path) as slow, SqliteStore(path) as quick:
        async with slow.conversation("ann"):
            sql(path, "UPDATE conversations SET expires_at = 0")
            async with asyncio.timeout(20), quick.conversation("ann"):
                with pytest.raises(LockError, match="'ann' was taken over by another process"):
                    await put(slow, "late")
                with pytest.raises(LockError, match="taken over"):
                    await slow.forget("ann", TurnEntry(1, 0.0, {}))
                await put(quick, "new")
            with pytest.raises(LockError, match="taken over"):
                await put(slow, "late")
        assert await value_of(slow) == "new"
        assert len(await slow.journal.entries("ann")) == 1


async def test_to_end_a_lost_conversation_does_not_free_it_for_others(path: Path) -> None:
    async with SqliteStore(path) as slow, SqliteStore(path) as quick:
        async with slow.conversation("ann"):
            sql(path, "UPDATE conversations SET expires_at = 0")
            taken = quick.conversation("ann")
            await taken.__aenter__()
        await slow.journal.conversations()  # comes after all that `slow` still has to do
        await put(quick, "mine")
        await taken.__aexit__(None, None, None)
        assert await value_of(quick) == "mine"


async def test_a_conversation_is_kept_for_as_long_as_it_is_held(path: Path) -> None:
    async with SqliteStore(path, lease_term=0.3) as store, store.conversation("ann"):
        (first,) = sql(path, "SELECT expires_at FROM conversations")
        async with asyncio.timeout(30):
            while sql(path, "SELECT expires_at FROM conversations") == [first]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await put(store, 1)
        assert await value_of(store) == 1


async def test_an_owner_on_another_machine_is_believed_until_its_time_is_over(path: Path) -> None:
    async with SqliteStore(path) as store:
        sql(
            path,
            "INSERT INTO conversations (conversation_id, owner, machine, pid, expires_at) "
            "VALUES ('ann', 'x', 'elsewhere', 999999999, 9e12)",
        )
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), store.conversation("ann"):
                raise AssertionError
        sql(path, "UPDATE conversations SET expires_at = 1")
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
