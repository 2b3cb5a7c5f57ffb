"""Assistants that use the shop of `shop_server.py`, started as a process or by HTTP."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from soni import SoniConfig
from soni.actions.mcp.servers import McpServers
from soni.config.load import examine_assistant
from soni.config.tool_lock import LOCK_FILE
from tests.shop_server import make_shop

SCRIPT = Path(__file__).with_name("shop_server.py")
FLOWS = """
slots:
  product: {prompt: Which product?}
  quantity: {type: integer}
  items: {type: list}

actions:
  quote: {mcp: {server: shop, tool: price}, outputs: [price, currency], repeatable: true}
  buy: {mcp: {server: shop, tool: order, idempotency_key: request_id}}
  describe: {mcp: {server: shop, tool: describe}, outputs: [text]}
  list_offers: {mcp: {server: shop, tool: offers}}
  ask_sold_out: {mcp: {server: shop, tool: sold_out}}
  break_it: {mcp: {server: shop, tool: crash}}
  wait_for_it: {mcp: {server: shop, tool: slow}}
  fill: {mcp: {server: shop, tool: big}}
  who: {mcp: {server: shop, tool: secret}}

flows:
  ask_price:
    trigger: {examples: [price]}
    steps:
      - {action: quote, on_error: failed}
      - {say: "{price} {currency}", jump_to: end}
      - {step: failed, say: "{_error_type}: {_error_message}"}
  buy_it:
    trigger: {examples: [buy]}
    steps:
      - {action: buy}
      - say: "{order}"
  describe_it:
    trigger: {examples: [describe]}
    steps:
      - action: describe
      - say: "{text}"
  show_offers:
    trigger: {examples: [offers]}
    steps:
      - action: list_offers
      - say: "{items}"
  sold_out:
    trigger: {examples: [rare]}
    steps:
      - {action: ask_sold_out, on_error: failed}
      - {say: never, jump_to: end}
      - {step: failed, say: "{_error_type}: {_error_message}"}
  crash:
    trigger: {examples: [crash]}
    steps:
      - {action: break_it, on_error: failed}
      - {say: never, jump_to: end}
      - {step: failed, say: "{_error_type}: {_error_message}"}
  wait:
    trigger: {examples: [wait]}
    steps:
      - {action: wait_for_it, timeout: 0.5, on_error: failed}
      - {say: never, jump_to: end}
      - {step: failed, say: "{_error_type}"}
  fill_it:
    trigger: {examples: [fill]}
    steps:
      - {action: fill, inputs: {chars: 300000}, on_error: failed}
      - {say: never, jump_to: end}
      - {step: failed, say: "{_error_type}: {_error_message}"}
  who_am_i:
    trigger: {examples: [who]}
    steps:
      - action: who
      - say: "{order}"
"""


class Shop:
    """A folder with an assistant, and what its shop was asked to do."""

    def __init__(self, folder: Path, settings: dict[str, Any], flows: str = FLOWS) -> None:
        self.folder = folder
        self._flows = flows
        self.log = folder / "shop.log"
        self.write(settings)

    def write(self, settings: dict[str, Any]) -> None:
        text = f"settings: {json.dumps(settings)}\n{self._flows}"
        (self.folder / "soni.yaml").write_text(text, encoding="utf-8")

    def load(self) -> SoniConfig:
        return SoniConfig.load(self.folder)

    @property
    def asked(self) -> list[str]:
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [line for line in lines if not line.startswith("started")]

    @property
    def processes(self) -> list[int]:
        lines = self.log.read_text("utf-8").splitlines()
        return [int(line.split()[1]) for line in lines if line.startswith("started")]


def make_stdio_settings(folder: Path, **server: Any) -> dict[str, Any]:
    env = {"SHOP_LOG": str(folder / "shop.log")}
    started = {"command": sys.executable, "args": [str(SCRIPT)], "env": env}
    return {"mcp": {"servers": {"shop": {**started, **server}}}}


def make_http_settings(url: str, **server: Any) -> dict[str, Any]:
    return {
        "outgoing": {"allow": ["127.0.0.1"]},
        "mcp": {"servers": {"shop": {"url": url, **server}}},
    }


async def lock_tools(shop: Shop) -> None:
    """What `soni mcp sync` does."""
    config = examine_assistant(shop.folder).config
    assert config is not None
    servers = McpServers(config)
    lock = await servers.make_lock()
    await servers.close()
    (shop.folder / LOCK_FILE).write_text(lock.to_json(), encoding="utf-8")


@contextmanager
def serve_shop(port: int = 0, **options: Any) -> Iterator[str]:
    """A shop over HTTP in a thread; its address."""
    stateless = options.pop("stateless", False)
    app = make_shop(**options).streamable_http_app(stateless_http=stateless)
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
