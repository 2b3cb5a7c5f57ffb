"""WatchedTelemetry: measures the parts of a turn and tells watchers about them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

import structlog

from soni.core.telemetry import Fact, SpanKind

_log = structlog.get_logger("soni.observability")


class Watcher(Protocol):
    """Somebody who is told when a part of a turn begins and ends: spans, metrics, or your own."""

    def begin(self, span: WatchedSpan) -> Any:
        """A part begins; `end` gets what is returned here."""

    def end(self, span: WatchedSpan, begun: Any) -> None:
        """A part has ended: its facts, outcome and seconds are known."""

    def close(self) -> None:
        """Send what is left."""


class WatchedTelemetry:
    """Telemetry for several watchers.

    Example:

        RuntimeLoop(config, telemetry=WatchedTelemetry([Metrics()]))
    """

    def __init__(
        self, watchers: Sequence[Watcher], seconds: Callable[[], float] = time.perf_counter
    ) -> None:
        """`seconds` is the clock that durations are measured by."""
        self.watchers = tuple(watchers)
        self.seconds = seconds

    def start(self, kind: SpanKind, name: str, **facts: Fact) -> WatchedSpan:
        """A part that begins with `with`."""
        return WatchedSpan(self, kind, name, facts)

    def close(self) -> None:
        """Let every watcher send what is left."""
        for watcher in self.watchers:
            watcher.close()


class WatchedSpan:
    """A part of a turn: its kind, its name, its facts, and how long it took."""

    def __init__(
        self, telemetry: WatchedTelemetry, kind: SpanKind, name: str, facts: dict[str, Fact]
    ) -> None:
        self._telemetry = telemetry
        self._begun: list[Any] = []
        self.kind = kind
        self.name = name
        self.facts = facts
        self.seconds = 0.0
        """Known at the end."""

    @property
    def outcome(self) -> str:
        """`ok`, `failed`, `cancelled`, or what the part itself said of its end."""
        return str(self.facts["outcome"])

    def note(self, **facts: Fact) -> None:
        """Add facts."""
        self.facts.update(facts)

    def __enter__(self) -> Self:
        for watcher in self._telemetry.watchers:
            self._begun.append(self._tell(watcher, watcher.begin))
        self._started = self._telemetry.seconds()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.seconds = self._telemetry.seconds() - self._started
        if isinstance(exc, asyncio.CancelledError):
            self.facts.setdefault("outcome", "cancelled")
        elif exc is not None:
            self.facts.setdefault("outcome", "failed")
            # Its message may hold what somebody said.
            self.facts.setdefault("error", type(exc).__name__)
        else:
            self.facts.setdefault("outcome", "ok")
        # The last one first, as each may have changed what is current.
        told = zip(self._telemetry.watchers, self._begun, strict=True)
        for watcher, begun in reversed(list(told)):
            if begun is not _UNTOLD:
                self._tell(watcher, watcher.end, begun)

    def _tell(self, watcher: Watcher, told: Callable[..., Any], *begun: Any) -> Any:
        try:
            return told(self, *begun)
        except Exception as error:
            # Whoever watches must never break a conversation.
            name = type(watcher).__name__
            _log.warning("watcher_failed", watcher=name, error=type(error).__name__)
            return _UNTOLD


_UNTOLD: Any = object()
