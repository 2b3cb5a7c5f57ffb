"""Every assistant and every piece of Python in the docs works."""

import re
from pathlib import Path

import pytest

from soni import SoniConfig
from tests.program import python

DOCS = sorted((Path(__file__).parents[2] / "docs").rglob("*.md"))
ACTIONS = """
from soni import action

@action
def quote_price(weight: float, country: str = ""): return {"price": 12}

@action
def ship(): return {"tracking": "T-1"}

@action
def was_shipped(ctx): return {"done": None}
"""


def blocks(language: str) -> list[str]:
    texts = (page.read_text(encoding="utf-8") for page in DOCS)
    return [
        block
        for text in texts
        for name, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)
        if name == language
    ]


@pytest.mark.parametrize("written", blocks("yaml"))
def test_each_assistant_in_the_docs_has_no_problem(written: str, tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(written, encoding="utf-8")
    (tmp_path / "actions.py").write_text(ACTIONS, encoding="utf-8")
    assert SoniConfig.load(tmp_path).flows


@pytest.mark.parametrize("code", blocks("python"))
def test_each_piece_of_python_in_the_docs_runs(code: str, tmp_path: Path) -> None:
    done = python(code, tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
