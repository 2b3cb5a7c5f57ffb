"""From a flow's plan to a LangGraph graph."""

from soni.compiler.flow_graph import NodeFactory, NodeFactoryRegistry, StepNodeFactory, compile_flow

__all__ = ["NodeFactory", "NodeFactoryRegistry", "StepNodeFactory", "compile_flow"]
