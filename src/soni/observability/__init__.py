"""Watching an assistant: spans, metrics and logs. Off, none of their libraries is loaded."""

from collections.abc import Sequence

from soni.config.settings import Observability
from soni.core.telemetry import NO_TELEMETRY, Telemetry
from soni.observability.watcher import WatchedTelemetry, Watcher

__all__ = ["WatchedTelemetry", "Watcher", "open_telemetry"]


def open_telemetry(settings: Observability, watchers: Sequence[Watcher] = ()) -> Telemetry:
    """The telemetry of the settings, with more watchers; nothing is loaded if there are none."""
    chosen = list(watchers)
    if settings.tracing != "off":
        from soni.observability.tracing import open_tracing

        chosen.insert(0, open_tracing(settings))
    return WatchedTelemetry(chosen) if chosen else NO_TELEMETRY
