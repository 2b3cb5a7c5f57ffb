"""MCP over standard input and output: one client, which has started this process."""

import asyncio
import secrets
import time
from pathlib import Path
from typing import Final

from mcp.server.stdio import stdio_server

from soni.audit.source import add_default_store
from soni.config.soni_config import SoniConfig
from soni.runtime.loop import RuntimeLoop
from soni.server.conversations import Conversations
from soni.server.mcp.server import LocalClient, make_server
from soni.server.subjects import Subject

_SUBJECT: Final = "local:mcp"


async def serve_stdio(folder: Path) -> None:
    """Serve until the client closes the input. It has one conversation, a new one each time."""
    config = add_default_store(SoniConfig.load(folder))
    async with RuntimeLoop(config) as runtime, runtime.background():
        limits = config.settings.server.limits
        talks = Conversations(runtime, limits, time.time, asyncio.Event())
        server = make_server(talks, LocalClient(Subject(_SUBJECT), secrets.token_hex(16)))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
