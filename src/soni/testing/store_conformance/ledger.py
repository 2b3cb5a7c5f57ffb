"""What the ledger of every store must do."""

import asyncio

import pytest

from soni.core.storage import Effect, Store, TurnEntry
from soni.core.storage_errors import LockError, StorageError
from soni.testing.store_conformance.talk import Talk


@pytest.mark.asyncio
class LedgerConformance:
    """No effect is lost or begun twice."""

    async def test_an_effect_is_begun_once_and_then_known(self, store: Store) -> None:
        async with store.conversation("ann"):
            assert await store.ledger.begin("k", "d", "ann") is None
            assert await store.ledger.begin("k", "d", "ann") == Effect("k", "d", "begun")
            await store.ledger.finish("k", "d", "ann", {"id": 7, "at": (1, 2)})
            finished = Effect("k", "d", "finished", {"id": 7, "at": [1, 2]})
            assert await store.ledger.begin("k", "d", "ann") == finished

    async def test_the_same_step_with_other_inputs_is_another_effect(self, store: Store) -> None:
        async with store.conversation("ann"):
            assert await store.ledger.begin("k", "d1", "ann") is None
            await store.ledger.finish("k", "d1", "ann", {})
            assert await store.ledger.begin("k", "d2", "ann") is None
            assert await store.ledger.begin("k", "d2", "ann") == Effect("k", "d2", "begun")

    async def test_of_many_that_begin_an_effect_at_once_one_may_go_on(self, store: Store) -> None:
        async with store.conversation("ann"):
            answers = await asyncio.gather(
                *(store.ledger.begin("k", "d", "ann") for _ in range(20))
            )
            assert answers.count(None) == 1

    async def test_an_effect_that_was_not_begun_cannot_be_finished(self, store: Store) -> None:
        async with store.conversation("ann"):
            with pytest.raises(StorageError, match="Effect 'k' was not begun"):
                await store.ledger.finish("k", "d", "ann", {})

    async def test_only_who_holds_the_conversation_begins_and_finishes(self, store: Store) -> None:
        async with store.conversation("ann"):
            await store.ledger.begin("k", "d", "ann")
        with pytest.raises(LockError, match="'ann' is not held"):
            await store.ledger.begin("k2", "d", "ann")
        with pytest.raises(LockError, match="'ann' is not held"):
            await store.ledger.finish("k", "d", "ann", {})

    async def test_a_commit_clears_the_effects_of_its_own_conversation_only(
        self, talk: Talk, store: Store
    ) -> None:
        for conversation_id in ("ann", "bob"):
            async with store.conversation(conversation_id):
                await store.ledger.begin(f"k/{conversation_id}", "d", conversation_id)
                await store.ledger.finish(f"k/{conversation_id}", "d", conversation_id, {})
        await talk.turn("ann", "hi")
        async with store.conversation("ann"), store.conversation("bob"):
            assert await store.ledger.begin("k/ann", "d", "ann") is None
            known = await store.ledger.begin("k/bob", "d", "bob")
        assert known == Effect("k/bob", "d", "finished", {})

    async def test_a_failed_turn_keeps_its_effects_for_the_repetition(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        async with store.conversation("ann"):
            await store.ledger.begin("k", "d", "ann")
            await store.ledger.finish("k", "d", "ann", {"paid": True})
        with pytest.raises(RuntimeError):
            await talk.turn("ann", "fail")
        async with store.conversation("ann"):
            known = await store.ledger.begin("k", "d", "ann")
        assert known == Effect("k", "d", "finished", {"paid": True})

    async def test_an_outcome_that_nobody_knows_is_listed_until_it_is_found_out(
        self, talk: Talk, store: Store
    ) -> None:
        async with store.conversation("ann"):
            await store.ledger.begin("k", "d", "ann", action="pay")
            assert await store.ledger.list_unknown(begun_before=0.0) == []
        assert await store.ledger.list_unknown(begun_before=9e12) == [Effect("k", "d", "begun")]
        await talk.turn("ann", "hi")  # its turn is over: nobody can finish it any more
        (unknown,) = await store.ledger.list_unknown(begun_before=0.0)
        assert (unknown.key, unknown.conversation_id, unknown.action) == ("k", "ann", "pay")
        assert unknown.begun_at > 0
        assert await store.ledger.resolve("k", "d", {"outputs": {}})
        assert await store.ledger.list_unknown(begun_before=9e12) == []
        assert not await store.ledger.resolve("k", "d", {"outputs": {}})
        # What was found out is kept, since the journal has said that it is unknown.
        (found,) = await store.ledger.list_effects("ann")
        assert found == Effect("k", "d", "finished", {"outputs": {}})
        assert found.action == "pay"
        assert await store.ledger.list_effects("bob") == []

    async def test_a_reset_keeps_only_the_effects_whose_outcome_is_unknown(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        async with store.conversation("ann"):
            await store.ledger.begin("done", "d", "ann")
            await store.ledger.finish("done", "d", "ann", {})
            await store.ledger.begin("open", "d", "ann")
            await store.forget("ann", TurnEntry(1, 0.0, {}))
            assert await store.ledger.begin("done", "d", "ann") is None
            assert await store.ledger.begin("open", "d", "ann") == Effect("open", "d", "begun")
