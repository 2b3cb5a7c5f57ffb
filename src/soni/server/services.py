"""Services: what an app is made of, for its routes."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from soni.config.soni_config import SoniConfig
from soni.core.access_key import Role
from soni.core.errors import SoniError
from soni.core.telemetry import Telemetry
from soni.observability.metrics import Metrics
from soni.runtime.loop import RuntimeLoop
from soni.server.admission import RateLimiter, TurnGate
from soni.server.conversations import Conversations
from soni.server.desk_board import DeskBoard
from soni.server.mcp.endpoint import McpEndpoint
from soni.server.problems import ApiProblem
from soni.server.sockets import SocketGuard
from soni.server.subjects import Authenticator

RELOADS: Final = "server:reloads"
RELOADS_KEPT_SECONDS: Final = 10 * 365 * 86400.0
FOLLOW_SECONDS: Final = 2.0
MAX_WAITING_READINGS: Final = 16

_log = structlog.get_logger("soni.server")


@dataclass
class ServerOptions:
    """How an app is to behave that its settings do not say."""

    anonymous_roles: frozenset[Role] = frozenset()
    """What somebody without credentials may do; none: nothing at all."""

    is_local: bool = False
    """Only this machine can reach the server."""

    is_development: bool = False
    """Authors may change the assistant's files and type commands: `soni serve --inspect`."""

    source: Path | None = None
    """Where the assistant was loaded from; None: its files cannot be changed."""

    clock: Callable[[], float] = time.time
    keeps_sessions: bool | None = None
    """Whether requests of one MCP session all come to this process, so that a tool can ask while
    it runs. None: unless the store is one that several processes share."""

    load: Callable[[], SoniConfig] | None = None
    """Reads the assistant again; None: it cannot be reloaded."""

    reload_mark: Path | None = None
    """A file by which the processes of this machine tell each other of a reload. Those of several
    machines tell each other by the store, if it is one that they share."""


class Services:
    """One assistant, and who may talk to it."""

    def __init__(
        self, runtime: RuntimeLoop, options: ServerOptions, metrics: Metrics, telemetry: Telemetry
    ) -> None:
        self.runtime = runtime
        self.metrics = metrics
        self.telemetry = telemetry
        self.options = options
        settings, clock = runtime.assistant.config.settings.server, options.clock
        self.authenticator = Authenticator(
            settings.auth,
            lambda: runtime.store.access_keys,
            clock,
            options.anonymous_roles,
            is_local=options.is_local,
        )
        self.limiter = RateLimiter(settings.limits, lambda: runtime.store.counters, clock)
        self.sockets = SocketGuard(settings)
        self.stopping = asyncio.Event()
        """Set when the server is to end, so that streams without an end do as well."""

        self.conversations = Conversations(runtime, settings.limits, clock, self.stopping)
        self.desk = DeskBoard(self.conversations)
        backend = runtime.assistant.config.settings.persistence.backend
        keeps = options.keeps_sessions
        self.mcp = McpEndpoint(
            self.conversations,
            settings,
            is_local=options.is_local,
            has_sessions=backend != "postgres" if keeps is None else keeps,
        )
        self.readings = TurnGate(1, MAX_WAITING_READINGS)
        """Conversations that are understood anew, one after the other."""

        self.saving = asyncio.Lock()
        """Held by whoever changes a file of the assistant."""

        self._reloading = asyncio.Lock()
        self._reloads = (0, "")
        self.is_ready = False
        """Models are loaded, and the store has answered."""

    async def warm_up(self) -> None:
        """Load what the first message would have to wait for."""
        await self.runtime.warm_up()
        self.is_ready = True

    async def reload(self) -> None:
        """Read the assistant again. If it cannot be used, the one of before goes on."""
        async with self._reloading:
            await self._load_again()
            counters, now = self.runtime.store.counters, self.options.clock()
            # Other processes read their files again when they see that one of these has changed.
            expires_at = now + RELOADS_KEPT_SECONDS
            await counters.increment(RELOADS, 1, now=now, expires_at=expires_at)
            if self.options.reload_mark is not None:
                self.options.reload_mark.write_text(secrets.token_hex(8))
            self._reloads = await self._read_reloads()

    @asynccontextmanager
    async def follow_reloads(self) -> AsyncIterator[None]:
        """While the block runs, reload whenever another process of this server has."""
        if self.options.load is None:
            yield
            return
        self._reloads = await self._read_reloads()
        following = asyncio.create_task(self._follow_reloads())
        try:
            yield
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    async def _follow_reloads(self) -> None:
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            try:
                async with self._reloading:
                    if (reloads := await self._read_reloads()) != self._reloads:
                        self._reloads = reloads
                        await self._load_again()
                        _log.info("assistant_reloaded")
            except (SoniError, OSError) as error:
                _log.error("assistant_not_reloaded", error=type(error).__name__)

    async def _load_again(self) -> None:
        if self.options.load is None:
            raise ApiProblem("not_allowed", "this assistant was not loaded from a folder")
        await self.runtime.reload(await asyncio.to_thread(self.options.load))

    async def _read_reloads(self) -> tuple[int, str]:
        count = await self.runtime.store.counters.read(RELOADS, now=self.options.clock())
        mark = self.options.reload_mark
        return count, mark.read_text() if mark is not None else ""
