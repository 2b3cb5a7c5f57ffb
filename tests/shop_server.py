"""A shop as an MCP server: `python shop_server.py` speaks over its input and output.

What it was asked to do is written to the file that SHOP_LOG names, one line each.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel


class Price(BaseModel):
    price: float
    currency: str = "EUR"
    note: str | None = None


class Order(BaseModel):
    order: str


class Offers(BaseModel):
    items: list[str]


def note(line: str) -> None:
    log = os.environ.get("SHOP_LOG")
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def make_shop(extra_input: bool = False) -> MCPServer[Any]:
    """The server; with an extra input, as it is after a change."""
    shop: MCPServer[Any] = MCPServer("shop")

    if extra_input:

        @shop.tool()
        def price(product: str, country: str) -> Price:
            return Price(price=9.0)
    else:

        @shop.tool()  # type: ignore[no-redef]
        def price(product: str, quantity: int = 1) -> Price:
            note(f"price {product} {quantity}")
            return Price(price=2.5 * quantity)

    @shop.tool()
    def order(product: str, request_id: str = "") -> Order:
        note(f"order {product} {request_id}")
        return Order(order="O-1")

    @shop.tool()
    def offers() -> Offers:
        return Offers(items=["tea", "{secret}"])

    @shop.tool(structured_output=False)
    def describe(product: str) -> str:
        return f"{product} {{product}} {{{{ 1 + 1 }}}}"

    @shop.tool()
    def sold_out(product: str) -> Price:
        raise ToolError(f"{product} is sold out")

    @shop.tool()
    def crash(product: str) -> Price:
        note(f"crash {product}")
        os._exit(3)

    @shop.tool()
    async def slow(product: str) -> Price:
        note(f"slow {product}")
        await asyncio.sleep(60)
        return Price(price=1)

    @shop.tool(structured_output=False)
    def big(chars: int) -> str:
        return "x" * chars

    @shop.tool()
    def secret(ctx: Context[Any]) -> Order:
        """What the client is known by: a header, or a variable of the environment."""
        headers = ctx.headers or {}
        return Order(order=headers.get("authorization") or os.environ.get("SHOP_TOKEN", "nobody"))

    return shop


if __name__ == "__main__":
    note(f"started {os.getpid()}")
    make_shop().run("stdio")
