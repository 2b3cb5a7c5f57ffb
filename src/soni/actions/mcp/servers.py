"""McpServers: the servers of one runtime, each with at most one session."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import structlog

from soni.config.signature import ActionSignature
from soni.config.soni_config import SoniConfig
from soni.config.tool_action import ToolAction
from soni.config.tool_lock import SYNC_REMEDY, LockedServer, ToolLock
from soni.config.tool_schema import ToolSchema
from soni.core.errors import CONNECTION_LOST, ActionError, SoniError
from soni.flow.plain import make_plain

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError

    from soni.actions.mcp.session import ServerSession

_log = structlog.get_logger("soni.mcp")

_PREPARATION: Final = 0.8
"""The part of a call's time that connecting and waiting for a place may take."""

_BYTES_PER_CHAR: Final = 8
"""A reply may hold its result twice, as text and as data, and write letters as escapes."""

_BYTES_ASIDE: Final = 65_536


class McpServers:
    """Calls tools. Sessions are opened when they are first needed, and anew when they are lost."""

    def __init__(self, config: SoniConfig, *, stderr: bool = False) -> None:
        self._config = config
        self._stderr = stderr
        self._sessions: dict[str, ServerSession] = {}

    async def call(
        self,
        tool: ToolAction,
        inputs: Mapping[str, Any],
        *,
        signature: ActionSignature,
        key: str,
        seconds: float,
    ) -> Any:
        """Call a tool and return its outputs; every failure is an `ActionError`."""
        arguments: dict[str, Any] = make_plain(inputs)
        if tool.use.idempotency_key is not None:
            arguments[tool.use.idempotency_key] = key
        try:
            return await self._call(tool, arguments, signature, seconds)
        except _ForgottenSession:
            # The server was started anew. It refused the call, so that it may be sent again.
            _log.info("mcp_session_forgotten", server=tool.use.server)
        try:
            return await self._call(tool, arguments, signature, seconds)
        except _ForgottenSession as error:
            raise ActionError("unreachable", f"it was not called: {error}") from None

    async def list_tools(self, server: str) -> dict[str, ToolSchema]:
        """The tools that a server has now; raises `ActionError` if it cannot be reached."""
        timeout = self._config.settings.mcp.servers[server].connect_timeout
        return (await self._open(server, 2 * timeout)).tools

    async def make_lock(self) -> ToolLock:
        """What the servers say now about the tools that the assistant uses."""
        used: dict[str, set[str]] = {}
        for contract in self._config.actions.values():
            if contract.mcp is not None:
                used.setdefault(contract.mcp.server, set()).add(contract.mcp.tool)
        servers = {}
        for server, names in sorted(used.items()):
            tools = await self.list_tools(server)
            servers[server] = LockedServer(
                tools={name: tool for name, tool in tools.items() if name in names},
                others=tuple(sorted(tools.keys() - names)),
            )
        return ToolLock(servers=servers)

    async def find_problems(self) -> list[str]:
        """What is wrong with the servers that the assistant uses; opens each of them."""
        problems = []
        used = {each.mcp.server for each in self._config.actions.values() if each.mcp}
        for server in sorted(used):
            try:
                tools = await self.list_tools(server)
            except ActionError as error:
                problems.append(error.message)
            else:
                problems += self._list_changes(server, tools).values()
        return problems

    async def close(self) -> None:
        """Close all sessions, and stop the servers that were started."""
        sessions, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(session.close() for session in sessions))

    async def _open(self, name: str, seconds: float) -> "ServerSession":
        try:
            from soni.actions.mcp.session import UnreachableServer
        except ImportError:
            raise SoniError("MCP needs a package: install `soni[mcp]`") from None
        session = self._sessions.get(name)
        begins = session is None or not session.is_usable
        if session is None or begins:
            session = self._sessions[name] = self._make_session(name)
        try:
            async with asyncio.timeout(seconds):
                await session.get_client()
        except UnreachableServer as error:
            raise ActionError("unreachable", str(error)) from None
        except TimeoutError:
            message = f"MCP server '{name}' cannot be used: no answer within {seconds:g} seconds"
            raise ActionError("unreachable", message) from None
        if begins:
            for changed, text in self._list_changes(name, session.tools).items():
                _log.warning("mcp_tool_changed", server=name, tool=changed, reason=text)
        return session

    def _make_session(self, name: str) -> "ServerSession":
        from soni.actions.mcp.session import ServerSession

        server = self._config.settings.mcp.servers.get(name)
        if server is None:
            # An open task of an earlier version may name a server that is gone.
            raise ActionError("unreachable", f"no MCP server is named '{name}'")
        chars = self._config.settings.limits.max_output_chars
        return ServerSession(
            name,
            server,
            folder=self._config.folder,
            policy=self._config.settings.outgoing.make_policy(),
            max_bytes=chars * _BYTES_PER_CHAR + _BYTES_ASIDE,
            stderr=self._stderr,
        )

    async def _call(
        self,
        tool: ToolAction,
        arguments: dict[str, Any],
        signature: ActionSignature,
        seconds: float,
    ) -> Any:
        session = await self._open(tool.use.server, seconds * _PREPARATION)
        _refuse_changed(session.tools.get(tool.use.tool), tool, arguments, signature)
        from mcp.shared.exceptions import MCPError

        from soni.actions.mcp.result import read_result

        client = await session.get_client()
        try:
            async with _take_place(session, tool.use.server, seconds * _PREPARATION):
                result = await client.call_tool(tool.use.tool, arguments)
        except MCPError as error:
            explained = _explain_error(error)
            if isinstance(explained, _ForgottenSession):
                session.end()
            raise explained from error
        except RuntimeError as error:
            # The package checks results by the schema, and its message holds the values.
            reason = f"{tool.describe_tool()} returned something else than its schema says"
            raise ActionError("bad_output", reason) from error
        return read_result(result, signature.outputs)

    def _list_changes(self, server: str, tools: Mapping[str, ToolSchema]) -> dict[str, str]:
        """Tools that are not as they were when the server was asked: name -> words."""
        found = {}
        locked = self._config.tools.servers.get(server)
        for name, before in locked.tools.items() if locked else ():
            now = tools.get(name)
            if now is None:
                found[name] = f"MCP server '{server}' no longer has the tool '{name}'"
            elif now != before:
                found[name] = f"tool '{name}' of server '{server}' has changed: {SYNC_REMEDY}"
        return found


