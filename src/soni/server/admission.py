"""Admission: how much a server takes on at the same time, and how much from one client."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, Literal

from soni.config.server_settings import ServerLimits
from soni.core.service_storage import Counters
from soni.server.problems import ApiProblem

BUSY_SECONDS: Final = 2.0
WINDOW_SECONDS: Final = 60.0


class TurnGate:
    """Lets a number of turns run, a number wait, and sends the others away."""

    def __init__(self, running: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(running)
        self._most = running + waiting
        self.inside = 0
        """Turns that run or wait."""

    @property
    def has_room(self) -> bool:
        """Whether one more may wait."""
        return self.inside < self._most

    def require_room(self) -> None:
        """Raise if too many wait already."""
        if not self.has_room:
            raise ApiProblem("busy", retry_after=BUSY_SECONDS)

    @asynccontextmanager
    async def enter(self) -> AsyncIterator[None]:
        """Wait for a place, or raise if too many wait already."""
        self.require_room()
        self.inside += 1
        try:
            async with self._places:
                yield
        finally:
            self.inside -= 1


class ConnectionGate:
    """Counts event streams and WebSockets, in all and of each subject."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many are open."""
        return self._open.total()

    @contextmanager
    def enter(self, subject_id: str) -> Iterator[None]:
        """Count a connection while it is open, or raise."""
        if self.total >= self._limits.connections:
            raise ApiProblem("busy", "too many connections are open", retry_after=BUSY_SECONDS)
        if self._open[subject_id] >= self._limits.connections_per_subject:
            raise ApiProblem("too_many_connections")
        self._open[subject_id] += 1
        try:
            yield
        finally:
            self._open[subject_id] -= 1
            if not self._open[subject_id]:
                del self._open[subject_id]


class RateLimiter:
    """Counts requests by minute, in the store: so they count on whatever machine they arrive."""

    def __init__(
        self, limits: ServerLimits, counters: Callable[[], Counters], clock: Callable[[], float]
    ) -> None:
        self._counters = counters
        self._clock = clock
        self._most = {
            "address": limits.requests_per_minute_by_address,
            "subject": limits.requests_per_minute,
        }
        self._clear_at = 0.0

    async def count_request(self, kind: Literal["address", "subject"], name: str) -> None:
        """Count a request of a network address, or of a subject; raise if it is one too many."""
        now = self._clock()
        await self._clear_expired(now)
        ends_at = (now // WINDOW_SECONDS + 1) * WINDOW_SECONDS
        count = await self._counters().increment(f"{kind}:{name}", 1, now=now, expires_at=ends_at)
        if count > self._most[kind]:
            detail = f"at most {self._most[kind]:,} requests a minute from one {kind}"
            raise ApiProblem("too_many_requests", detail, retry_after=ends_at - now)

    async def _clear_expired(self, now: float) -> None:
        if now >= self._clear_at:
            self._clear_at = now + WINDOW_SECONDS
            await self._counters().clear_expired(now=now)
