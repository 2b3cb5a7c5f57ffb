"""What every store must do with a turn."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Command

from soni.core.storage import Store, TurnEntry
from soni.core.storage_errors import JournalError, LockError, StorageError
from soni.testing.store_conformance.talk import Talk


async def checkpoints(store: Store, conversation_id: str) -> int:
    found = store.checkpointer.alist({"configurable": {"thread_id": conversation_id}})
    return len([each async for each in found])


@pytest.mark.asyncio
class TurnConformance:
    """Turns are stored as a whole or not at all."""

    async def test_a_committed_turn_is_there_when_the_conversation_is_loaded_again(
        self, talk: Talk
    ) -> None:
        await talk.turn("ann", "hi")
        assert await talk.said("ann") == ["hi", "Your name?"]
        assert await talk.said("bob") == []

    async def test_a_question_that_waits_is_answered_after_a_reload(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        result = await Talk(store).turn("ann", "Ann")
        assert result["answers"] == ["Ann"]
        assert "__interrupt__" not in result

    async def test_an_answer_leaves_nothing_pending(self, talk: Talk, store: Store) -> None:
        await talk.turn("ann", "hi")
        await talk.turn("ann", "Ann")
        stored = await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}})
        assert stored.pending_writes == []

    async def test_a_failed_turn_leaves_the_conversation_as_it_was(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        before = await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}})
        with pytest.raises(RuntimeError, match="the node failed"):
            await talk.turn("ann", "fail")
        assert await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}}) == before
        assert (await talk.turn("ann", "Ann"))["answers"] == ["Ann"]

    async def test_a_first_turn_that_failed_leaves_no_conversation_at_all(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.saver.begin_turn("ann")
        await talk.graph.ainvoke(
            {"messages": [HumanMessage("lost")]},
            {"configurable": {"thread_id": "ann"}},
            durability="exit",
        )
        talk.saver.drop_turn("ann")
        assert await checkpoints(store, "ann") == 0
        await talk.turn("ann", "hi")
        assert await talk.said("ann") == ["hi", "Your name?"]

    async def test_data_that_is_not_json_fails_the_commit_and_changes_nothing(
        self, talk: Talk, store: Store
    ) -> None:
        with pytest.raises(JournalError, match="plain JSON"):
            await talk.turn("ann", "hi", data={"when": object()})
        assert await checkpoints(store, "ann") == 0
        assert await store.journal.entries("ann") == []

    async def test_a_conversation_that_nobody_holds_cannot_be_changed(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.saver.begin_turn("ann")
        await talk.graph.ainvoke(
            {"messages": [HumanMessage("hi")]},
            {"configurable": {"thread_id": "ann"}},
            durability="exit",
        )
        staged = talk.saver.take_turn("ann")
        assert staged is not None
        with pytest.raises(LockError, match="'ann' is not held"):
            await store.commit(staged, TurnEntry(1, 0.0, {}))
        with pytest.raises(LockError, match="'ann' is not held"):
            await store.forget("ann", TurnEntry(1, 0.0, {}))
        assert await checkpoints(store, "ann") == 0

    async def test_a_forgotten_conversation_starts_anew_and_its_journal_says_so(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        await talk.turn("bob", "hi")
        async with store.conversation("ann"):
            entry = await store.forget("ann", TurnEntry(2, 7.0, {"by": "user"}))
        assert (entry.status, entry.at, entry.data) == ("reset", 7.0, {"by": "user"})
        assert [each.status for each in await store.journal.entries("ann")] == ["ok", "reset"]
        assert await checkpoints(store, "ann") == 0
        assert await talk.said("bob") == ["hi", "Your name?"]
        await talk.turn("ann", "hello again")
        assert await talk.said("ann") == ["hello again", "Your name?"]


@pytest.mark.asyncio
class CheckpointConformance:
    """Of checkpoints only the newest is kept, and nothing but plain data."""

    async def test_only_the_newest_checkpoint_is_kept(self, talk: Talk, store: Store) -> None:
        for number in range(50):
            await talk.turn("ann", f"message {number}")
        await talk.turn("bob", "hi")
        assert await checkpoints(store, "ann") == 1
        assert await checkpoints(store, "bob") == 1
        assert len(await talk.said("ann")) == 50

    async def test_what_cannot_be_stored_fails_its_own_turn_and_changes_nothing(
        self, talk: Talk, store: Store
    ) -> None:
        await talk.turn("ann", "hi")
        before = await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}})
        async with store.conversation("ann"):
            await talk.saver.begin_turn("ann")
            config = {"configurable": {"thread_id": "ann"}}
            await talk.graph.ainvoke(Command(resume="Ann"), config, durability="exit")
            staged = talk.saver.take_turn("ann")
            assert staged is not None
            staged.checkpoints[0].checkpoint["channel_values"]["value"] = {"when": object()}
            with pytest.raises(StorageError, match="when is not plain data"):
                await store.commit(staged, TurnEntry(2, 0.0, {}))
        assert await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}}) == before
        assert len(await store.journal.entries("ann")) == 1
        assert (await talk.turn("ann", "Ann"))["answers"] == ["Ann"]
