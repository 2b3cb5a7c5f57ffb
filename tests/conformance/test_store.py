"""What every store must do, run against each of them."""

import asyncio
import operator
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from soni.core.storage import Effect, JournalError, LockError, Overview, StorageError, Store
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from soni.persistence.staged import StagedSaver
from soni.persistence.volatile import ForeignStore

OWN = ["memory", "sqlite"]
FOREIGN = ["foreign-memory", "foreign-sqlite"]


@pytest.fixture(params=[*OWN, *FOREIGN])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    path = str(tmp_path / "store.db")
    if request.param == "foreign-memory":
        yield ForeignStore(InMemorySaver())
    elif request.param == "foreign-sqlite":
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            yield ForeignStore(saver)
    else:
        async with open_store(request.param, path) as opened:
            yield opened


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    answers: Annotated[list[str], operator.add]
    value: Any


def ask(state: State) -> dict[str, Any]:
    return {"messages": [AIMessage("Your name?")]}


def wait(state: State) -> dict[str, Any]:
    return {"value": interrupt({"prompt": "Your name?"})}


def note(state: State) -> dict[str, Any]:
    if state["value"] == "fail":
        raise RuntimeError("the node failed")
    return {"answers": [state["value"]]}


class Talk:
    """Turns on a graph that asks, waits for the answer and notes it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.saver = StagedSaver(store.checkpointer)
        builder = StateGraph(State)
        for node in (ask, wait, note):
            builder.add_node(node)
        for here, there in ((START, "ask"), ("ask", "wait"), ("wait", "note"), ("note", END)):
            builder.add_edge(here, there)
        self.graph: Any = builder.compile(checkpointer=self.saver)

    async def turn(self, conversation_id: str, message: str, **more: Any) -> Any:
        """Answer the open question, or start anew if there is none."""
        config = {"configurable": {"thread_id": conversation_id}}
        async with self.store.conversation(conversation_id):
            begun = await self.saver.begin_turn(conversation_id)
            fresh: Any = {"messages": [HumanMessage(message)]}
            given = Command(resume=message) if begun and begun.pending_writes else fresh
            try:
                result = await self.graph.ainvoke(given, config, durability="exit")
            except BaseException:
                self.saver.drop_turn(conversation_id)
                raise
            staged = self.saver.take_turn(conversation_id)
            assert staged is not None
            about = {"turn": 1, "message_id": None, "at": 0.0, "data": {"said": message}, **more}
            await self.store.commit(staged, **about)
        return result

    async def stored(self, conversation_id: str) -> dict[str, Any]:
        """The state as a new process would read it."""
        config: Any = {"configurable": {"thread_id": conversation_id}}
        return dict((await Talk(self.store).graph.aget_state(config)).values)

    async def said(self, conversation_id: str) -> list[str]:
        return [m.text for m in (await self.stored(conversation_id)).get("messages", [])]


@pytest.fixture
def talk(store: Store) -> Talk:
    return Talk(store)


async def checkpoints(store: Store, conversation_id: str) -> int:
    found = store.checkpointer.alist({"configurable": {"thread_id": conversation_id}})
    return len([each async for each in found])


# Commit


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


# Journal


async def test_the_journal_numbers_and_chains_the_entries_of_each_conversation(
    talk: Talk, store: Store
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


async def test_an_entry_reads_back_as_it_was_returned(store: Store) -> None:
    data = {"b": [1, 2.5, None, True], "a": {"ä": "\ud800"}, "n": 10**30}
    written = await store.journal.append(
        "ann", turn=1, message_id=None, at=3, status="failed", data=data
    )
    assert await store.journal.entries("ann") == [written]
    assert written.data == data


async def test_entries_are_read_from_a_number_on_and_up_to_a_limit(store: Store) -> None:
    for turn in range(1, 6):
        await store.journal.append("ann", turn=turn, message_id=None, at=0, status="ok", data={})
    read = store.journal.entries
    assert [e.seq for e in await read("ann", after=2)] == [3, 4, 5]
    assert [e.seq for e in await read("ann", after=1, limit=2)] == [2, 3]
    assert await read("ann", after=5) == []
    assert await read("ann", limit=0) == []
    verify_chain(await read("ann", after=2))


async def test_conversations_are_listed_with_what_is_known_of_them(store: Store) -> None:
    assert await store.journal.overview() == []
    for conversation_id, at, status in [
        ("bob", 5.0, "ok"),
        ("ann", 1.5, "ok"),
        ("zoë", 9.0, "reset"),
        ("ann", 3.0, "failed"),
        ("ann", 2.5, "ok"),
        ("Ánn", 7.0, "ok"),
    ]:
        await store.journal.append(
            conversation_id, turn=1, message_id=None, at=at, status=status, data={}
        )
    everything = [
        Overview("ann", turns=2, failed=1, last_seq=3, first_at=1.5, last_at=3.0),
        Overview("bob", turns=1, failed=0, last_seq=1, first_at=5.0, last_at=5.0),
        Overview("zoë", turns=0, failed=0, last_seq=1, first_at=9.0, last_at=9.0),
        Overview("Ánn", turns=1, failed=0, last_seq=1, first_at=7.0, last_at=7.0),
    ]
    assert await store.journal.overview() == everything


async def test_the_list_of_conversations_is_read_page_by_page(store: Store) -> None:
    for conversation_id in ("c", "a", "", "b", "d"):
        await store.journal.append(
            conversation_id, turn=1, message_id=None, at=0, status="ok", data={}
        )

    async def listed(**page: Any) -> list[str]:
        return [each.conversation_id for each in await store.journal.overview(**page)]

    assert await listed(limit=2) == ["", "a"]
    assert await listed(after="", limit=1) == ["a"]
    assert await listed(after="a", limit=2) == ["b", "c"]
    assert await listed(after="c", limit=2) == ["d"]
    assert await listed(after="d") == []
    assert await listed(limit=0) == []


async def test_a_message_is_found_by_the_turn_that_handled_it_not_by_one_that_failed(
    store: Store,
) -> None:
    about: dict[str, Any] = {"message_id": "m1", "at": 0, "data": {}}
    await store.journal.append("ann", turn=1, status="failed", **about)
    assert await store.journal.find("ann", "m1") is None
    await store.journal.append("ann", turn=2, status="ok", **about)
    newest = await store.journal.append("ann", turn=3, status="ok", **about)
    await store.journal.append("ann", turn=4, status="failed", **about)
    assert await store.journal.find("ann", "m1") == newest
    assert await store.journal.find("ann", "m2") is None
    assert await store.journal.find("bob", "m1") is None


async def test_a_changed_or_missing_entry_is_named(store: Store) -> None:
    for turn in range(1, 5):
        await store.journal.append(
            "ann", turn=turn, message_id=None, at=0, status="ok", data={"n": turn}
        )
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


# Ledger


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


# The conversation lock


async def test_turns_on_one_conversation_run_one_after_the_other_in_order(store: Store) -> None:
    seen: list[str] = []

    async def turn(number: int) -> None:
        async with store.conversation("ann"):
            seen.append(f"in {number}")
            await asyncio.sleep(0)
            seen.append(f"out {number}")

    async with store.conversation("ann"):
        waiting = [asyncio.create_task(turn(number)) for number in range(5)]
        await asyncio.sleep(0.02)
        assert seen == []
    await asyncio.gather(*waiting)
    assert seen == [f"{way} {number}" for number in range(5) for way in ("in", "out")]


async def test_different_conversations_do_not_wait_for_each_other(store: Store) -> None:
    held: list[str] = []
    async with asyncio.timeout(20), store.conversation("ann"):
        held.append("ann")
        async with store.conversation("bob"):
            held.append("bob")
    assert held == ["ann", "bob"]


async def test_messages_at_once_are_all_handled(talk: Talk) -> None:
    await asyncio.gather(*(talk.turn("ann", f"m{number}") for number in range(10)))
    said = await talk.said("ann")
    assert [text for text in said if text != "Your name?"] == ["m0", "m2", "m4", "m6", "m8"]
    assert (await talk.stored("ann"))["answers"] == ["m1", "m3", "m5", "m7", "m9"]


async def test_one_that_gives_up_waiting_does_not_keep_the_conversation(store: Store) -> None:
    async def want() -> None:
        async with store.conversation("ann"):
            pass

    async with store.conversation("ann"):
        waiting = asyncio.create_task(want())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with asyncio.timeout(20):
        await want()


async def test_a_turn_that_fails_gives_the_conversation_back(store: Store) -> None:
    with pytest.raises(RuntimeError):
        async with store.conversation("ann"):
            raise RuntimeError
    async with asyncio.timeout(20), store.conversation("ann"):
        pass
