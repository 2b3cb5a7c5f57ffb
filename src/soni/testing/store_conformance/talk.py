"""Turns on a small graph, held on any store."""

import operator
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from soni.core.storage import Store, TurnEntry
from soni.persistence.staged import StagedSaver


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
            about = {"turn": 1, "at": 0.0, "data": {"said": message}, **more}
            await self.store.commit(staged, TurnEntry(**about))
        return result

    async def stored(self, conversation_id: str) -> dict[str, Any]:
        """The state as a new process would read it."""
        config: Any = {"configurable": {"thread_id": conversation_id}}
        return dict((await Talk(self.store).graph.aget_state(config)).values)

    async def said(self, conversation_id: str) -> list[str]:
        return [m.text for m in (await self.stored(conversation_id)).get("messages", [])]
