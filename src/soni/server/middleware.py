"""Middleware: what holds for every request, whatever it asks for."""

import asyncio
import ipaddress
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from soni.config.files import MAX_BYTES
from soni.config.server_settings import ServerLimits
from soni.observability.tracing import join_trace
from soni.server.problems import ApiProblem, explain_error
from soni.server.sockets import STATE_KEY

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

SOURCE_PATHS: Final = ("/api/sources/",)
"""Routes that take whole files, in development."""

_MAX_SOURCE_BYTES: Final = 2 * MAX_BYTES + 4096
"""The largest file, with every quotation mark and line end escaped, and what is said of it."""

REQUEST_ID: Final = "x-request-id"
_MAX_REQUEST_ID: Final = 100
_HOST: Final = re.compile(r"(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?")


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
                response = ApiProblem("misdirected").respond()
                if scope["type"] == "http":
                    await response(scope, receive, send)
                else:
                    await WebSocket(scope, receive, send).send_denial_response(response)
                return
        await self._app(scope, receive, send)


def is_local_host(host: str) -> bool:
    """Whether a name, maybe with a port, can only mean this machine."""
    written = _HOST.fullmatch(host)
    if written is None:
        return False
    name = written[1] or written[2]
    if name.casefold() in ("localhost", "testserver"):
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return False


class BodyLimits:
    """Ends requests whose body is too large or too slow, before anything else is done for them."""

    def __init__(self, app: ASGIApp, limits: ServerLimits, *, takes_files: bool = False) -> None:
        self._app = app
        self._limits = limits
        self._takes_files = takes_files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read_body(scope, receive)
        except ApiProblem as problem:
            # What is still coming will not be read, so the connection is of no more use.
            if STATE_KEY not in scope.get("state", {}):  # else its protocol sees to that
                problem.headers["connection"] = "close"
            await problem.respond()(scope, receive, send)
            return
        if body is None:
            return
        given = [body]

        async def receive_body() -> Message:
            if given:
                return {"type": "http.request", "body": given.pop(), "more_body": False}
            # Afterwards the only news is that the client has gone, which may take any time.
            return await receive()

        await self._app(scope, receive_body, send)

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None if the client has gone."""
        most = self._find_limit(scope)
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        # Python refuses to read thousands of digits.
        size = int(declared) if declared.isdigit() and len(declared) < 20 else 0
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while size <= most:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    body += message.get("body", b"")
                    if not message.get("more_body", False) and len(body) <= most:
                        return bytes(body)
                    size = len(body)
        except TimeoutError:
            raise ApiProblem("body_timeout") from None
        raise ApiProblem("body_too_large", f"at most {most:,} bytes")

    def _find_limit(self, scope: Scope) -> int:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self._takes_files and path.startswith(SOURCE_PATHS):
            return max(_MAX_SOURCE_BYTES, self._limits.max_body_bytes)
        whole = path.startswith(HISTORY_PATHS)
        return self._limits.max_history_bytes if whole else self._limits.max_body_bytes


class ErrorAnswers:
    """Answers what nothing else has: with a problem, and without telling the log what was said."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def send_noting(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        except Exception as error:
            problem = explain_error(error)
            if scope["type"] == "http" and not has_begun:
                await problem.respond()(scope, receive, send)
            else:
                # The client must not take half an answer for a whole one.
                raise ConnectionAbortedError("the answer broke off") from None
