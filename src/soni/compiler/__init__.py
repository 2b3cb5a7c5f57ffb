"""From a flow's plan to a LangGraph graph."""

from soni.compiler.flow_graph import compile_flow
from soni.compiler.node import NodeFactoryRegistry

__all__ = ["NodeFactoryRegistry", "compile_flow"]
