"""From a flow's plan to a LangGraph graph."""

from soni.compiler.flow_graph import compile_flow
from soni.compiler.node_factories import NodeFactory, NodeFactoryRegistry, StepNodeFactory

__all__ = ["NodeFactory", "NodeFactoryRegistry", "StepNodeFactory", "compile_flow"]
