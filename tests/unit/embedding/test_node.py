"""A turn of an assistant as a node of somebody's graph."""

import operator
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import RetryPolicy
from pydantic import BaseModel

from soni import RuntimeLoop, SoniConfig
from soni.core.errors import InvalidInputError
from soni.embedding import Caller, make_node
from tests.talking import assistant

YAML = """
slots:
  amount: {type: number, prompt: How much?}
actions:
  pay: {inputs: [amount], outputs: [total]}
flows:
  pay_bill:
    trigger: {examples: [pay a bill]}
    steps:
      - collect: amount
        ui: {type: quick_replies, options: [{label: Ten, value: 10}, {label: All, value: 99}]}
      - {action: pay}
      - say: "Paid {amount}, {total} in all, by {session.teller}."
"""
ACTIONS = """
from soni import action

paid = {}

@action
def pay(amount, ctx):
    paid[ctx.user_id] = paid.get(ctx.user_id, 0) + amount
    return {"total": paid[ctx.user_id]}
"""
THREAD: Any = {"configurable": {"thread_id": "t1"}}


class WaitingState(MessagesState):
    waiting: dict[str, Any] | None


@asynccontextmanager
async def open_bank() -> AsyncIterator[RuntimeLoop]:
    async with RuntimeLoop(assistant(YAML, ACTIONS)) as runtime:
        yield runtime


def make_host(node: Any, schema: Any = MessagesState, **options: Any) -> Any:
    graph = StateGraph(schema)
    graph.add_node("bank", node, **options)
    graph.add_edge(START, "bank")
    return graph


def fail_once(node: Any) -> Callable[..., Any]:
    """A node that breaks off after all its work, the first time that it runs."""
    broken: list[bool] = []

    async def run(state: Any, config: Any) -> Any:
        update = await node(state, config)
        if not broken:
            broken.append(True)
            raise ConnectionError("the host's own trouble")
        return update

    # LangGraph reads what a node takes from its annotations.
    run.__annotations__["config"] = "RunnableConfig"
    return run


def list_texts(state: Mapping[str, Any]) -> list[str]:
    return [message.text for message in state["messages"]]


async def test_the_hosts_messages_are_answered_and_its_thread_is_the_conversation() -> None:
    async with open_bank() as runtime:
        host = make_host(make_node(runtime)).compile(checkpointer=InMemorySaver())
        await host.ainvoke({"messages": [("user", "pay a bill")]}, THREAD)
        done = await host.ainvoke({"messages": [("user", "40")]}, THREAD)
        other = await host.ainvoke(
            {"messages": [("user", "40")]}, {"configurable": {"thread_id": "t2"}}
        )
        assert list_texts(done)[1].startswith("How much?")
        assert list_texts(done)[-1] == "Paid 40, 40 in all, by ."
        assert "Paid" not in list_texts(other)[-1]
        assert (await runtime.get_state("t1"))["turn_count"] == 2


async def test_a_reply_says_what_is_shown_beside_it_and_what_is_waited_for() -> None:
    async with open_bank() as runtime:
        host = make_host(make_node(runtime), WaitingState).compile()
        asked = await host.ainvoke({"messages": [("user", "pay a bill")]}, THREAD)
        reply = asked["messages"][-1]
        assert isinstance(reply, AIMessage)
        options = [option["label"] for option in reply.additional_kwargs["ui"]["options"]]
        assert options == ["Ten", "All"]
        assert asked["waiting"] == reply.additional_kwargs["waiting"]
        assert asked["waiting"] == {
            "text": "How much?\n1. Ten\n2. All",
            "kind": "collect",
            "slot": "amount",
            "options": ["Ten", "All"],
        }
        pressed = HumanMessage("Ten", additional_kwargs={"press": True})
        done = await host.ainvoke({"messages": [pressed]}, THREAD)
        assert list_texts(done)[-1].startswith("Paid 10")
        assert done["waiting"] is None


