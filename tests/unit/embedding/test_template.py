"""deploy/langgraph: the template for a LangGraph server."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "deploy/langgraph"
PAGE = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["graph.py", "langgraph.json"])
def test_the_docs_show_the_template_as_it_is(name: str) -> None:
    assert f"\n{(FOLDER / name).read_text(encoding='utf-8')}```\n" in PAGE


async def test_the_graph_that_the_template_names_talks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__URL", str(tmp_path / "bank.db"))
    named = json.loads((FOLDER / "langgraph.json").read_text(encoding="utf-8"))["graphs"]["bank"]
    file, _, variable = named.partition(":")
    graph: Any = runpy.run_path(str(FOLDER / file))[variable]
    assert isinstance(graph, CompiledStateGraph)
    thread = {"configurable": {"thread_id": "t1"}}
    asked = await graph.ainvoke({"messages": [("user", "what's my balance?")]}, thread)
    assert asked["waiting"]["slot"] == "account"
