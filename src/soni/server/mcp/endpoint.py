"""The endpoint of MCP: sessions over streamable HTTP."""

from __future__ import annotations

import asyncio
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from starlette.types import Receive, Scope, Send

from soni.config.server_settings import Server as ServerSettings
from soni.server.conversations import Conversations
from soni.server.problems import ApiProblem
from soni.server.subjects import Subject

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]", "testserver")


class McpEndpoint:
    """Speaks MCP with clients, once the first of them comes."""

    def __init__(
        self,
        talks: Conversations,
        settings: ServerSettings,
        *,
        is_local: bool,
        has_sessions: bool = True,
    ) -> None:
        self._talks = talks
        self._settings = settings
        self._is_local = is_local
        # Several processes have no session in common, so there each call stands alone.
        self._has_sessions = has_sessions
        self._starting = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def handle(self, caller: Subject, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a caller. A session is of use to nobody else."""
        if find_spec("mcp") is None:
            raise ApiProblem("extra_missing", "MCP needs the extra `mcp`")
        manager = await self._start()
        from soni.server.mcp.server import identify_caller

        identify_caller(scope, caller)
        if scope["method"] == "GET":
            with self._talks.connections.enter(caller.id):
                await manager.handle_request(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End all sessions."""
        self._closing.set()
        if self._running is not None:
            await self._running

    async def _start(self) -> StreamableHTTPSessionManager:
        async with self._starting:
            if self._manager is None:
                # It takes nearly a second, in which others are served.
                await asyncio.to_thread(import_module, "soni.server.mcp.server")
                self._manager = self._make_manager()
                ready = asyncio.Event()
                # Sessions belong to one task: a request would take them along when it ends.
                self._running = asyncio.create_task(self._keep_sessions(self._manager, ready))
                await ready.wait()
            if self._running is None or self._running.done():
                raise ApiProblem("busy", "the server is about to stop", retry_after=5)
            return self._manager

    async def _keep_sessions(
        self, manager: StreamableHTTPSessionManager, ready: asyncio.Event
    ) -> None:
        ends = [
            asyncio.ensure_future(each.wait()) for each in (self._closing, self._talks.stopping)
        ]
        try:
            async with manager.run():
                ready.set()
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.set()
            for end in ends:
                end.cancel()

    def _make_manager(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from soni.server.mcp.server import make_server

        hosts = [each for host in LOCAL_HOSTS for each in (host, f"{host}:*")]
        origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
        security = TransportSecuritySettings(
            enable_dns_rebinding_protection=self._is_local,
            allowed_hosts=hosts,
            allowed_origins=[*origins, *self._settings.allowed_origins],
        )
        return StreamableHTTPSessionManager(
            make_server(self._talks),
            stateless=not self._has_sessions,
            security_settings=security,
            max_sessions=self._settings.limits.connections,
            max_request_body_size=self._settings.limits.max_body_bytes,
        )