async def test_a_node_that_is_tried_again_does_nothing_twice() -> None:
    async with open_bank() as runtime:
        node = fail_once(make_node(runtime))
        retry = RetryPolicy(initial_interval=0, jitter=False, retry_on=ConnectionError)
        await (
            make_host(make_node(runtime))
            .compile()
            .ainvoke({"messages": [("user", "pay a bill")]}, THREAD)
        )
        host = make_host(node, retry_policy=retry).compile()
        done = await host.ainvoke({"messages": [("user", "40")]}, THREAD)
        assert list_texts(done) == ["40", "Paid 40, 40 in all, by ."]


async def test_a_message_without_an_id_is_known_by_the_hosts_task() -> None:
    class Plain(TypedDict):
        talk: Annotated[list[Any], operator.add]

    async with open_bank() as runtime:
        node = make_node(runtime, messages_key="talk")
        retry = RetryPolicy(initial_interval=0, jitter=False, retry_on=ConnectionError)
        host = make_host(fail_once(node), Plain, retry_policy=retry).compile()
        await host.ainvoke({"talk": [{"role": "user", "content": "pay a bill"}]}, THREAD)
        for _ in range(2):
            done = await host.ainvoke({"talk": [{"role": "user", "content": "40"}]}, THREAD)
        assert (await runtime.get_state("t1"))["turn_count"] == 3
        assert isinstance(done["talk"][-1], AIMessage)


async def test_going_back_to_an_earlier_checkpoint_of_the_host_repeats_the_answer() -> None:
    async with open_bank() as runtime:
        host = make_host(make_node(runtime)).compile(checkpointer=InMemorySaver())
        await host.ainvoke({"messages": [("user", "pay a bill")]}, THREAD)
        first = await host.ainvoke({"messages": [("user", "40")]}, THREAD)
        history = host.aget_state_history(THREAD)
        before = await anext(at async for at in history if at.next == ("bank",))
        again = await host.ainvoke(None, before.config)
        assert list_texts(again) == list_texts(first)
        assert (await runtime.get_state("t1"))["turn_count"] == 2


