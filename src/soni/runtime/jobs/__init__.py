"""Kinds of background work: one module each, its name is the kind."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from soni.actions.mcp.servers import McpServers
from soni.config.assistant import Assistant
from soni.config.settings import Background
from soni.core.discovery import find_offers
from soni.core.jobs import Handler, Job, Retry
from soni.core.storage import Store

GROUP = "soni.jobs"
"""The entry-point group under which other packages offer kinds of jobs."""


class Runtime(Protocol):
    """What of the runtime a job may use."""

    async def push(
        self,
        conversation_id: str,
        text: str | None = None,
        *,
        flow: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        message_id: str | None = None,
        language: str | None = None,
    ) -> Any: ...

    async def sweep(self) -> int: ...


@dataclass(frozen=True)
class Host:
    """What a job is carried out with."""

    runtime: Runtime
    assistant: Assistant
    store: Store
    now: Callable[[], float]
    tool_servers: McpServers
    """Where actions that are tools are called."""


@dataclass(frozen=True)
class JobKind:
    """A kind of background work."""

    run: Callable[[Host, Job], Awaitable[None]]
    """Carries out a job. It may be called again for the same job: whatever it does twice must
    count once, by the job's key."""

    retry: Callable[[Background], Retry] = lambda settings: Retry()
    timeout: float = 60.0
    every: Callable[[Background], float] | None = None
    """How often it runs by itself; None: only when it is asked for."""


def find_job_kinds() -> dict[str, JobKind]:
    """All kinds there are, by name."""
    return dict(
        find_offers(__name__, "JOB", GROUP, lambda found: isinstance(found, JobKind), "a JobKind")
    )


def make_handlers(host: Host, added: Mapping[str, JobKind]) -> dict[str, Handler]:
    """What carries out jobs of each kind for this assistant; `added` are the runtime's own."""
    settings = host.assistant.config.settings.background
    return {
        name: Handler(
            run=partial(kind.run, host),
            retry=kind.retry(settings),
            timeout=kind.timeout,
            every=kind.every(settings) if kind.every else None,
        )
        for name, kind in {**find_job_kinds(), **added}.items()
    }
