"""A turn's writes are kept back, and handed over as LangGraph would have stored them."""

import asyncio
import operator
import pickle
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from soni.core.storage import Store, TurnEntry
from soni.core.storage_errors import StorageError
from soni.persistence import open_store
from soni.persistence.staged import StagedSaver

ANN: Any = {"configurable": {"thread_id": "ann"}}


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    count: Annotated[int, operator.add]
    length: int


def ask(state: State) -> dict[str, Any]:
    return {"messages": [AIMessage("Secret?", id=f"a{len(state['messages'])}")], "count": 1}


def wait(state: State) -> dict[str, Any]:
    return {"length": len(interrupt({"prompt": "Secret?"}))}


async def check(state: State) -> dict[str, Any]:
    if state["length"] == 4:
        raise RuntimeError("the node failed")
    if state["length"] == 5:
        await asyncio.Event().wait()
    return {"count": 10}


def graph_on(saver: BaseCheckpointSaver[Any], **nodes: Any) -> Any:
    builder = StateGraph(State)
    for name, node in {"ask": ask, "wait": wait, "check": check, **nodes}.items():
        builder.add_node(name, node)
    for here, there in ((START, "ask"), ("ask", "wait"), ("wait", "check"), ("check", END)):
        builder.add_edge(here, there)
    return builder.compile(checkpointer=saver)


def hello(number: int = 0) -> Any:
    return {"messages": [HumanMessage("hi", id=f"h{number}")]}


async def turn(store: Store, saver: StagedSaver, graph: Any, given: Any) -> Any:
    async with store.conversation("ann"):
        await saver.begin_turn("ann")
        result = await graph.ainvoke(given, ANN, durability="exit")
        staged = saver.take_turn("ann")
        assert staged is not None
        await store.commit(staged, TurnEntry(1, 0.0, {}))
    return result


def essence(found: CheckpointTuple | None) -> Any:
    """All that matters of a checkpoint, but for ids, times and versions."""
    assert found is not None
    return (
        found.checkpoint["channel_values"],
        {node: sorted(seen) for node, seen in found.checkpoint["versions_seen"].items()},
        sorted(found.checkpoint["channel_versions"]),
        found.metadata,
        [
            (channel, [each.value for each in value])
            for _, channel, value in found.pending_writes or []
        ],
    )


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
async def test_what_is_stored_equals_what_langgraph_would_have_stored(
    backend: str, tmp_path: Path
) -> None:
    stock = InMemorySaver()
    bare = graph_on(stock)
    async with open_store(backend, str(tmp_path / "s.db")) as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)
        inputs: list[Any] = [hello(), Command(resume="abc"), hello(1), hello(2)]
        for given in [*inputs, Command(resume="abc")]:
            expected = await bare.ainvoke(given, ANN, durability="exit")
            result = await turn(store, saver, graph, given)
            assert result.keys() == expected.keys()
            stored = await store.checkpointer.aget_tuple(ANN)
            assert essence(stored) == essence(await stock.aget_tuple(ANN))


async def test_with_every_durability_the_newest_checkpoint_is_handed_over(tmp_path: Path) -> None:
    inputs: list[Any] = [hello(), Command(resume="abc"), hello(1)]
    for durability in ("exit", "async", "sync"):
        stock = InMemorySaver()
        for given in inputs:
            await graph_on(stock).ainvoke(given, ANN, durability=durability)
        async with open_store("memory") as store:
            for given in inputs:
                saver = StagedSaver(store.checkpointer)
                async with store.conversation("ann"):
                    await saver.begin_turn("ann")
                    await graph_on(saver).ainvoke(given, ANN, durability=durability)
                    staged = saver.take_turn("ann")
                    assert staged is not None
                    await store.commit(staged, TurnEntry(1, 0.0, {}))
            stored = await store.checkpointer.aget_tuple(ANN)
        assert essence(stored) == essence(await stock.aget_tuple(ANN))


async def test_until_it_is_taken_a_turn_is_seen_by_its_own_graph_only() -> None:
    inner = InMemorySaver()
    saver = StagedSaver(inner)
    graph = graph_on(saver)
    assert await saver.begin_turn("ann") is None
    await graph.ainvoke(hello(), ANN, durability="exit")
    snapshot = await graph.aget_state(ANN)
    assert snapshot.values["count"] == 1
    assert [each.value for each in snapshot.interrupts] == [{"prompt": "Secret?"}]
    addressed = await graph.aget_state(snapshot.config)
    assert addressed.values == snapshot.values
    assert await inner.aget_tuple(ANN) is None
    assert [each async for each in saver.alist(ANN)] == []


