"""Services: what an app is made of, for its routes."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from soni.config.soni_config import SoniConfig
from soni.core.access_key import Role
from soni.core.telemetry import Telemetry
from soni.observability.metrics import Metrics
from soni.runtime.loop import RuntimeLoop
from soni.server.admission import RateLimiter
from soni.server.conversations import Conversations
from soni.server.mcp.endpoint import McpEndpoint
from soni.server.problems import ApiProblem
from soni.server.subjects import Authenticator


@dataclass
class ServerOptions:
    """How an app is to behave that its settings do not say."""

    anonymous_roles: frozenset[Role] = frozenset()
    """What somebody without credentials may do; none: nothing at all."""

    is_local: bool = False
    """Only this machine can reach the server."""

    clock: Callable[[], float] = time.time
    keeps_sessions: bool | None = None
    """Whether requests of one MCP session all come to this process, so that a tool can ask while
    it runs. None: unless the store is one that several processes share."""

    load: Callable[[], SoniConfig] | None = None
    """Reads the assistant again; None: it cannot be reloaded."""


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
            settings.auth, lambda: runtime.store.access_keys, clock, options.anonymous_roles
        )
        self.limiter = RateLimiter(settings.limits, lambda: runtime.store.counters, clock)
        self.stopping = asyncio.Event()
        """Set when the server is to end, so that streams without an end do as well."""

        self.conversations = Conversations(runtime, settings.limits, clock, self.stopping)
        backend = runtime.assistant.config.settings.persistence.backend
        keeps = options.keeps_sessions
        self.mcp = McpEndpoint(
            self.conversations,
            settings,
            is_local=options.is_local,
            has_sessions=backend != "postgres" if keeps is None else keeps,
        )
        self._reloading = asyncio.Lock()
        self.is_ready = False
        """Models are loaded, and the store has answered."""

    async def warm_up(self) -> None:
        """Load what the first message would have to wait for."""
        await self.runtime.warm_up()
        self.is_ready = True

    async def reload(self) -> None:
        """Read the assistant again. If it cannot be used, the one of before goes on."""
        if self.options.load is None:
            raise ApiProblem("not_allowed", "this assistant was not loaded from a folder")
        async with self._reloading:
            await self.runtime.reload(await asyncio.to_thread(self.options.load))
