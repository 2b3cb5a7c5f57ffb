"""Metrics: what turns do, counted for Prometheus (a part of the extra `server`)."""

import os
from pathlib import Path
from typing import Any, Final

from soni.core.errors import SoniError
from soni.core.telemetry import SpanKind
from soni.observability import names
from soni.observability.watcher import WatchedSpan

SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes keep their counts together."""

_TURN_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_STORE_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5)
_HOLD: Final = "hold"


class MetricsError(SoniError):
    """Nothing can be counted; the message says what is missing."""


class Metrics:
    """Counts for one application, in a registry of its own; a watcher of turns.

    Labels are names that Soni or the assistant's author gave, so there are as many as written.

    Example:

        metrics = Metrics()
        runtime = RuntimeLoop(config, telemetry=WatchedTelemetry([metrics]))
        body, content_type = metrics.expose()
    """

    def __init__(self) -> None:
        try:
            import prometheus_client as prometheus
        except ModuleNotFoundError as missing:
            raise MetricsError(
                "Metrics need prometheus-client, which is not installed. "
                "Install it: pip install 'soni[server]'."
            ) from missing
        self.registry = prometheus.CollectorRegistry()
        self._shared = os.environ.get(SHARED_FOLDER)
        if not self._shared:
            prometheus.ProcessCollector(registry=self.registry)

        def count(name: str, text: str, *labels: str) -> Any:
            return prometheus.Counter(name, text, labels, registry=self.registry)

        def measure(name: str, text: str, *labels: str, buckets: Any = _TURN_BUCKETS) -> Any:
            return prometheus.Histogram(name, text, labels, registry=self.registry, buckets=buckets)

        self._turns = count(names.TURNS, "Turns that ended, by outcome.", "outcome")
        self._turn_seconds = measure(names.TURN_SECONDS, "Time of a turn, waiting included.")
        self._in_progress = prometheus.Gauge(
            names.TURNS_IN_PROGRESS,
            "Turns that have begun and not ended: waiting for their conversation, or running.",
            ("state",),
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self._understandings = count(
            names.UNDERSTANDINGS, "Messages given to understanding, by outcome.", "outcome"
        )
        self._understanding_seconds = measure(
            names.UNDERSTANDING_SECONDS, "Time to understand a message."
        )
        self._commands = count(
            names.COMMANDS, "Commands by type and decision.", "command", "decision"
        )
        self._steps = count(names.STEPS, "Steps that ran, by type and outcome.", "type", "outcome")
        self._actions = count(names.ACTIONS, "Actions by name and outcome.", "action", "outcome")
        self._action_seconds = measure(names.ACTION_SECONDS, "Time of an action.", "action")
        self._store_seconds = measure(
            names.STORE_SECONDS, "Time of the store, by operation.", "operation",
            buckets=_STORE_BUCKETS,
        )  # fmt: skip
        self._errors = count(names.ERRORS, "Parts of turns that failed.", "where")
        self._tokens = count(names.MODEL_TOKENS, "Tokens of language models.", "direction")
        self._handoffs = prometheus.Gauge(
            names.HANDOFFS,
            "Conversations at the desk: waiting for a person, or claimed by one.",
            ("state",),
            registry=self.registry,
            # All processes count what is in one store.
            multiprocess_mode="mostrecent",
        )
        for state in ("waiting", "running"):
            self._in_progress.labels(state).set(0)

    def begin(self, span: WatchedSpan) -> None:
        """Count what is under way."""
        if span.kind is SpanKind.TURN:
            self._in_progress.labels("running").inc()
        elif span.kind is SpanKind.STORE and span.name == _HOLD:
            self._move("running", "waiting")

    def end(self, span: WatchedSpan, begun: None) -> None:
        """Count what has ended."""
        if span.outcome == "failed":
            self._errors.labels(span.kind.value).inc()
        match span.kind:
            case SpanKind.TURN:
                self._in_progress.labels("running").dec()
                self._turns.labels(span.outcome).inc()
                self._turn_seconds.observe(span.seconds)
            case SpanKind.UNDERSTANDING:
                self._understandings.labels(span.outcome).inc()
                self._understanding_seconds.observe(span.seconds)
                self._count_tokens(span)
            case SpanKind.COMMAND:
                self._commands.labels(span.name, span.facts.get("decision", "error")).inc()
            case SpanKind.STEP:
                self._steps.labels(span.facts["type"], span.outcome).inc()
            case SpanKind.ACTION:
                self._actions.labels(span.name, span.outcome).inc()
                self._action_seconds.labels(span.name).observe(span.seconds)
                self._count_tokens(span)
            case SpanKind.STORE:
                if span.name == _HOLD:
                    self._move("waiting", "running")
                self._store_seconds.labels(span.name).observe(span.seconds)

    def set_handoffs(self, *, waiting: int, claimed: int) -> None:
        """Note how many conversations are at the desk."""
        self._handoffs.labels("waiting").set(waiting)
        self._handoffs.labels("claimed").set(claimed)

    def expose(self, accept: str = "") -> tuple[bytes, str]:
        """The body and the content type that answer `GET /metrics`.

        `accept` is the header of the request: Prometheus asks for one of several forms.
        """
        from prometheus_client import CollectorRegistry
        from prometheus_client.exposition import choose_encoder
        from prometheus_client.multiprocess import MultiProcessCollector

        encode, content_type = choose_encoder(accept)
        registry = self.registry
        if self._shared:
            # Made anew each time: it reads the files of all processes.
            registry = CollectorRegistry()
            MultiProcessCollector(registry, self._shared)  # type: ignore[no-untyped-call]
        return encode(registry), content_type

    def close(self) -> None:
        """Nothing is left: Prometheus comes and asks."""

    def _move(self, source: str, target: str) -> None:
        self._in_progress.labels(source).dec()
        self._in_progress.labels(target).inc()

    def _count_tokens(self, span: WatchedSpan) -> None:
        for direction in ("input", "output"):
            tokens = span.facts.get(f"{direction}_tokens")
            if tokens:
                self._tokens.labels(direction).inc(float(tokens))


def share_metrics(folder: Path) -> None:
    """Let this process and those that it starts count together, in files of an empty folder.

    Call it in the first process, before anything imports prometheus_client: the library decides
    then how it counts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db"):
        left.unlink()
    os.environ[SHARED_FOLDER] = str(folder)


def forget_process(pid: int) -> None:
    """Call it when a process of several has ended: what it had under way is over."""
    if os.environ.get(SHARED_FOLDER):
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]
