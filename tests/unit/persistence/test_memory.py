"""The memory store holds what is needed to go on, and no more."""

from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from soni.core.storage import StagedCheckpoint, StagedTurn, StagedWrites, TurnEntry
from soni.core.storage_errors import StorageError
from soni.persistence.memory import MemoryStore

PLACE: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}


def staged(version: int, base: Any, value: Any = 1) -> StagedTurn:
    """A turn that changes one of two channels and leaves a question open."""
    checkpoint = {
        **empty_checkpoint(),
        "channel_values": {"kept": "once", "changed": value},
        "channel_versions": {"kept": 1, "changed": version},
    }
    new = {"changed": version} if base else {"kept": 1, "changed": version}
    question = StagedWrites("task", "", [("__interrupt__", ["Name?"])])
    part = StagedCheckpoint("", PLACE, checkpoint, {}, new, base, (question,))
    return StagedTurn("ann", (part,))


async def commit(store: MemoryStore, turn: StagedTurn) -> Any:
    async with store.conversation("ann"):
        await store.commit(turn, TurnEntry(1, 0.0, {}))
    return turn.checkpoints[0].checkpoint


def size(store: MemoryStore) -> tuple[int, int, int]:
    saver: Any = store.checkpointer
    return len(saver.storage["ann"][""]), len(saver.writes), len(saver.blobs)


async def test_it_does_not_grow_with_the_turns_of_a_conversation() -> None:
    store = MemoryStore()
    newest = None
    for version in range(1, 30):
        newest = await commit(store, staged(version, newest))
        assert size(store) == (1, 1, 2)
    stored: Any = await store.checkpointer.aget_tuple(PLACE)
    assert stored.checkpoint["channel_values"] == {"kept": "once", "changed": 1}


async def test_a_turn_that_cannot_be_stored_leaves_nothing_behind() -> None:
    store = MemoryStore()
    newest = await commit(store, staged(1, None, "first"))
    with pytest.raises(StorageError):
        await commit(store, staged(2, newest, object()))
    assert size(store) == (1, 1, 2)
    stored: Any = await store.checkpointer.aget_tuple(PLACE)
    assert stored.checkpoint["channel_values"]["changed"] == "first"
    assert stored.pending_writes == [("task", "__interrupt__", ["Name?"])]
