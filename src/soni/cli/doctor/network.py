"""Checks of what is reached over the network: the language model and the collector of spans."""

import os
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from soni.cli.doctor.finding import Finding, accept, refuse, warn
from soni.config.soni_config import SoniConfig
from soni.du.generator import needs_generator
from soni.observability.tracing import find_endpoint

_SECONDS: Final = 5.0


def check_model(config: SoniConfig) -> Iterator[Finding]:
    """Whether the language model's server can be reached, and a key is set. It is not asked."""
    settings = config.settings.nlu
    if settings.provider not in ("llm", "cascade") and not needs_generator(config):
        return
    if settings.api_key_env is not None:
        if os.environ.get(settings.api_key_env):
            yield accept("model", f"{settings.model}: its key is in {settings.api_key_env}")
        else:
            text = f"{settings.model}: the environment has no {settings.api_key_env}"
            remedy = "Set it, or leave settings.nlu.api_key_env out if the model needs no key."
            yield refuse("model", text, remedy)
    if settings.base_url is None:
        yield accept("model", f"{settings.model}: at its provider's own address, not tried")
        return
    reason = _find_refusal(settings.base_url)
    if reason is None:
        yield accept("model", f"{_show_url(settings.base_url)} can be reached")
    else:
        remedy = "Start the server, or correct settings.nlu.base_url."
        yield refuse("model", f"{_show_url(settings.base_url)}: {reason}", remedy)


def check_telemetry(config: SoniConfig) -> Iterator[Finding]:
    """Whether spans would be taken where they are sent."""
    settings = config.settings.observability
    if settings.tracing == "off":
        yield accept("telemetry", f"tracing is off; logs are {settings.logs}")
        return
    endpoint = find_endpoint(settings)
    shown = _show_url(endpoint)
    try:
        status = _send_nothing(endpoint)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        remedy = "Start the collector, or correct settings.observability.endpoint."
        yield refuse("telemetry", f"{shown}: {reason}", remedy)
        return
    if status < 300:
        yield accept("telemetry", f"{shown} takes spans")
    elif status in (401, 403):
        remedy = "Set OTEL_EXPORTER_OTLP_HEADERS, and see in the collector whether spans arrive."
        yield warn("telemetry", f"{shown} wants a key (status {status})", remedy)
    else:
        remedy = "Name an OTLP collector with HTTP in settings.observability.endpoint."
        yield refuse("telemetry", f"{shown} does not take spans (status {status})", remedy)


def _find_refusal(url: str) -> str | None:
    """Why nobody answers at an address; None if somebody does."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_SECONDS).close()
    except OSError as error:
        return error.strerror or type(error).__name__
    return None


def _send_nothing(endpoint: str) -> int:
    """The status that answers an export of no spans."""
    parts = urlsplit(endpoint)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_SECONDS)
    try:
        connection.request("POST", parts.path, b"", {"Content-Type": "application/x-protobuf"})
        return connection.getresponse().status
    finally:
        connection.close()


def _show_url(url: str) -> str:
    """An address without its password and query."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}"
