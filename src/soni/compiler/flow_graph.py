"""compile_flow: a plan becomes a LangGraph graph, one node per step."""

from collections.abc import Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph

from soni.compiler.node import NodeFactoryRegistry
from soni.compiler.state import FlowState
from soni.config.plan import FlowPlan
from soni.core.types import RuntimeContext


def compile_flow(plan: FlowPlan, registry: NodeFactoryRegistry | None = None) -> Any:
    """The flow's graph. It is entered at the current step, so nothing is replayed.

    It has no checkpointer: a turn is saved as a whole, by the graph around it.
    """
    factories = registry or NodeFactoryRegistry()
    graph = StateGraph(FlowState, context_schema=RuntimeContext)
    for step_id, planned in plan.steps.items():
        # Told here, and not by annotations: LangGraph would read all of them again for each step.
        graph.add_node(step_id, factories.create(planned, plan), input_schema=FlowState)

    def route(state: Mapping[str, Any]) -> str:
        stops = state["_need_input"] or state["request"] or state["step"] not in plan.steps
        return END if stops else state["step"]

    ways = [*plan.steps, END]
    graph.add_conditional_edges(START, route, ways)
    for step_id in plan.steps:
        graph.add_conditional_edges(step_id, route, ways)
    return graph.compile(checkpointer=False, name=f"flow:{plan.name}")
