"""The orchestrator: one turn as a LangGraph graph."""

import asyncio
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from soni.core.errors import SoniError
from soni.core.state import Updates
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


_ROUTES: dict[str, tuple[NodeFunction, _Route]] = {
    node.__name__: (node, route) for node, route, _ in _ROUTED_NODES
}

# Limits on the nodes of a turn, per step of a flow and for everything else. They are generous,
# so that a loop is found first by the count of its steps, which the flow can handle.
_NODES_PER_STEP, _NODES_BESIDE_STEPS = 10, 500


def build_graph(checkpointer: Any) -> Any:
    """The compiled graph; the same for every assistant, which comes with the context."""
    return _draw_graph().compile(checkpointer=checkpointer, name="soni")


def get_node_limit(config: Any) -> int:
    """How many nodes one turn may run before it counts as a loop without end."""
    steps: int = config.settings.runtime.max_step_executions
    return _NODES_PER_STEP * steps + _NODES_BESIDE_STEPS


# Built once per process: LangGraph reads the types of every node, and they never change.
@lru_cache(maxsize=1)
def _draw_graph() -> Any:
    graph = StateGraph(DialogueState, context_schema=RuntimeContext)
    # For a bare function LangGraph disassembles its bytecode at every compilation.
    for node, _, ways in _ROUTED_NODES:
        graph.add_node(node.__name__, partial(_run_nodes, node.__name__), destinations=ways)
    for node in (await_user, generate_response):
        graph.add_node(node.__name__, partial(node))
    graph.add_edge(START, "understand")
    graph.add_edge("await_user", "understand")
    graph.add_edge("generate_response", END)
    return graph


async def _run_nodes(
    name: str, state: DialogueState, runtime: Runtime[RuntimeContext]
) -> Command[routing.Node]:
    """Run a node and those after it, until the turn waits or is closed.

    Nothing is saved between two of them and nothing else runs beside them, so a superstep for
    each would only cost time. Traced turns have one for each, since LangSmith shows supersteps.
    """
    config = runtime.context.config
    traced = config.settings.runtime.tracing
    updates = Updates(state)
    for _ in range(get_node_limit(config)):
        node, route = _ROUTES[name]
        updates.add(await node(updates.state, runtime))
        following = route(updates.state)
        if traced or following not in _ROUTES:
            return Command(update=updates.merged, goto=following)
        name = following
        # Other conversations get their chance, as they do between supersteps.
        await asyncio.sleep(0)
    raise SoniError(
        f"the turn ran {get_node_limit(config)} nodes and neither waited nor ended, the last "
        f"'{name}'; look at command handlers and a flow manager of your own: "
        "what they return must bring the conversation on"
    )
