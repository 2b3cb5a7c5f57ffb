"""Tracing: parts of turns as OpenTelemetry spans (the extra `otel`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from soni.config.settings import Observability
from soni.core.errors import SoniError
from soni.core.telemetry import SpanKind
from soni.observability.names import SCOPE, make_attributes, name_span
from soni.observability.watcher import WatchedSpan

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

_TRACES_PATH: Final = "/v1/traces"
_FAILED: Final = "failed"


class TracingError(SoniError):
    """Spans cannot be made; the message says what is missing."""


class Tracing:
    """Makes a span of each part of a turn, inside the one that is current.

    So a trace that a server or an application has begun goes on here, and what an action's own
    libraries trace is inside the action's span. `provider` is the tracer provider of the
    application; `owned`: it is shut down with this object.
    """

    def __init__(self, provider: TracerProvider, *, owned: bool = False) -> None:
        from opentelemetry.context import attach, detach
        from opentelemetry.trace import SpanKind as Role
        from opentelemetry.trace import Status, StatusCode, set_span_in_context

        self.provider = provider
        self._owned = owned
        self._tracer = provider.get_tracer(SCOPE)
        self._attach, self._detach, self._make_current = attach, detach, set_span_in_context
        self._roles = {SpanKind.STORE: Role.CLIENT}
        self._inside = Role.INTERNAL
        # Without a description: what an error says may hold what somebody said.
        self._error = Status(StatusCode.ERROR)

    def begin(self, span: WatchedSpan) -> Any:
        """Start a span and make it the current one."""
        made = self._tracer.start_span(
            name_span(span.kind, span.name),
            kind=self._roles.get(span.kind, self._inside),
            attributes=make_attributes(span.kind, span.name, span.facts),
            record_exception=False,
            set_status_on_exception=False,
        )
        return made, self._attach(self._make_current(made))

    def end(self, span: WatchedSpan, begun: Any) -> None:
        """End it with all that is known of it by now."""
        made, token = begun
        self._detach(token)
        made.set_attributes(make_attributes(span.kind, span.name, span.facts))
        if span.outcome == _FAILED:
            made.set_status(self._error)
        made.end()

    def close(self) -> None:
        """Send what is left, if nobody else does."""
        if self._owned:
            self.provider.shutdown()  # type: ignore[attr-defined]


def open_tracing(settings: Observability) -> Tracing:
    """Tracing by the application's own provider if it has set one, else by the settings."""
    try:
        from opentelemetry import trace
    except ModuleNotFoundError as missing:
        raise _make_missing_error() from missing
    found = trace.get_tracer_provider()
    if not isinstance(found, trace.ProxyTracerProvider):
        return Tracing(found)
    return Tracing(make_provider(settings), owned=True)


def make_provider(settings: Observability) -> Any:
    """A provider that sends to the endpoint. What OTEL_* variables say takes precedence."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
    except ModuleNotFoundError as missing:
        raise _make_missing_error() from missing
    variables = _read("OTEL_SERVICE_NAME"), _read("OTEL_RESOURCE_ATTRIBUTES")
    has_name = variables[0] or "service.name=" in variables[1]
    resource = Resource.create({} if has_name else {"service.name": settings.service_name})
    # None: the SDK reads the variable.
    by_variable = _read("OTEL_TRACES_SAMPLER")
    sampler = None if by_variable else ParentBasedTraceIdRatio(settings.sample_ratio)
    provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(find_endpoint(settings))))
    return provider


@contextmanager
def join_trace(headers: Mapping[str, str]) -> Iterator[None]:
    """Within this context spans belong to the trace that a request's `traceparent` names."""
    from opentelemetry.context import attach, detach
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    token = attach(TraceContextTextMapPropagator().extract(headers))
    try:
        yield
    finally:
        detach(token)


def find_endpoint(settings: Observability) -> str:
    """The full address that spans are sent to."""
    exact = _read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    if exact:
        return exact
    base = _read("OTEL_EXPORTER_OTLP_ENDPOINT") or settings.endpoint
    return base if base.endswith(_TRACES_PATH) else base.rstrip("/") + _TRACES_PATH


def _read(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def _make_missing_error() -> TracingError:
    return TracingError(
        "settings.observability.tracing: spans need the OpenTelemetry SDK and its OTLP exporter, "
        "which are not installed. Install them: pip install 'soni[otel]'; or set it to `off`."
    )
