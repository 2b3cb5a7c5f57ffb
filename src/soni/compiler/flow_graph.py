"""FlowGraph: a plan becomes a graph with one node per step."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from soni.compiler.node import StepNode
from soni.compiler.state import APPENDED, FlowState
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


class FlowGraph:
    """A flow as a graph with one node per step, entered at the step where the flow stands.

    `run` walks its nodes; `run_traced` has LangGraph run them. Both lead to the same state.
    """

    def __init__(self, plan: FlowPlan, registry: NodeFactoryRegistry | None = None) -> None:
        factories = registry or NodeFactoryRegistry()
        self.plan = plan
        self._nodes = {
            step_id: factories.create(planned, plan) for step_id, planned in plan.steps.items()
        }

    @cached_property
    def graph(self) -> Any:
        """The graph as LangGraph's own, to be drawn, traced or extended.

        It has no checkpointer: a turn is saved as a whole, by the graph around it.
        """
        graph = StateGraph(FlowState, context_schema=RuntimeContext)
        for step_id, node in self._nodes.items():
            # Given as an argument, because LangGraph would read annotations again for each step.
            graph.add_node(step_id, _RoutedNode(node, self.plan), input_schema=FlowState)

        async def enter(state: Mapping[str, Any]) -> str:
            return _route_onward(state, self.plan)

        graph.add_conditional_edges(START, enter, [*self.plan.steps, END])
        return graph.compile(checkpointer=False, name=f"flow:{self.plan.name}")

    async def run(
        self, start: FlowState, runtime: Runtime[RuntimeContext], limit: int
    ) -> FlowState:
        """Run step after step until the flow waits, ends or requests something.

        The steps follow one another and nothing is saved between them. So all that LangGraph
        would add is the cost of a graph run, which is several times that of a step.
        """
        state = start
        for _ in range(limit):
            following = _route_onward(state, self.plan)
            if following == END:
                return state
            state = _apply_update(state, await self._nodes[following](state, runtime))
            # Other conversations get their chance between two steps, however many there are.
            await asyncio.sleep(0)
        raise SoniError(
            f"flow '{self.plan.name}' ran {limit} steps in one turn and neither waited nor ended; "
            "a node factory's node must count its runs in `runs`, or end its loop itself"
        )

    async def run_traced(
        self, start: FlowState, runtime: Runtime[RuntimeContext], limit: int
    ) -> FlowState:
        """The same as a run of LangGraph's, which tracers can follow."""
        end: FlowState = await self.graph.ainvoke(
            start, {"recursion_limit": limit}, context=runtime.context
        )
        return end


def compile_flow(plan: FlowPlan, registry: NodeFactoryRegistry | None = None) -> Any:
    """The flow's graph as LangGraph's own. It is entered at the step that its state names."""
    return FlowGraph(plan, registry).graph


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


def _apply_update(state: FlowState, update: Mapping[str, Any]) -> FlowState:
    """The state after a node's update, by the reducers that `FlowState` declares."""
    after: dict[str, Any] = {**state, **update}
    for name in APPENDED:
        if name in update:
            after[name] = [*state[name], *update[name]]
    return cast(FlowState, after)


def _route_onward(state: Mapping[str, Any], plan: FlowPlan) -> str:
    stops = state["_need_input"] or state["request"] or state["step"] not in plan.steps
    return END if stops else str(state["step"])
