"""What every store must do when a person is erased or the time to keep is over."""

from typing import Any

import pytest

from soni.core.storage import JournalEntry, Removal, Store, TurnEntry
from soni.core.storage_errors import LockError
from soni.persistence.journal import EntryHead, reseal_entries, verify_chain
from soni.testing.store_conformance.talk import Talk


def tell_turn(at: float, user_id: str, **more: Any) -> dict[str, Any]:
    """A turn at that time, by that user."""
    return {"at": at, "user_id": user_id, "data": {"user_id": user_id}, **more}


def make_chain(conversation_id: str, *data: dict[str, Any]) -> list[JournalEntry]:
    heads = [EntryHead(conversation_id, 1, None, 9.0, "erased") for _ in data]
    return reseal_entries(zip(heads, data, strict=True))


async def list_own(store: Store, user_id: str) -> list[str]:
    found = await store.directory.list_conversations(user_id=user_id)
    return [each.conversation_id for each in found]


@pytest.mark.asyncio
class RemovalConformance:
    """What is erased or too old is gone, and what is left can be verified."""

    async def test_an_erased_conversation_is_nowhere_any_more(
        self, talk: Talk, store: Store
    ) -> None:
        await store.inbox.receive("ann", "m1", text="hi")
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann", message_id="m1"))
        await store.inbox.receive("ann", "m2", text="more")
        await talk.turn("bob", "hi", **tell_turn(1.0, "bob"))
        for name in ("ann", "bob"):
            await store.jobs.enqueue("call", {}, key=f"{name}'s", at=1.0, conversation_id=name)
        async with store.conversation("ann"):
            await store.ledger.begin("ann/a", "d", "ann")
            removed = await store.erase("ann", make_chain("gone", {"entries": 1}))
        assert removed == Removal(
            conversations=1, states=1, entries=1, messages=2, effects=1, jobs=1
        )
        assert [each.key for each in await store.jobs.list_jobs()] == ["bob's"]
        assert await store.journal.conversations() == ["bob", "gone"]
        assert await talk.said("ann") == []
        assert await store.directory.find("ann") is None
        assert await list_own(store, "ann") == []
        assert await store.inbox.list_waiting("ann") == []
        assert await store.inbox.find_entry("ann", "m1") is None
        assert await store.ledger.list_unknown(begun_before=float("inf")) == []
        (left,) = await store.journal.entries("gone")
        assert (left.status, left.data) == ("erased", {"entries": 1})
        verify_chain([left])
        assert await talk.said("bob") == ["hi", "Your name?"]

    async def test_only_who_holds_a_conversation_may_erase_it(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann"))
        with pytest.raises(LockError, match="'ann' is not held"):
            await store.erase("ann")
        assert await talk.said("ann") == ["hi", "Your name?"]

    async def test_what_remains_is_found_by_those_who_are_left(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("club", "hi", **tell_turn(1.0, "ann"))
        await talk.turn("club", "Ann", **tell_turn(2.0, "bob"))
        async with store.conversation("club"):
            await store.erase("club", make_chain("club", {}, {"user_id": "bob"}))
        assert await list_own(store, "ann") == []
        assert await list_own(store, "bob") == ["club"]
        verify_chain(await store.journal.entries("club"))
        await talk.turn("club", "again", **tell_turn(3.0, "bob"))
        entries = await store.journal.entries("club")
        assert [each.status for each in entries] == ["erased", "erased", "ok"]
        verify_chain(entries)

    async def test_a_user_is_found_wherever_they_took_part(self, talk: Talk, store: Store) -> None:
        await talk.turn("club", "hi", **tell_turn(1.0, "ann"))
        await talk.turn("club", "Ann", **tell_turn(2.0, "bob"))
        async with store.conversation("failing"):
            await store.journal.append("failing", TurnEntry(1, 1.0, {}, user_id="ann"))
        assert await list_own(store, "ann") == ["club", "failing"]
        assert await list_own(store, "bob") == ["club"]
        assert await list_own(store, "club") == []

    async def test_a_conversation_that_comes_again_has_another_life(
        self, talk: Talk, store: Store
    ) -> None:
        """Else it would make the keys of its effects a second time, and services know those."""
        async with store.conversation("ann") as lease:
            await store.erase("ann")
        first = lease.life
        async with store.conversation("ann") as lease:
            second = lease.life
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann"))
        await store.prune(before=5.0)
        await store.prune(before=5.0)
        async with store.conversation("ann") as lease:
            assert first < second < lease.life

    async def test_old_entries_go_and_the_chain_of_the_others_holds(
        self, talk: Talk, store: Store
    ) -> None:
        for at in range(10):
            await talk.turn("ann", "hi", **tell_turn(float(at), "ann"))
        assert await store.prune(before=6.0, limit=4) == Removal(entries=4)
        assert await store.prune(before=6.0, limit=4) == Removal(entries=2)
        assert await store.prune(before=6.0, limit=4) == Removal()
        entries = await store.journal.entries("ann")
        assert [each.seq for each in entries] == [7, 8, 9, 10]
        verify_chain(entries)
        assert [each.seq for each in await store.journal.entries("ann", after=8, limit=1)] == [9]
        await talk.turn("ann", "hi", **tell_turn(11.0, "ann"))
        verify_chain(await store.journal.entries("ann"))
        assert await list_own(store, "ann") == ["ann"]
        assert await talk.said("ann") != []

    async def test_an_idle_conversation_goes_as_a_whole(self, talk: Talk, store: Store) -> None:
        await store.inbox.receive("ann", "m1", text="hi", at=1.0)
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann", message_id="m1"))
        await talk.turn("bob", "hi", **tell_turn(7.0, "bob"))
        removed = await store.prune(before=5.0)
        assert removed == Removal(conversations=1, states=1, entries=1, messages=1)
        assert await store.prune(before=5.0) == Removal()
        assert await talk.said("ann") == []
        assert await store.directory.find("ann") is None
        assert await store.journal.conversations() == ["bob"]
        assert await talk.said("bob") == ["hi", "Your name?"]

    async def test_what_somebody_holds_or_waits_for_is_not_pruned(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann"))
        await talk.turn("bob", "hi", **tell_turn(1.0, "bob"))
        await store.inbox.receive("bob", "m2", text="just now", at=9.0)
        async with store.conversation("ann"):
            assert await store.prune(before=5.0) == Removal(entries=2)
        assert await talk.said("ann") == await talk.said("bob") == ["hi", "Your name?"]

    async def test_effects_that_nobody_knows_the_end_of_go_too(self, store: Store) -> None:
        async with store.conversation("ann"):
            await store.ledger.begin("ann/a", "d", "ann")
        assert (await store.prune(before=float("inf"))).effects == 1
        assert await store.ledger.list_unknown(begun_before=float("inf")) == []

    async def test_what_says_that_something_was_erased_stays(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann"))
        async with store.conversation("ann"):
            await store.erase("ann", make_chain("gone", {"entries": 1}))
        assert await store.prune(before=float("inf")) == Removal()
        assert await store.journal.conversations() == ["gone"]

    async def test_what_says_that_something_was_erased_is_no_conversation(
        self, store: Store
    ) -> None:
        async with store.conversation("ann"):
            await store.erase("ann", make_chain("gone", {"entries": 1}))
        assert await store.journal.conversations() == ["gone"]
        assert await store.directory.list_conversations() == []
        assert await store.directory.find("gone") is None

    async def test_what_remains_under_another_name_goes_on(self, talk: Talk, store: Store) -> None:
        await talk.turn("ann", "hi", **tell_turn(1.0, "ann"))
        async with store.conversation("ann"):
            await store.erase("ann", make_chain("other", {}, {"user_id": "bob"}))
        assert await list_own(store, "bob") == ["other"]
        await talk.turn("other", "hi", **tell_turn(3.0, "bob"))
        entries = await store.journal.entries("other")
        assert [each.seq for each in entries] == [1, 2, 3]
        verify_chain(entries)
