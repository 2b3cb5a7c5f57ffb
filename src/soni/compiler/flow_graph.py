"""compile_flow: a plan becomes a LangGraph graph, one node per step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from soni.compiler.node import StepNode
from soni.compiler.state import FlowState
from soni.config.plan import FlowPlan
from soni.core.errors import SoniError
from soni.core.types import NodeFunction, RuntimeContext
from soni.steps import step_types

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan, PlannedStep


class NodeFactory(Protocol):
    """Makes graph nodes for one type of step."""

    def create(self, planned: PlannedStep, plan: FlowPlan) -> NodeFunction:
        """The node of one step. It takes a `FlowState` and returns updates for it."""
        ...


class StepNodeFactory:
    """Makes the node that every step type gets unless a factory was registered for it.

    The behaviour of a type is in its step: `steps/collect.py` says what a collect does.
    """

    def create(self, planned: PlannedStep, plan: FlowPlan) -> NodeFunction:
        """A node that runs the step."""
        return StepNode(planned, plan)


class NodeFactoryRegistry:
    """Node factories by step type. Hand it over with `RuntimeLoop(config, node_factories=...)`.

    registry = NodeFactoryRegistry()
    registry.register("collect", MyCollectNodeFactory())
    """

    def __init__(self, factories: Mapping[str, NodeFactory] | None = None) -> None:
        self._factories: dict[str, NodeFactory] = {}
        for step_type, factory in (factories or {}).items():
            self.register(step_type, factory)

    def register(self, step_type: str, factory: NodeFactory) -> None:
        """Let a factory make the nodes of a step type, in place of the one before."""
        available = sorted(step_types())
        if step_type not in available:
            raise SoniError(
                f"cannot register a node factory for '{step_type}': there is no such step type; "
                f"available: {', '.join(available)}"
            )
        self._factories[step_type] = factory

    def create(self, planned: PlannedStep, plan: FlowPlan) -> NodeFunction:
        """The node of one step."""
        factory = self._factories.get(planned.step.type) or StepNodeFactory()
        return factory.create(planned, plan)


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
