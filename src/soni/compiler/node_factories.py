"""Node factories: make the graph nodes of steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from soni.compiler.node import StepNode
from soni.core.errors import SoniError
from soni.core.types import NodeFunction
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
