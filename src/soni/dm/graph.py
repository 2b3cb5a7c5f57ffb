"""The orchestrator: one turn as a LangGraph graph."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from soni.core.state import apply_updates
from soni.core.types import DialogueState, NodeFunction, RuntimeContext
from soni.dm import routing
from soni.dm.nodes.await_user import await_user
from soni.dm.nodes.execute_commands import execute_commands
from soni.dm.nodes.generate_response import generate_response
from soni.dm.nodes.handle_flow_complete import handle_flow_complete
from soni.dm.nodes.run_flow import run_flow
from soni.dm.nodes.understand import understand

_Route = Callable[[DialogueState], routing.Node]

_ROUTED_NODES: tuple[tuple[Any, _Route, tuple[routing.Node, ...]], ...] = (
    (understand, routing.route_after_understand, ("execute_commands", "generate_response")),
    (
        execute_commands,
        routing.route_after_execute_commands,
        ("execute_commands", "run_flow", "await_user", "generate_response"),
    ),
    (
        run_flow,
        routing.route_after_run_flow,
        ("run_flow", "execute_commands", "handle_flow_complete", "await_user", "generate_response"),
    ),
    (
        handle_flow_complete,
        routing.route_after_flow_complete,
        ("execute_commands", "run_flow", "generate_response"),
    ),
)


def build_graph(checkpointer: Any) -> Any:
    """The compiled graph; the same for every assistant, which comes with the context."""
    return _draw_graph().compile(checkpointer=checkpointer, name="soni")


# Built once per process: LangGraph reads the types of every node, and they never change.
@lru_cache(maxsize=1)
def _draw_graph() -> Any:
    graph = StateGraph(DialogueState, context_schema=RuntimeContext)
    # For a bare function LangGraph disassembles its bytecode at every compilation.
    for node, route, ways in _ROUTED_NODES:
        graph.add_node(node.__name__, partial(_run_and_route, node, route), destinations=ways)
    for node in (await_user, generate_response):
        graph.add_node(node.__name__, partial(node))
    graph.add_edge(START, "understand")
    graph.add_edge("await_user", "understand")
    graph.add_edge("generate_response", END)
    return graph


async def _run_and_route(
    node: NodeFunction, route: _Route, state: DialogueState, runtime: Runtime[RuntimeContext]
) -> Command[routing.Node]:
    """Run a node and say where control goes.

    A conditional edge would run in a thread of its own, with a copy of the whole state.
    """
    updates = await node(state, runtime)
    return Command(update=updates, goto=route(apply_updates(state, updates)))
