"""`soni mcp serve`: the assistant as a program that an MCP client starts."""

import os
import sys
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

from soni.cli.main import make_app
from tests.protocol_server import Served, write_bank


async def test_a_client_that_starts_it_is_asked_and_gets_the_outputs(tmp_path: Path) -> None:
    write_bank(tmp_path)
    answers: list[Any] = ["savings", False, True]

    async def answer(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": answers.pop(0)})

    environment = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    source = str(Path(make_app.__code__.co_filename).parents[2])
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "soni", "mcp", "serve", str(tmp_path)],
        env={**environment, "PYTHONPATH": source},
    )
    async with Client(program, mode="auto", elicitation_callback=answer) as client:
        result = await client.call_tool("send_money", {"recipient": "Bob", "amount": 50})
    assert result.structured_content["outputs"] == {"reference": "T-1"}
    assert Served("", tmp_path, "", "").sent == ["Bob 50 savings False"]
