"""An assistant as a graph: it asks by interrupts until it waits for nothing more."""

from typing import Annotated, Any, Final, NotRequired, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, interrupt

from soni.embedding.caller import get_task_id, identify_caller
from soni.embedding.messages import ANSWER_FORMS, convert_answer
from soni.embedding.node import Identify, make_node
from soni.runtime.loop import RuntimeLoop

_REFUSAL: Final = f"resume: expected {ANSWER_FORMS}"


class TalkState(TypedDict):
    """What a host sees of a conversation."""

    messages: Annotated[list[AnyMessage], add_messages]
    waiting: NotRequired[dict[str, Any] | None]
    """The open question: its text, kind, slot and options."""


def make_graph(
    assistant: RuntimeLoop,
    *,
    checkpointer: Checkpointer = None,
    identify: Identify = identify_caller,
) -> CompiledStateGraph[TalkState, None, TalkState, TalkState]:
    """An assistant as a graph of its own, a subgraph of a host's, or one for a LangGraph server.

    While the assistant waits for an answer the graph is interrupted with the question. It goes on
    with `Command(resume="the answer")`, or with a new message as input. A graph of its own needs
    a `checkpointer`; a subgraph uses that of its host, and a server brings one.
    """
    graph = StateGraph(TalkState)
    graph.add_node("answer", make_node(assistant, identify=identify))
    graph.add_node("wait", _wait_for_user)
    graph.add_edge(START, "answer")
    graph.add_conditional_edges("answer", _choose_next, ["wait", END])
    graph.add_edge("wait", "answer")
    return graph.compile(checkpointer=checkpointer, name="soni")


def _choose_next(state: TalkState) -> str:
    return "wait" if state.get("waiting") else END


async def _wait_for_user(state: TalkState) -> dict[str, Any]:
    """Hand the question out. It runs again when it resumes, so it does nothing else."""
    # The id must be the same if the graph breaks off and this node runs once more.
    message_id = get_task_id()
    question = state.get("waiting") or {}
    message = convert_answer(interrupt(question), message_id)
    # LangGraph keeps an answer once it was given: an error here would come again for ever.
    while message is None:
        message = convert_answer(interrupt({**question, "error": _REFUSAL}), message_id)
    return {"messages": [message]}
