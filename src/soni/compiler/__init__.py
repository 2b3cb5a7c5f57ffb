"""From a flow's plan to the graph that runs it."""

from soni.compiler.flow_graph import (
    FlowGraph,
    NodeFactory,
    NodeFactoryRegistry,
    StepNodeFactory,
    compile_flow,
)

__all__ = ["FlowGraph", "NodeFactory", "NodeFactoryRegistry", "StepNodeFactory", "compile_flow"]