@asynccontextmanager
async def _take_place(session: "ServerSession", server: str, seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            await session.places.acquire()
    except TimeoutError:
        message = f"MCP server '{server}' was busy with other calls: it was not called"
        raise ActionError("busy", message) from None
    try:
        yield
    finally:
        session.places.release()


def _refuse_changed(
    now: ToolSchema | None,
    tool: ToolAction,
    arguments: Mapping[str, Any],
    signature: ActionSignature,
) -> None:
    """Raise unless the tool, as it is now, can be called as it was."""
    if now is None:
        message = f"MCP server '{tool.use.server}' has no tool '{tool.use.tool}'"
        raise ActionError("unknown_tool", message)
    if tool.schema is None or now == tool.schema:
        return
    needed = (each.name for each in now.inputs if each.required)
    reasons = [f"needs '{name}'" for name in needed if name not in arguments]
    if not now.takes_others:
        known = now.input_properties
        reasons += [f"takes no '{name}'" for name in arguments if name not in known]
    outputs = signature.outputs or ()
    reasons += [f"returns no '{name}'" for name in outputs if not now.has_output(name)]
    if reasons:
        message = f"{tool.describe_tool()} has changed and {reasons[0]}: {SYNC_REMEDY}"
        raise ActionError("tool_changed", message)


class _ForgottenSession(Exception):  # noqa: N818 - what was found
    """The server does not know the session any more."""


def _explain_error(error: "MCPError") -> Exception:
    from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

    from soni.actions.mcp.http import LOST, NOT_REACHED, REFUSED, TOO_LARGE
    from soni.actions.mcp.result import TOOL_ERROR

    if error.code in (CONNECTION_CLOSED, LOST):
        return ActionError(CONNECTION_LOST, f"whether it was done is not known: {error.message}")
    if error.code == TOO_LARGE:
        return ActionError("bad_output", error.message)
    if error.code in (NOT_REACHED, REFUSED):
        return ActionError("unreachable", f"it was not called: {error.message}")
    if error.code == INVALID_REQUEST and "session" in error.message.lower():
        return _ForgottenSession(error.message)
    return ActionError(TOOL_ERROR, error.message)
