"""What every store must do for a server: conversations that were opened, keys, counters, news."""

import asyncio

import pytest

from soni.core.service_storage import AccessKey
from soni.core.storage import Store
from soni.testing.store_conformance.talk import Talk

LONG = 30.0


@pytest.mark.asyncio
class ServiceConformance:
    """What is kept beside conversations."""

    async def test_a_conversation_belongs_to_who_opened_it(self, talk: Talk, store: Store) -> None:
        assert await store.directory.register("c1", "ann", at=5.0)
        assert not await store.directory.register("c1", "bob", at=6.0)
        found = await store.directory.find("c1")
        assert found is not None
        assert (found.user_id, found.last_at) == ("ann", 5.0)
        await talk.turn("c1", "hi", user_id="ann", at=7.0)
        assert await talk.said("c1") == ["hi", "Your name?"]
        assert not await store.directory.register("c1", "bob", at=8.0)

    async def test_conversations_of_a_user_are_counted(self, store: Store) -> None:
        for name in ("c1", "c2", "c3"):
            await store.directory.register(name, "bob" if name == "c3" else "ann", at=1.0)
        assert await store.directory.count_conversations("ann") == 2
        assert await store.directory.count_conversations("eve") == 0

    async def test_a_conversation_that_was_opened_and_never_used_is_pruned(
        self, store: Store
    ) -> None:
        await store.directory.register("c1", "ann", at=5.0)
        assert not await store.prune(before=5.0)
        assert (await store.prune(before=6.0)).conversations == 1
        assert await store.directory.count_conversations("ann") == 0

    async def test_keys_are_found_by_their_digest_until_they_are_removed(
        self, store: Store
    ) -> None:
        first = AccessKey("k1", "d1", "client", "shop", 1.0, 9.0)
        second = AccessKey("k2", "d2", "admin", "", 2.0)
        for key in (second, first):
            await store.access_keys.add(key)
        assert await store.access_keys.list_keys() == [first, second]
        assert await store.access_keys.find("d1") == first
        assert await store.access_keys.remove("k1")
        assert not await store.access_keys.remove("k1")
        assert await store.access_keys.find("d1") is None

    async def test_a_counter_counts_until_it_expires(self, store: Store) -> None:
        counters = store.counters
        assert await counters.increment("a", 2, now=0.0, expires_at=10.0) == 2
        assert await counters.increment("a", 1, now=5.0, expires_at=15.0) == 3
        assert await counters.read("a", now=9.0) == 3
        assert await counters.read("a", now=10.0) == 0
        assert await counters.increment("a", 1, now=10.0, expires_at=20.0) == 1
        await counters.increment("b", 1, now=10.0, expires_at=40.0)
        assert await counters.clear_expired(now=30.0) == 1
        assert await counters.read("b", now=30.0) == 1

    async def test_counting_at_once_loses_nothing(self, store: Store) -> None:
        each = [store.counters.increment("a", 1, now=0.0, expires_at=9.0) for _ in range(20)]
        assert sorted(await asyncio.gather(*each)) == list(range(1, 21))

    async def test_who_listens_hears_of_a_turn_and_not_of_others(
        self, talk: Talk, store: Store
    ) -> None:
        feed = store.feed
        async with (
            feed.subscribe("ann") as ann,
            feed.subscribe("bob") as bob,
            feed.subscribe(None) as everybody,
        ):
            # What came before the first wait counts as news, so that nothing is missed.
            for listener in (ann, bob, everybody):
                await listener.wait(0.5)
            await talk.turn("ann", "hi")
            async with asyncio.timeout(LONG):
                await ann.wait(LONG)
                await everybody.wait(LONG)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await bob.wait(LONG)
