"""McpServers: places for calls, what is told at start, and the end of servers."""

import asyncio
from pathlib import Path

import pytest
from mcp_types import (
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)

from soni.actions.mcp.result import read_result
from soni.actions.mcp.servers import McpServers
from soni.config.assistant import Assistant
from soni.config.tool_action import get_tool_action
from soni.config.tool_lock import LockedServer, ToolLock
from soni.config.tool_schema import ToolSchema
from soni.core.errors import ActionError
from tests.shop import Shop, make_stdio_settings

CALLS = """
slots: {product: {prompt: Which product?}}
actions:
  quote: {mcp: {server: shop, tool: price}, inputs: [product]}
  wait_for_it: {mcp: {server: shop, tool: slow}, inputs: [product]}
flows:
  ask:
    trigger: {examples: [price]}
    steps: [{action: quote}, {action: wait_for_it}]
"""


async def test_calls_wait_for_a_place_and_end_with_the_server(tmp_path: Path) -> None:
    # Nothing is locked: tools can be called by what the contracts say.
    shop = Shop(tmp_path, make_stdio_settings(tmp_path, max_calls=1, stderr="inherit"), CALLS)
    assistant = Assistant(shop.load())
    servers = McpServers(assistant.config)

    async def call(action: str, seconds: float) -> object:
        tool = get_tool_action(assistant.functions.actions[action])
        assert tool is not None
        signature = assistant.get_signature(action)
        given = {"product": "tea"}
        return await servers.call(tool, given, signature=signature, key="k", seconds=seconds)

    assert await call("quote", 30) == {"price": 2.5, "currency": "EUR", "note": None}
    first = asyncio.create_task(call("wait_for_it", 60))
    async with asyncio.timeout(10):
        while "slow tea" not in shop.asked:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
    with pytest.raises(ActionError, match="was busy") as busy:
        await call("quote", 0.1)
    assert busy.value.type == "busy"
    await servers.close()
    with pytest.raises(ActionError, match="not known") as lost:
        await first
    assert lost.value.type == "connection_lost"
    (process,) = shop.processes
    assert not Path(f"/proc/{process}").exists()


async def test_what_is_wrong_with_servers_is_told_at_start(tmp_path: Path) -> None:
    shop = Shop(tmp_path, make_stdio_settings(tmp_path), CALLS)
    before = {"price": ToolSchema(), "old": ToolSchema()}
    lock = ToolLock(servers={"shop": LockedServer(tools=before)})
    servers = McpServers(shop.load().with_tools(lock))
    assert await servers.find_problems() == [
        "tool 'price' of server 'shop' has changed: "
        "run `soni mcp sync`, which asks the servers and writes mcp.lock.json",
        "MCP server 'shop' no longer has the tool 'old'",
    ]
    made = await servers.make_lock()
    await servers.close()
    assert sorted(made.servers["shop"].tools) == ["price", "slow"]
    away = make_stdio_settings(tmp_path, command="no-such-program")
    config = shop.load()
    mcp = config.settings.model_validate(away)
    servers = McpServers(config.model_copy(update={"settings": mcp}))
    (problem,) = await servers.find_problems()
    assert "there is no program 'no-such-program'" in problem


def test_words_of_a_tool_are_its_text() -> None:
    resource = TextResourceContents(uri="shop://tea", text="green", mime_type="text/plain")
    result = CallToolResult(
        content=[
            TextContent(text="Tea"),
            ImageContent(data="eA==", mime_type="image/png"),
            EmbeddedResource(resource=resource),
        ]
    )
    assert read_result(result, None) == {"text": "Tea\ngreen"}
    assert read_result(result, ("text",)) == "Tea\ngreen"
    assert read_result(result, ("summary",)) == "Tea\ngreen"
    structured = result.model_copy(update={"structured_content": {"price": 3}})
    assert read_result(structured, None) == {"price": 3}
    assert read_result(structured, ("price", "text")) == {"price": 3, "text": "Tea\ngreen"}
    number = result.model_copy(update={"structured_content": 3})
    assert (read_result(number, None), read_result(number, ("price",))) == ({"result": 3}, 3)


def test_a_tool_that_failed_without_a_word_is_an_error() -> None:
    with pytest.raises(ActionError, match="did not say why"):
        read_result(CallToolResult(content=[], is_error=True), None)
