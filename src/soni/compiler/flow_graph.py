"""compile_flow: a plan becomes a LangGraph graph, one node per step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from soni.compiler.node_factories import NodeFactoryRegistry
from soni.compiler.state import FlowState
from soni.config.plan import FlowPlan
from soni.core.types import NodeFunction, RuntimeContext


def compile_flow(plan: FlowPlan, registry: NodeFactoryRegistry | None = None) -> Any:
    """The flow's graph. It is entered at the current step, so nothing is replayed.

    It has no checkpointer: a turn is saved as a whole, by the graph around it.
    """
    factories = registry or NodeFactoryRegistry()
    graph = StateGraph(FlowState, context_schema=RuntimeContext)
    for step_id, planned in plan.steps.items():
        node = _RoutedNode(factories.create(planned, plan), plan)
        # Given as arguments, because LangGraph would read annotations again for each step.
        graph.add_node(step_id, node, input_schema=FlowState)

    async def enter(state: Mapping[str, Any]) -> str:
        return _route_onward(state, plan)

    graph.add_conditional_edges(START, enter, [*plan.steps, END])
    return graph.compile(checkpointer=False, name=f"flow:{plan.name}")


@dataclass(frozen=True)
class _RoutedNode:
    """A step's node that also says where control goes.

    A conditional edge would run in a thread of its own, with a copy of the whole state.
    """

    node: NodeFunction
    plan: FlowPlan

    async def __call__(self, state: FlowState, runtime: Runtime[RuntimeContext]) -> Command[str]:
        updates = await self.node(state, runtime)
        return Command(update=updates, goto=_route_onward({**state, **updates}, self.plan))


def _route_onward(state: Mapping[str, Any], plan: FlowPlan) -> str:
    stops = state["_need_input"] or state["request"] or state["step"] not in plan.steps
    return END if stops else str(state["step"])