class Listener(BaseCallbackHandler):
    """Somebody who watches all that runs in a host."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_chain_start(self, *given: Any, **options: Any) -> None:
        self.names.append(options.get("name") or "")


async def test_host_and_assistant_see_nothing_of_each_others_graphs() -> None:
    saver, listener = InMemorySaver(), Listener()
    async with open_bank() as runtime:
        inner = make_host(make_node(runtime)).compile()
        outer = StateGraph(MessagesState)
        outer.add_node("department", inner)
        outer.add_edge(START, "department")
        host = outer.compile(checkpointer=saver)
        watched = {**THREAD, "callbacks": [listener]}
        await host.ainvoke({"messages": [("user", "pay a bill")]}, watched)
        done = await host.ainvoke({"messages": [("user", "40")]}, watched)
        assert list_texts(done)[-1] == "Paid 40, 40 in all, by ."
        assert set(listener.names) <= {"LangGraph", "department", "bank"}
        # All that the host has stored are its own messages, in its own two graphs.
        spaces = {
            at.config["configurable"]["checkpoint_ns"].partition(":")[0]
            for at in saver.list(THREAD)
        }
        assert spaces <= {"", "department"}
        kept = [set(at.checkpoint["channel_values"]) for at in saver.list(THREAD)]
        assert not any("flow_stack" in each for each in kept)
        assert (await runtime.get_state("t1"))["turn_count"] == 2


async def test_a_host_says_itself_who_talks_and_what_it_knows_of_them() -> None:
    def identify(config: Any) -> Caller:
        return Caller("ann", "ann-web", language="en", context={"teller": "Bea"})

    async with open_bank() as runtime:
        host = make_host(make_node(runtime, identify=identify)).compile()
        await host.ainvoke({"messages": [("user", "pay a bill")]})
        done = await host.ainvoke({"messages": [("user", "40")]})
        assert list_texts(done)[-1] == "Paid 40, 40 in all, by Bea."
        assert (await runtime.get_state("ann-web"))["turn_count"] == 2


async def test_a_user_that_a_client_has_named_is_not_believed() -> None:
    class Authenticated:
        identity = "ann"

    async with open_bank() as runtime:
        host = make_host(make_node(runtime)).compile()
        for thread, more in (
            ("t1", {"langgraph_auth_user": Authenticated()}),
            ("t2", {"langgraph_auth_user": Authenticated()}),
            ("t3", {"user_id": "ann"}),
        ):
            config = {"configurable": {"thread_id": thread, **more}}
            await host.ainvoke({"messages": [("user", "pay a bill")]}, config)
            done = await host.ainvoke({"messages": [("user", "40")]}, config)
            total = {"t1": 40, "t2": 80, "t3": 40}[thread]
            assert list_texts(done)[-1] == f"Paid 40, {total} in all, by ."


async def test_a_state_may_be_a_model() -> None:
    class Talk(BaseModel):
        messages: list[AnyMessage]

    async with open_bank() as runtime:
        host = make_host(make_node(runtime), Talk).compile()
        asked = await host.ainvoke({"messages": [HumanMessage("pay a bill")]}, THREAD)
        assert list_texts(asked) == ["How much?\n1. Ten\n2. All"]


@pytest.mark.parametrize(
    ("messages", "config", "problem"),
    [
        ([("user", "hi")], None, "thread_id.*expected the id of the conversation.*found none"),
        ([("ai", "hi")], THREAD, "expected a HumanMessage among the messages; found ai"),
        ([], THREAD, "found none"),
    ],
)
async def test_what_a_host_has_forgotten_is_named(messages: Any, config: Any, problem: str) -> None:
    async with open_bank() as runtime:
        host = make_host(make_node(runtime)).compile()
        with pytest.raises(InvalidInputError, match=problem):
            await host.ainvoke({"messages": messages}, config)


class Poet:
    """Writes in pieces; what it has written in the end may be something else."""

    def __init__(self, *pieces: str, text: str = "") -> None:
        self._pieces, self._text = pieces, text or "".join(pieces)

    async def generate(
        self, instruction: str, facts: Mapping[str, Any], *, language: str, write: Any
    ) -> Mapping[str, Any]:
        for piece in self._pieces:
            write(piece)
        return {"text": self._text}


POEM: SoniConfig = assistant("""
flows:
  poem:
    trigger: {examples: [write a poem]}
    steps:
      - {generate: Write a poem, fallback: I know none}
      - say: That was it.
""")


async def stream_poem(poet: Poet) -> tuple[list[Any], list[Any]]:
    async with RuntimeLoop(POEM, generator=poet) as runtime:
        host = make_host(make_node(runtime)).compile()
        modes = ["custom", "messages"]
        given = {"messages": [HumanMessage("write a poem", id="m1")]}
        parts = [part async for part in host.astream(given, THREAD, stream_mode=modes)]
    custom = [part for mode, part in parts if mode == "custom"]
    return custom, [message for mode, part in parts if mode == "messages" for message in part[:1]]


async def test_a_text_that_is_being_written_comes_in_pieces() -> None:
    custom, chunks = await stream_poem(Poet("Cats ", "are soft"))
    assert [(part["type"], part["text"]) for part in custom] == [
        ("piece", "Cats "),
        ("piece", "are soft"),
        ("message", "Cats are soft"),
        ("message", "That was it."),
    ]
    assert all(isinstance(chunk, AIMessageChunk) for chunk in chunks)
    texts: dict[str, str] = {}
    for chunk in chunks:
        texts[chunk.id] = texts.get(chunk.id, "") + chunk.text
    assert texts == {"m1-reply-0": "Cats are soft", "m1-reply-1": "That was it."}


async def test_a_text_that_became_another_one_comes_as_a_whole() -> None:
    _, parts = await stream_poem(Poet("Dogs ", text="Cats are soft"))
    whole = [part for part in parts if not isinstance(part, AIMessageChunk)]
    assert [(part.id, part.text) for part in whole] == [("m1-reply-0", "Cats are soft")]
