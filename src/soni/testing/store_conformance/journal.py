"""What the journal of every store must do."""

from dataclasses import replace
from typing import Any

import pytest

from soni.core.storage import JournalEntry, Overview, Store, TurnEntry
from soni.core.storage_errors import JournalError
from soni.persistence.journal import verify_chain
from soni.testing.store_conformance.talk import Talk


async def append(
    store: Store,
    conversation_id: str,
    *,
    turn: int = 1,
    at: float = 0.0,
    status: str = "ok",
    data: dict[str, Any] | None = None,
) -> JournalEntry:
    async with store.conversation(conversation_id):
        return await store.journal.append(conversation_id, TurnEntry(turn, at, data or {}), status)


@pytest.mark.asyncio
class JournalConformance:
    """Every turn is recorded, and the record can be verified."""

    async def test_the_journal_numbers_and_chains_the_entries_of_each_conversation(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi", turn=1, message_id="m1", at=1.5)
        await talk.turn("bob", "hi")
        await talk.turn("ann", "Ann", turn=2, message_id="m2", at=2)
        entries = await store.journal.entries("ann")
        assert [(e.seq, e.turn, e.message_id, e.at, e.status, e.data) for e in entries] == [
            (1, 1, "m1", 1.5, "ok", {"said": "hi"}),
            (2, 2, "m2", 2.0, "ok", {"said": "Ann"}),
        ]
        assert entries[0].prev_hash == ""
        assert entries[1].prev_hash == entries[0].hash
        assert await store.journal.conversations() == ["ann", "bob"]
        verify_chain(entries)
        verify_chain(await store.journal.entries("bob"))

    async def test_an_entry_reads_back_as_it_was_returned(self, store: Store) -> None:
        data = {"b": [1, 2.5, None, True], "a": {"ä": "\ud800"}, "n": 10**30}
        written = await append(store, "ann", at=3, status="failed", data=data)
        assert await store.journal.entries("ann") == [written]
        assert written.data == data

    async def test_entries_are_read_from_a_number_on_and_up_to_a_limit(self, store: Store) -> None:
        for turn in range(1, 6):
            await append(store, "ann", turn=turn)
        read = store.journal.entries
        assert [e.seq for e in await read("ann", after=2)] == [3, 4, 5]
        assert [e.seq for e in await read("ann", after=1, limit=2)] == [2, 3]
        assert await read("ann", after=5) == []
        assert await read("ann", limit=0) == []
        verify_chain(await read("ann", after=2))

    async def test_conversations_are_listed_with_what_is_known_of_them(self, store: Store) -> None:
        assert await store.journal.overview() == []
        for conversation_id, at, status in [
            ("bob", 5.0, "ok"),
            ("ann", 1.5, "ok"),
            ("zoë", 9.0, "reset"),
            ("ann", 3.0, "failed"),
            ("ann", 2.5, "ok"),
            ("Ánn", 7.0, "ok"),
        ]:
            await append(store, conversation_id, at=at, status=status)
        everything = [
            Overview("ann", turns=2, failed=1, last_seq=3, first_at=1.5, last_at=3.0),
            Overview("bob", turns=1, failed=0, last_seq=1, first_at=5.0, last_at=5.0),
            Overview("zoë", turns=0, failed=0, last_seq=1, first_at=9.0, last_at=9.0),
            Overview("Ánn", turns=1, failed=0, last_seq=1, first_at=7.0, last_at=7.0),
        ]
        assert await store.journal.overview() == everything

    async def test_the_list_of_conversations_is_read_page_by_page(self, store: Store) -> None:
        for conversation_id in ("c", "a", "B", "b", "d"):
            await append(store, conversation_id)

        async def listed(**page: Any) -> list[str]:
            return [each.conversation_id for each in await store.journal.overview(**page)]

        assert await listed(limit=2) == ["B", "a"]
        assert await listed(after="B", limit=1) == ["a"]
        assert await listed(after="a", limit=2) == ["b", "c"]
        assert await listed(after="c", limit=2) == ["d"]
        assert await listed(after="d") == []
        assert await listed(limit=0) == []

    async def test_a_changed_or_missing_entry_is_named(self, store: Store) -> None:
        for turn in range(1, 5):
            await append(store, "ann", turn=turn, data={"n": turn})
        entries = await store.journal.entries("ann")
        changed = [*entries[:2], replace(entries[2], data={"n": 99}), entries[3]]
        with pytest.raises(JournalError, match="conversation 'ann', entry 3"):
            verify_chain(changed)
        with pytest.raises(JournalError, match="entry 4"):
            verify_chain([*entries[:2], entries[3]])
        with pytest.raises(JournalError, match="entry 3"):
            verify_chain([*entries[:2], replace(entries[2], prev_hash=""), entries[3]])
        with pytest.raises(JournalError, match="entry 1"):
            verify_chain([replace(entries[0], at=1.0), *entries[1:]])
