"""Middleware: what holds for every request, whatever it asks for."""

import asyncio
import ipaddress
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from soni.config.server_settings import ServerLimits
from soni.observability.tracing import join_trace
from soni.server.problems import ApiProblem

SECURITY_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""For what is no page. A page has its own policy."""

HISTORY_PATHS: Final = ("/v1/", "/ag-ui")
"""Routes whose clients send all that was said so far, each time."""

REQUEST_ID: Final = "x-request-id"
_MAX_REQUEST_ID: Final = 100


class SecurityHeaders:
    """Adds headers that keep browsers from doing more than they were asked, and a request's id."""

    def __init__(self, app: ASGIApp, new_id: Callable[[], str] = lambda: uuid4().hex) -> None:
        self._app = app
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = _read_request_id(scope) or self._new_id()

        async def send_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
                headers[REQUEST_ID] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._app(scope, receive, send_headers)


def _read_request_id(scope: Scope) -> str | None:
    """The id that a proxy gave, if it is one that may stand in a log."""
    given = dict(scope["headers"]).get(REQUEST_ID.encode(), b"").decode("latin-1")
    plain = given.replace("-", "").replace("_", "")
    return given if plain.isalnum() and plain.isascii() and len(given) <= _MAX_REQUEST_ID else None


class JoinedTrace:
    """Makes a turn a part of the trace that its request names."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with join_trace(dict(Headers(scope=scope))):
            await self._app(scope, receive, send)


class KnownHosts:
    """Refuses names that a page elsewhere may have made up for a server of this machine alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            host = dict(scope["headers"]).get(b"host", b"localhost").decode("latin-1")
            if not is_local_host(host):
                if scope["type"] == "http":
                    await ApiProblem("misdirected").respond()(scope, receive, send)
                else:
                    await send({"type": "websocket.close", "code": 1008})
                return
        await self._app(scope, receive, send)


def is_local_host(host: str) -> bool:
    """Whether a name, maybe with a port, can only mean this machine."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if name.casefold() in ("localhost", "testserver"):
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return False


class BodyLimits:
    """Ends requests whose body is too large or too slow, before anything of it is read."""

    def __init__(self, app: ASGIApp, limits: ServerLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._find_limit(scope)
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if told.isdigit() and int(told) > most:
            await self._refuse(most, scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + self._limits.body_seconds
        state: dict[str, Any] = {"size": 0, "done": False}

        async def receive_body() -> Message:
            if state["done"]:
                # Afterwards the only news is that the client has gone, which may take any time.
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise ApiProblem("body_timeout") from None
            state["size"] += len(message.get("body", b""))
            state["done"] = not message.get("more_body", False)
            if state["size"] > most:
                raise ApiProblem("body_too_large", f"at most {most:,} bytes")
            return message

        try:
            await self._app(scope, receive_body, send)
        except ApiProblem as problem:
            await problem.respond()(scope, receive, send)

    def _find_limit(self, scope: Scope) -> int:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        whole = path.startswith(HISTORY_PATHS)
        return self._limits.max_history_bytes if whole else self._limits.max_body_bytes

    async def _refuse(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        problem = ApiProblem("body_too_large", f"at most {most:,} bytes")
        # What is still coming will not be read, so the connection is of no more use.
        problem.headers["connection"] = "close"
        await problem.respond()(scope, receive, send)
