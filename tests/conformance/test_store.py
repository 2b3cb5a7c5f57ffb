"""What every store must do with a turn, run against each of them."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Command

from soni.core.storage import JournalError, LockError, StorageError, Store
from tests.conformance.talk import FOREIGN, OWN, Talk


async def checkpoints(store: Store, conversation_id: str) -> int:
    found = store.checkpointer.alist({"configurable": {"thread_id": conversation_id}})
    return len([each async for each in found])


async def test_a_committed_turn_is_there_when_the_conversation_is_loaded_again(talk: Talk) -> None:
    await talk.turn("ann", "hi")
    assert await talk.said("ann") == ["hi", "Your name?"]
    assert await talk.said("bob") == []


async def test_a_question_that_waits_is_answered_after_a_reload(talk: Talk, store: Store) -> None:
    await talk.turn("ann", "hi")
    result = await Talk(store).turn("ann", "Ann")
    assert result["answers"] == ["Ann"]
    assert "__interrupt__" not in result


async def test_an_answer_leaves_nothing_pending(talk: Talk, store: Store) -> None:
    await talk.turn("ann", "hi")
    await talk.turn("ann", "Ann")
    stored = await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}})
    assert stored.pending_writes == []


async def test_a_failed_turn_leaves_the_conversation_as_it_was(talk: Talk, store: Store) -> None:
    await talk.turn("ann", "hi")
    before = await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}})
    with pytest.raises(RuntimeError, match="the node failed"):
        await talk.turn("ann", "fail")
    assert await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}}) == before
    assert (await talk.turn("ann", "Ann"))["answers"] == ["Ann"]


async def test_a_first_turn_that_failed_leaves_no_conversation_at_all(
    talk: Talk, store: Store
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


@pytest.mark.parametrize("store", OWN, indirect=True)
async def test_only_the_newest_checkpoint_is_kept(talk: Talk, store: Store) -> None:
    for number in range(50):
        await talk.turn("ann", f"message {number}")
    await talk.turn("bob", "hi")
    assert await checkpoints(store, "ann") == 1
    assert await checkpoints(store, "bob") == 1
    assert len(await talk.said("ann")) == 50


@pytest.mark.parametrize("store", FOREIGN, indirect=True)
async def test_a_foreign_saver_is_never_pruned_and_keeps_its_history(
    talk: Talk, store: Store
) -> None:
    for number in range(3):
        await talk.turn("ann", f"message {number}")
    history = [
        each async for each in store.checkpointer.alist({"configurable": {"thread_id": "ann"}})
    ]
    assert len(history) == 3
    assert [each.parent_config for each in history] == [history[1].config, history[2].config, None]


@pytest.mark.parametrize("store", OWN, indirect=True)
async def test_what_cannot_be_stored_fails_its_own_turn_and_changes_nothing(
    talk: Talk, store: Store
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
            await store.commit(staged, turn=2, message_id=None, at=0.0, data={})
    assert await store.checkpointer.aget_tuple({"configurable": {"thread_id": "ann"}}) == before
    assert len(await store.journal.entries("ann")) == 1
    assert (await talk.turn("ann", "Ann"))["answers"] == ["Ann"]


async def test_data_that_is_not_json_fails_the_commit_and_changes_nothing(
    talk: Talk, store: Store
) -> None:
    with pytest.raises(JournalError, match="plain JSON"):
        await talk.turn("ann", "hi", data={"when": object()})
    assert await checkpoints(store, "ann") == 0
    assert await store.journal.entries("ann") == []


async def test_a_conversation_that_nobody_holds_cannot_be_changed(talk: Talk, store: Store) -> None:
    await talk.saver.begin_turn("ann")
    await talk.graph.ainvoke(
        {"messages": [HumanMessage("hi")]},
        {"configurable": {"thread_id": "ann"}},
        durability="exit",
    )
    staged = talk.saver.take_turn("ann")
    assert staged is not None
    with pytest.raises(LockError, match="'ann' is not held"):
        await store.commit(staged, turn=1, message_id=None, at=0.0, data={})
    with pytest.raises(LockError, match="'ann' is not held"):
        await store.forget("ann", turn=1, at=0.0)
    assert await checkpoints(store, "ann") == 0


async def test_a_forgotten_conversation_starts_anew_and_its_journal_says_so(
    talk: Talk, store: Store
) -> None:
    await talk.turn("ann", "hi")
    await talk.turn("bob", "hi")
    await store.ledger.begin("ann/pay/1", "d", "ann")
    async with store.conversation("ann"):
        entry = await store.forget("ann", turn=2, at=7.0, data={"by": "user"})
    assert (entry.status, entry.at, entry.data) == ("reset", 7.0, {"by": "user"})
    assert [each.status for each in await store.journal.entries("ann")] == ["ok", "reset"]
    assert await checkpoints(store, "ann") == 0
    assert await store.ledger.begin("ann/pay/1", "d", "ann") is None
    assert await talk.said("bob") == ["hi", "Your name?"]
    await talk.turn("ann", "hello again")
    assert await talk.said("ann") == ["hello again", "Your name?"]
