"""Assistants inside of somebody's LangGraph application, or on a LangGraph server."""

from soni.embedding.caller import Caller, identify_caller
from soni.embedding.graph import make_graph
from soni.embedding.node import make_node

__all__ = ["Caller", "identify_caller", "make_graph", "make_node"]
