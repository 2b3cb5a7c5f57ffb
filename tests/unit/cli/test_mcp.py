"""`soni mcp`: what the tools of servers take and return."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from tests.old_mcp_server import OldServer

YAML = """
settings:
  outgoing: {allow: [127.0.0.1]}
  mcp: {servers: {shop: {url: "URL"}}}
slots:
  product: {prompt: Which product?}
actions:
  quote: {mcp: {server: shop, tool: TOOL}}
flows:
  ask_price:
    trigger: {examples: [price]}
    steps:
      - action: quote
      - say: "{text}"
"""


def soni(*arguments: object) -> Result:
    given = list(map(str, arguments))
    return CliRunner().invoke(make_app(given), given)


@pytest.fixture
def server() -> Iterator[OldServer]:
    with OldServer().running() as server:
        yield server


def write(folder: Path, port: int, tool: str = "price") -> None:
    text = YAML.replace("URL", f"http://127.0.0.1:{port}/mcp").replace("TOOL", tool)
    (folder / "soni.yaml").write_text(text, encoding="utf-8")


def test_what_servers_say_is_kept_for_the_checks(server: OldServer, tmp_path: Path) -> None:
    write(tmp_path, server.port)
    assert "E523" in soni("check", tmp_path).output
    assert soni("mcp", "sync", tmp_path, "--check").exit_code == 1
    assert not (tmp_path / "mcp.lock.json").exists()
    first = soni("mcp", "sync", tmp_path)
    assert (first.exit_code, first.output) == (0, "mcp.lock.json written: 1 in use\n")
    assert soni("check", tmp_path).output == "ok: 1 flow, 1 slot, 1 action\n"
    assert soni("mcp", "sync", tmp_path).output == "mcp.lock.json is up to date: 1 in use\n"
    assert soni("mcp", "sync", tmp_path, "--check").exit_code == 0
    # A lock that nobody can read is written anew.
    (tmp_path / "mcp.lock.json").write_text("{", encoding="utf-8")
    assert "E527" in soni("check", tmp_path).output
    assert soni("mcp", "sync", tmp_path).exit_code == 0


def test_a_misspelt_tool_is_found_after_asking(server: OldServer, tmp_path: Path) -> None:
    write(tmp_path, server.port, "prise")
    assert soni("mcp", "sync", tmp_path).exit_code == 0
    assert "did you mean 'price'?" in soni("check", tmp_path).output


def test_tools_are_listed(server: OldServer, tmp_path: Path) -> None:
    write(tmp_path, server.port)
    assert soni("mcp", "tools", tmp_path).output == "shop: price(product, quantity?) -> text\n"
    (line,) = soni("mcp", "tools", tmp_path, "shop", "--json").output.splitlines()
    assert json.loads(line)["input_schema"]["required"] == ["product"]
    unknown = soni("mcp", "tools", tmp_path, "maps")
    assert (unknown.exit_code, "available: shop" in unknown.output) == (1, True)


def test_a_server_that_is_away_is_told(tmp_path: Path) -> None:
    with OldServer().running() as server:
        write(tmp_path, server.port)
    failed = soni("mcp", "sync", tmp_path)
    assert failed.exit_code == 1
    assert "MCP server 'shop' cannot be used: '127.0.0.1' does not answer" in failed.output
    assert not (tmp_path / "mcp.lock.json").exists()


def test_other_mistakes_come_first(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text("flows: 3\n", encoding="utf-8")
    assert "E103" in soni("mcp", "sync", tmp_path).output
