"""ServerSession: an open session with one server, held by a task of its own.

A session must be closed by the task that opened it, and any turn may be the first that needs one.
"""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO, cast

import structlog
from mcp import Client, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from soni.actions.mcp.http import make_http_client
from soni.config.mcp_server import McpServerConfig, resolve_values
from soni.config.tool_schema import ToolSchema
from soni.core.addresses import AddressPolicy
from soni.core.errors import SoniError

_log = structlog.get_logger("soni.mcp")

_MAX_PAGES: Final = 100
_MAX_REASON: Final = 300


class UnreachableServer(SoniError):  # noqa: N818 - what was found
    """A server cannot be used: it was not called."""


class ServerSession:
    """One session. When it is lost it stays so; its owner opens another."""

    def __init__(
        self,
        name: str,
        server: McpServerConfig,
        *,
        folder: Path | None,
        policy: AddressPolicy,
        max_bytes: int,
        stderr: bool = False,
    ) -> None:
        self._name, self._server = name, server
        self._folder, self._policy, self._max_bytes = folder, policy, max_bytes
        self._shows_errors = stderr or server.stderr == "inherit"
        self.tools: dict[str, ToolSchema] = {}
        """The tools that the server has."""

        self.places = asyncio.Semaphore(server.max_calls)
        self._over = asyncio.Event()
        self._opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        # Whoever waited for it may be gone.
        self._opened.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._task = asyncio.create_task(self._keep_open(), name=f"soni-mcp-{name}")

    async def get_client(self) -> Client:
        """The client once it is connected; raises `UnreachableServer`."""
        return await asyncio.shield(self._opened)

    @property
    def is_usable(self) -> bool:
        """Whether it is open, or about to be, in this event loop."""
        here = self._task.get_loop() is asyncio.get_running_loop()
        return here and not self._task.done() and not self._over.is_set()

    def end(self) -> None:
        """Let it close by itself."""
        self._over.set()

    async def close(self) -> None:
        """Close it. A server that was started is stopped, however it behaves."""
        self._over.set()
        if self._task.get_loop() is asyncio.get_running_loop():
            await asyncio.wait({self._task})

    async def _keep_open(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self._server.connect_timeout):
                    client = await self._open_client(stack)
                    self.tools = await _list_tools(client)
                self._opened.set_result(client)
                await self._over.wait()
        except Exception as error:
            reason = self._explain_failure(error)
            if not self._opened.done():
                self._opened.set_exception(UnreachableServer(reason))
            _log.warning("mcp_session_failed", server=self._name, reason=reason)
        finally:
            self._over.set()
            self._opened.cancel()

    async def _open_client(self, stack: AsyncExitStack) -> Client:
        transport = await self._make_transport(stack)
        client = Client(_watch(transport, self._over), cache=None)
        return await stack.enter_async_context(client)

    async def _make_transport(self, stack: AsyncExitStack) -> Transport:
        server = self._server
        if server.url is not None:
            http = make_http_client(
                resolve_values(server.headers),
                self._policy,
                self._max_bytes,
                server.connect_timeout,
            )
            await stack.enter_async_context(http)
            return streamable_http_client(
                server.url, http_client=http, max_sse_event_size=self._max_bytes
            )
        assert server.command is not None  # the model demands one of the two
        parameters = StdioServerParameters(
            command=server.command,
            args=list(server.args),
            env=resolve_values(server.env),
            cwd=self._folder,
        )
        # It is handed to the process as it is, which takes more than the annotation says; None is
        # this process's own error output, even where Python's `sys.stderr` is something else.
        errors = None if self._shows_errors else subprocess.DEVNULL
        return stdio_client(parameters, cast(TextIO, errors))

    def _explain_failure(self, error: BaseException) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, TimeoutError):
            reason = f"no answer within {self._server.connect_timeout:g} seconds"
        elif isinstance(error, FileNotFoundError):
            reason = f"there is no program '{self._server.command}'"
        elif isinstance(error, MCPError | SoniError):
            reason = str(error)
        else:
            reason = type(error).__name__
        return f"MCP server '{self._name}' cannot be used: {reason[:_MAX_REASON]}"


async def _list_tools(client: Client) -> dict[str, ToolSchema]:
    found: dict[str, ToolSchema] = {}
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            found[tool.name] = ToolSchema(
                input_schema=tool.input_schema, output_schema=tool.output_schema
            )
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


@asynccontextmanager
async def _watch(transport: Transport, over: asyncio.Event) -> AsyncIterator[Any]:
    """The transport; `over` is set when the server has closed it."""
    async with transport as (incoming, outgoing):
        yield _Watched(incoming, over), outgoing


class _Watched:
    """A stream that tells when it has ended: a server that has died is not called."""

    def __init__(self, inner: Any, over: asyncio.Event) -> None:
        self._inner, self._over = inner, over

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Any:
        return await self._inner.receive()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._inner.__anext__()
        except BaseException:
            self._over.set()
            raise

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        ended: bool | None = await self._inner.__aexit__(kind, error, traceback)
        return ended
