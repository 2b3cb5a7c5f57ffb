"""The HTTP client of a server: it connects to checked addresses and reads bounded replies.

An MCP session ends if its HTTP fails in a way that it does not expect, and with it every call of
the session. So what fails here is answered as the JSON-RPC error of the one call that it concerns,
with a code that says whether the tool may have been called.
"""

import asyncio
import json
from collections.abc import AsyncIterable
from typing import Final

import httpx2

from soni.core.addresses import AddressPolicy, AddressRefused

NOT_REACHED: Final = -32050
"""The request was not sent."""

REFUSED: Final = -32051
"""The server refused the request before it called anything."""

LOST: Final = -32052
"""The request was sent, and what became of it is not known."""

TOO_LARGE: Final = -32053
"""The reply was larger than an action may return."""

_READ_SECONDS: Final = 3600.0
"""An action's time-out ends a call before; it is an hour at most."""

_REFUSALS: Final = frozenset({401, 403, 429})
_BAD_GATEWAY: Final = 502


def make_http_client(
    headers: dict[str, str], policy: AddressPolicy, max_bytes: int, connect_seconds: float
) -> httpx2.AsyncClient:
    """A client that sends these headers with every request."""
    # Compressed replies have a size that is known only after they were unpacked.
    return httpx2.AsyncClient(
        headers={"accept-encoding": "identity", **headers},
        timeout=httpx2.Timeout(connect_seconds, read=_READ_SECONDS),
        transport=CheckedTransport(policy, max_bytes),
        follow_redirects=False,
    )


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Sends requests to addresses that a policy allows."""

    def __init__(self, policy: AddressPolicy, max_bytes: int) -> None:
        self._policy = policy
        self._max_bytes = max_bytes
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; a post that fails is answered with an error in JSON-RPC."""
        try:
            response = await self._send_to_address(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            return _answer(request, NOT_REACHED, str(error), error)
        except httpx2.TransportError as error:
            return _answer(request, LOST, f"the connection was lost: {_name(error)}", error)
        if request.method != "POST":
            return response
        return await self._bound(request, response)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _send_to_address(self, request: httpx2.Request) -> httpx2.Response:
        host, url = request.url.host, request.url
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            addresses = await asyncio.to_thread(self._policy.resolve, host, port)
        except AddressRefused as refused:
            raise httpx2.ConnectError(str(refused), request=request) from refused
        except OSError as error:
            message = f"the address of '{host}' is not known"
            raise httpx2.ConnectError(message, request=request) from error
        for address in addresses:
            try:
                return await self._inner.handle_async_request(_pin(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        message = f"'{host}' does not answer: {_name(failure)}"
        raise httpx2.ConnectError(message, request=request) from failure

    async def _bound(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        """A response whose body is known to be small; a stream of events has limits of its own."""
        status = response.status_code
        kind = response.headers.get("content-type", "").lower()
        if kind.startswith("text/event-stream") and status < 400:
            return response
        try:
            body = await _read(response.stream, self._max_bytes)
        except httpx2.TransportError as error:
            return _answer(request, LOST, f"the connection was lost: {_name(error)}", error)
        finally:
            await response.aclose()
        if body is None or response.headers.get("content-encoding", "identity") != "identity":
            reason = f"the reply is larger than {self._max_bytes:,} bytes, or compressed"
            return _answer(request, TOO_LARGE, reason)
        if status in _REFUSALS:
            return _answer(request, REFUSED, f"the server answered {status}")
        if status >= 500 and not kind.startswith("application/json"):
            return _answer(request, LOST, f"the server answered {status}")
        return httpx2.Response(status, headers=response.headers, content=body)


def _pin(request: httpx2.Request, address: str) -> httpx2.Request:
    """The request to an address; certificates are those of the name."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


async def _read(stream: object, limit: int) -> bytes | None:
    """All that a stream holds; None: it is more than that."""
    assert isinstance(stream, AsyncIterable)
    found = bytearray()
    async for part in stream:
        found += part
        if len(found) > limit:
            return None
    return bytes(found)


def _answer(
    request: httpx2.Request, code: int, message: str, error: Exception | None = None
) -> httpx2.Response:
    if request.method != "POST" and error is not None:
        raise error
    content = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    headers = {"content-type": "application/json"}
    return httpx2.Response(_BAD_GATEWAY, headers=headers, content=json.dumps(content).encode())


def _name(error: BaseException) -> str:
    return type(error.__cause__ or error).__name__