@pytest.mark.parametrize("answer", ["fail", "never"])
async def test_after_a_failure_or_a_cancellation_the_next_input_is_handled_as_itself(
    answer: str, tmp_path: Path
) -> None:
    async with open_store("sqlite", str(tmp_path / "s.db")) as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)
        await turn(store, saver, graph, hello())
        before = await store.checkpointer.aget_tuple(ANN)

        await saver.begin_turn("ann")
        run = asyncio.create_task(graph.ainvoke(Command(resume=answer), ANN, durability="exit"))
        if answer == "never":
            await asyncio.sleep(0.05)
            run.cancel()
        with pytest.raises((RuntimeError, asyncio.CancelledError)):
            await run
        saver.drop_turn("ann")

        assert await saver.aget_tuple(ANN) == before
        assert await store.checkpointer.aget_tuple(ANN) == before
        result = await turn(store, saver, graph, hello(1))
        assert [message.id for message in result["messages"]] == ["h0", "a1", "h1", "a3"]
        assert result["count"] == 2


async def test_nothing_of_an_answer_is_left_in_the_store(tmp_path: Path) -> None:
    async with open_store("sqlite", str(tmp_path / "s.db")) as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)
        await turn(store, saver, graph, hello())
        result = await turn(store, saver, graph, Command(resume="open sesame"))
        assert result["length"] == 11
    assert b"Secret?" in (tmp_path / "s.db").read_bytes()
    assert b"sesame" not in (tmp_path / "s.db").read_bytes()

    async with open_store("memory") as memory:
        saver = StagedSaver(memory.checkpointer)
        graph = graph_on(saver)
        await turn(memory, saver, graph, hello())
        await turn(memory, saver, graph, Command(resume="open sesame"))
        held = pickle.dumps((dict(memory.checkpointer.blobs), dict(memory.checkpointer.writes)))
    assert b"Secret?" in held
    assert b"sesame" not in held


async def test_the_history_is_that_of_the_store() -> None:
    async with open_store("memory") as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)
        await turn(store, saver, graph, hello())
        assert [each.values["count"] async for each in graph.aget_state_history(ANN)] == [1]


async def test_one_graph_serves_many_conversations_at_once() -> None:
    async with open_store("memory") as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)

        async def converse(name: str) -> int:
            config: Any = {"configurable": {"thread_id": name}}
            inputs: list[Any] = [hello(), Command(resume=name)]
            for given in inputs:
                await saver.begin_turn(name)
                await graph.ainvoke(given, config, durability="exit")
                async with store.conversation(name):
                    staged = saver.take_turn(name)
                    assert staged is not None
                    assert staged.conversation_id == name
                    await store.commit(staged, TurnEntry(1, 0.0, {}))
            stored = await store.checkpointer.aget_tuple(config)
            return int(stored.checkpoint["channel_values"]["length"])

        names = ["x" * length for length in range(6, 26)]
        assert await asyncio.gather(*map(converse, names)) == list(range(6, 26))


async def test_a_turn_that_was_left_open_is_replaced_by_the_next() -> None:
    saver = StagedSaver(InMemorySaver())
    graph = graph_on(saver)
    await saver.begin_turn("ann")
    await graph.ainvoke(hello(), ANN, durability="exit")
    assert await saver.begin_turn("ann") is None
    assert saver.take_turn("ann") is None


async def test_a_graph_that_runs_outside_a_turn_is_told_so() -> None:
    saver = StagedSaver(InMemorySaver())
    with pytest.raises(StorageError, match="'ann' ran outside a turn"):
        await graph_on(saver).ainvoke(hello(), ANN, durability="exit")
    assert saver.take_turn("ann") is None
    saver.drop_turn("ann")


async def test_the_loaded_checkpoint_is_not_changed_by_a_run_that_failed() -> None:
    async with open_store("memory") as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver)
        await turn(store, saver, graph, hello())
        begun = await saver.begin_turn("ann")
        with pytest.raises(RuntimeError):
            await graph.ainvoke(Command(resume="fail"), ANN, durability="exit")
        saver.drop_turn("ann")
        assert begun == await store.checkpointer.aget_tuple(ANN)


async def test_a_subgraph_with_checkpoints_of_its_own_can_wait_and_go_on(tmp_path: Path) -> None:
    inner = StateGraph(State)
    inner.add_node("wait", wait)
    inner.add_edge(START, "wait")
    inner.add_edge("wait", END)
    async with open_store("sqlite", str(tmp_path / "s.db")) as store:
        saver = StagedSaver(store.checkpointer)
        graph = graph_on(saver, wait=inner.compile())
        await turn(store, saver, graph, hello())
        again = StagedSaver(store.checkpointer)
        result = await turn(
            store, again, graph_on(again, wait=inner.compile()), Command(resume="abc")
        )
        assert result["length"] == 3


def test_strict_mode_of_langgraph_changes_nothing() -> None:
    saver = StagedSaver(InMemorySaver())
    assert saver.with_allowlist([("os", "system")]) is saver
