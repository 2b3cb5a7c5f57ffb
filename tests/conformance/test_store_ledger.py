"""What the ledger of every store must do, run against each of them."""

import asyncio

import pytest

from soni.core.storage import Effect, StorageError, Store
from tests.conformance.talk import Talk


async def test_an_effect_is_begun_once_and_then_known(store: Store) -> None:
    ledger = store.ledger
    assert await ledger.begin("k", "d", "ann") is None
    assert await ledger.begin("k", "d", "ann") == Effect("k", "d", "begun")
    await ledger.finish("k", "d", {"id": 7, "at": (1, 2)})
    finished = Effect("k", "d", "finished", {"id": 7, "at": [1, 2]})
    assert await ledger.begin("k", "d", "ann") == finished


async def test_the_same_step_with_other_inputs_is_another_effect(store: Store) -> None:
    assert await store.ledger.begin("k", "d1", "ann") is None
    await store.ledger.finish("k", "d1", {})
    assert await store.ledger.begin("k", "d2", "ann") is None
    assert await store.ledger.begin("k", "d2", "ann") == Effect("k", "d2", "begun")


async def test_of_many_that_begin_an_effect_at_once_one_may_go_on(store: Store) -> None:
    answers = await asyncio.gather(*(store.ledger.begin("k", "d", "ann") for _ in range(20)))
    assert answers.count(None) == 1


async def test_an_effect_that_was_not_begun_cannot_be_finished(store: Store) -> None:
    with pytest.raises(StorageError, match="Effect 'k' was not begun"):
        await store.ledger.finish("k", "d", {})


async def test_a_commit_clears_the_effects_of_its_own_conversation_only(
    talk: Talk, store: Store
) -> None:
    await store.ledger.begin("k1", "d", "ann")
    await store.ledger.finish("k1", "d", {})
    await store.ledger.begin("k2", "d", "bob")
    await talk.turn("ann", "hi")
    assert await store.ledger.begin("k1", "d", "ann") is None
    assert await store.ledger.begin("k2", "d", "bob") == Effect("k2", "d", "begun")


async def test_a_failed_turn_keeps_its_effects_for_the_repetition(talk: Talk, store: Store) -> None:
    await talk.turn("ann", "hi")
    await store.ledger.begin("k", "d", "ann")
    await store.ledger.finish("k", "d", {"paid": True})
    with pytest.raises(RuntimeError):
        await talk.turn("ann", "fail")
    assert await store.ledger.begin("k", "d", "ann") == Effect("k", "d", "finished", {"paid": True})
