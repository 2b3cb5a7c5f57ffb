"""An assistant as a graph for a LangGraph server: `langgraph dev` in this folder."""

import os
from pathlib import Path

from soni import RuntimeLoop, SoniConfig
from soni.embedding import make_graph

BANK = Path(__file__).parents[2] / "examples/bank"

graph = make_graph(RuntimeLoop(SoniConfig.load(os.environ.get("SONI_ASSISTANT", BANK))))
