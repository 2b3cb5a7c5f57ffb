"""ServerClient: requests to a server of `soni serve`, and what can go wrong with them."""

import ipaddress
import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Final

import httpx

from soni.core.errors import SoniError

CONNECT_SECONDS: Final = 10.0
READ_SECONDS: Final = 60.0
"""A stream gives a sign of life every 15 seconds, a turn may take longer than that."""

_PASSING: Final = frozenset({429, 500, 502, 503, 504})
_REMEDIES: Final = {
    401: "Give a key by --key or SONI_KEY; who runs the server makes one with `soni keys add DIR`",
    403: "Give a key of that role by --key or SONI_KEY, or start the server with --inspect",
}
"""What to do in a terminal, which a server does not know."""


class ServerError(SoniError):
    """A request that failed: where, why, and what to do."""

    def __init__(
        self, where: str, reason: str, remedy: str, *, status: int = 0, wait: float | None = None
    ) -> None:
        super().__init__(f"{where}: {reason.rstrip('.')}. {remedy.rstrip('.')}.")
        self.status = status
        """Of HTTP; 0: nobody answered, or the connection broke."""

        self.reason = reason
        self.wait = wait
        """Seconds after which to try again, if the server says so."""

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status == 0 or self.status in _PASSING


class ServerClient:
    """One server, with what it knows the caller by."""

    def __init__(self, url: str, credential: str | None) -> None:
        self.url = check_url(url)
        self.credential = credential
        self._client = httpx.AsyncClient(
            base_url=self.url,
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            # A proxy of the environment does not reach this machine.
            trust_env=not _is_loopback(self.url),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def request(self, method: str, path: str, **about: Any) -> Any:
        """The JSON of an answer; None if it has none."""
        try:
            answer = await self._client.request(method, path, headers=self._make_headers(), **about)
        except httpx.TransportError as error:
            raise self._explain_break(error) from None
        if answer.is_error:
            raise self._explain_status(answer.status_code, answer.headers, answer.content)
        if not answer.content:
            return None
        try:
            return answer.json()
        except ValueError:
            raise self._explain_stranger("its answer is no JSON") from None

    async def stream_events(
        self, method: str, path: str, *, last_event: str | None = None, **about: Any
    ) -> AsyncIterator[tuple[str, Any]]:
        """Events by their names, as they come."""
        headers = {**self._make_headers(), "accept": "text/event-stream"}
        if last_event is not None:
            headers["last-event-id"] = last_event
        try:
            async with self._client.stream(method, path, headers=headers, **about) as answer:
                if answer.is_error:
                    raise self._explain_status(
                        answer.status_code, answer.headers, await answer.aread()
                    )
                name = ""
                async for line in answer.aiter_lines():
                    field, _, value = line.partition(": ")
                    if field == "event":
                        name = value
                    elif field == "data":
                        yield name, json.loads(value)
        except httpx.TransportError as error:
            raise self._explain_break(error) from None

    def explain_problem(self, problem: Mapping[str, Any]) -> ServerError:
        """The error that an event tells of."""
        status = problem.get("status")
        return self._explain_status(
            status if isinstance(status, int) else 500, {}, json.dumps(problem).encode()
        )

    def _make_headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.credential}"} if self.credential else {}

    def _explain_break(self, error: httpx.TransportError) -> ServerError:
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            why = _find_reason(error)
            remedy = "Start it with `soni serve DIR`, or correct --url"
            return ServerError(self.url, f"nobody answers ({why})", remedy)
        reason = f"the connection broke ({_find_reason(error)})"
        return ServerError(self.url, reason, "See whether the server still runs")

    def _explain_status(
        self, status: int, headers: Mapping[str, str], content: bytes
    ) -> ServerError:
        problem: Any = None
        with suppress(ValueError):
            problem = json.loads(content)
        if not isinstance(problem, dict) or "code" not in problem:
            if status in _PASSING:
                remedy = "Try again, or look at the server's log"
                return ServerError(self.url, f"status {status}", remedy, status=status)
            return self._explain_stranger(f"status {status}", status=status)
        title, detail = str(problem.get("title")), str(problem.get("detail"))
        reason = title if detail in ("None", title) else f"{title}: {detail}"
        remedy = _REMEDIES.get(status) or str(problem.get("remedy"))
        wait = headers.get("retry-after", "")
        return ServerError(
            self.url, reason, remedy, status=status, wait=float(wait) if wait.isdecimal() else None
        )

    def _explain_stranger(self, reason: str, status: int = 404) -> ServerError:
        told = f"this is no server of `soni serve` ({reason})"
        return ServerError(self.url, told, "Correct --url", status=status)


def check_url(url: str) -> str:
    """The address without a slash at its end, or an error that says how one looks."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise SoniError(f"--url {url}: {error}; give one such as http://127.0.0.1:8000") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise SoniError(f"--url {url}: no address of a server; one is http://127.0.0.1:8000")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise SoniError("--url takes an address without password and query; give a key by --key")
    return str(parsed).rstrip("/")


def _is_loopback(url: str) -> bool:
    host = httpx.URL(url).host
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _find_reason(error: BaseException) -> str:
    """The system's own words for it, which are somewhere among the causes."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "no such host"
        if isinstance(cause, OSError) and cause.errno is not None:
            return os.strerror(cause.errno).lower()
        nested = cause.exceptions[0] if isinstance(cause, BaseExceptionGroup) else None
        cause = nested or cause.__cause__ or cause.__context__
    return str(error).lower() or type(error).__name__
