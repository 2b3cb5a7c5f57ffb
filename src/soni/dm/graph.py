"""The orchestrator: one turn as a LangGraph graph."""

from functools import lru_cache, partial
from typing import Any

from langgraph.graph import END, START, StateGraph

from soni.core.types import DialogueState, RuntimeContext
from soni.dm import routing
from soni.dm.nodes.await_user import await_user
from soni.dm.nodes.execute_commands import execute_commands
from soni.dm.nodes.generate_response import generate_response
from soni.dm.nodes.handle_flow_complete import handle_flow_complete
from soni.dm.nodes.run_flow import run_flow
from soni.dm.nodes.understand import understand

_NODES = (
    understand,
    execute_commands,
    run_flow,
    handle_flow_complete,
    await_user,
    generate_response,
)


def build_graph(checkpointer: Any) -> Any:
    """The compiled graph; the same for every assistant, which comes with the context."""
    return _drawn().compile(checkpointer=checkpointer, name="soni")


# Drawn once in a process: LangGraph reads the types of every node, and they never change.
@lru_cache(maxsize=1)
def _drawn() -> Any:
    graph = StateGraph(DialogueState, context_schema=RuntimeContext)
    for node in _NODES:
        # Of a bare function LangGraph takes the bytecode apart, at every compiling, to find graphs.
        graph.add_node(node.__name__, partial(node))
    graph.add_edge(START, "understand")
    graph.add_conditional_edges(
        "understand", routing.after_understand, ["execute_commands", "generate_response"]
    )
    graph.add_conditional_edges(
        "execute_commands",
        routing.after_execute,
        ["execute_commands", "run_flow", "await_user", "generate_response"],
    )
    graph.add_conditional_edges(
        "run_flow",
        routing.after_run,
        [
            "run_flow",
            "execute_commands",
            "handle_flow_complete",
            "await_user",
            "generate_response",
        ],
    )
    graph.add_conditional_edges(
        "handle_flow_complete",
        routing.after_complete,
        ["execute_commands", "run_flow", "generate_response"],
    )
    graph.add_edge("await_user", "understand")
    graph.add_edge("generate_response", END)
    return graph
