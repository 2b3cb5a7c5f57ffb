"""Assistants with tools of MCP servers, checked, tested and replayed without any server."""

from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig
from soni.audit.turn import RecordedTurn
from soni.config.tool_lock import LockedServer, ToolLock
from soni.config.tool_schema import ToolSchema
from soni.testing import run_tests
from tests.old_mcp_server import OldServer
from tests.talking import FrozenClock, talking_to
from tests.unit.audit.holding import again

YAML = """
settings:
  persistence: {backend: sqlite}
  outgoing: {allow: [127.0.0.1]}
  mcp: {servers: {shop: {url: "URL"}}}
slots:
  product: {prompt: Which product?}
actions:
  quote: {mcp: {server: shop, tool: price}}
flows:
  ask_price:
    trigger: {examples: [price]}
    steps:
      - {action: quote, on_error: failed}
      - {say: "{price} {currency}", jump_to: end}
      - {step: failed, say: "Failed: {_error_type}."}
"""
TESTS = """
tests:
  - name: a price
    stubs: {quote: {price: 12, currency: USD}}
    turns:
      - {user: price, expect: {bot: [Which product?]}}
      - {user: tea, expect: {bot: [12 USD]}}
  - name: sold out
    turns:
      - {user: price}
      - {user: tea, stubs: {quote: {error: tool_error}}, expect: {bot: ["Failed: tool_error."]}}
  - name: nobody is there
    turns:
      - {user: price}
      - {user: tea, expect: {bot: ["Failed: unreachable."]}}
  - name: an output that the tool need not return
    stubs: {quote: {price: 5}}
    turns:
      - {user: price}
      - {user: tea, expect: {actions: [quote], contains: ["5"]}}
  - name: a stub that comes later
    turns:
      - {user: price}
      - {user: tea, expect: {bot: ["Failed: unreachable."]}}
      - {user: price}
      - {user: tea, stubs: {quote: {price: 1, currency: EUR}}, expect: {bot: ["1 EUR"]}}
"""
OBJECT: dict[str, Any] = {"type": "object"}
PRICE = ToolSchema(
    input_schema={
        **OBJECT,
        "properties": {"product": {"type": "string"}, "quantity": {"type": "integer"}},
        "required": ["product"],
    },
    output_schema={
        **OBJECT,
        "properties": {"price": {"type": "number"}, "currency": {"type": "string"}},
        "required": ["price"],
    },
)
LOCK = ToolLock(servers={"shop": LockedServer(tools={"price": PRICE})})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mcp.lock.json").write_text(LOCK.to_json(), encoding="utf-8")
    write(tmp_path, "http://127.0.0.1:9/mcp")
    return tmp_path


def write(folder: Path, url: str) -> None:
    (folder / "soni.yaml").write_text(YAML.replace("URL", url), encoding="utf-8")


async def test_a_conversation_test_gives_tools_stubs(folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tests" / "price.test.yaml").write_text(TESTS, encoding="utf-8")
    results = await run_tests(folder)
    found = {result.name: result.passed for result in results}
    assert list(found.values()) == [True] * 5, [str(result) for result in results]


async def test_a_conversation_is_replayed_without_its_server(folder: Path) -> None:
    with OldServer().running() as server:
        write(folder, f"http://127.0.0.1:{server.port}/mcp")
        config = SoniConfig.load(folder)
        async with RuntimeLoop(config, clock=FrozenClock()) as runtime:
            for text in ("price", "tea"):
                turn = await runtime.turn(text, "ann")
            # The tool has no output schema now. It can still be called as it was.
            assert turn.messages == ["3 EUR"]
            entries = await runtime.store.journal.entries("ann")
    replayed = await again(SoniConfig.load(folder), [RecordedTurn(entry) for entry in entries])
    assert [(each.outcome, each.is_same) for each in replayed] == [("held", True)] * 2


BANK = """
settings:
  outgoing: {allow: [127.0.0.1]}
  mcp: {servers: {shop: {url: "URL"}}}
actions:
  pay: {mcp: {server: shop, tool: price}, inputs: [product], outputs: [price], check_outcome: ask}
  ask: {mcp: {server: shop, tool: price, idempotency_key: product}, inputs: []}
slots:
  product: {prompt: Which product?}
flows:
  buy:
    trigger: {examples: [buy]}
    steps:
      - {action: pay, on_error: failed}
      - {say: "{price}", jump_to: end}
      - {step: failed, say: "Failed: {_error_type}."}
"""


async def test_another_tool_finds_out_what_became_of_a_call(tmp_path: Path) -> None:
    clock = FrozenClock()
    with OldServer().running() as server:
        url = f"http://127.0.0.1:{server.port}/mcp"
        (tmp_path / "soni.yaml").write_text(BANK.replace("URL", url), encoding="utf-8")
        server.answers = ["closed"]
        server.structured = {"done": True, "price": 7}
        async with RuntimeLoop(SoniConfig.load(tmp_path), clock=clock) as runtime:
            await runtime.turn("buy", "ann")
            turn = await runtime.turn("tea", "ann", message_id="m-1")
            assert turn.messages == ["Failed: connection_lost."]
            assert len(await runtime.store.ledger.list_unknown(begun_before=0)) == 1
            for _ in range(2):
                clock.forward(minutes=5)
                await runtime.run_due_jobs()
            assert await runtime.store.ledger.list_unknown(begun_before=2**40) == []


AWAY = """
settings:
  background: {webhook_secret: whsec_bm90IGZvciByZWFsLCBub3QgZm9yIHJlYWw=}
  outgoing: {allow_private: true}
  mcp:
    servers:
      shop:
        command: "false"
        args: [--shop]
        env: {SHOP_HOME: {env: PATH}}
        stderr: inherit
        connect_timeout: 5
      maps:
        url: http://127.0.0.1:9/mcp
        headers: {X-Tenant: {env: PATH, prefix: "of "}}
        max_calls: 2
slots:
  place: {prompt: Where to?}
actions:
  buy: {mcp: {server: shop, tool: order, idempotency_key: request_id}, inputs: []}
  find_way: {mcp: {server: maps, tool: way}, inputs: [place]}
flows:
  buy_it:
    trigger: {examples: [buy]}
    steps:
      - {action: buy, on_error: failed}
      - {step: failed, say: "{_error_type}: {_error_message}"}
  go_there:
    trigger: {examples: [go]}
    steps:
      - {action: find_way, on_error: failed}
      - {step: failed, say: "{_error_type}: {_error_message}"}
"""


async def test_servers_that_are_away_spoil_nothing_but_their_own_actions() -> None:
    async with talking_to(AWAY) as talk:
        (said,) = await talk.say("buy")
        assert said.startswith("unreachable: MCP server 'shop' cannot be used: ")
        assert await talk.say("go") == ["Where to?"]
        (said,) = await talk.say("Madrid")
        assert said.startswith("unreachable: MCP server 'maps' cannot be used: '127.0.0.1' ")
