"""What docs/protocols.md and docs/mcp-server.md show is what happens."""

import io
import re
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from soni.core.access_key import Role
from soni.server import ServerOptions, create_app
from tests.protocol_server import run_app

ROOT = Path(__file__).parents[3]
PAGES = ("protocols.md", "mcp-server.md")
SNIPPET = re.compile(r"```py\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
SNIPPETS = [
    found.groups()
    for page in PAGES
    for found in SNIPPET.finditer((ROOT / "docs" / page).read_text(encoding="utf-8"))
]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[str]:
    ignored = shutil.ignore_patterns(".*", "__*")
    folder = shutil.copytree(ROOT / "examples/bank", tmp_path / "bank", ignore=ignored)
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    with run_app(create_app(folder, options=options)) as url:
        yield url


def test_both_pages_have_snippets() -> None:
    assert len(SNIPPETS) == 3


@pytest.mark.parametrize(("code", "shown"), SNIPPETS)
def test_each_snippet_prints_what_the_page_says(bank: str, code: str, shown: str | None) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code.replace("http://127.0.0.1:8000", bank), "<snippet>", "exec"), {})
    assert printed.getvalue().strip()
    if shown is not None:
        assert printed.getvalue() == shown
