"""Sockets: network connections that cannot be held for nothing.

uvicorn waits for a request's head, and for a client that takes nothing, as long as it takes.
"""

import asyncio
import ipaddress
import json
import socket
from collections import Counter
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from soni.config.server_settings import Server
from soni.core.addresses import read_network
from soni.server.problems import MEDIA_TYPE, ApiProblem

STATE_KEY: Final = "soni_sockets"
"""Where the lifespan of the app leaves a `SocketGuard` for the connections."""

LINGER_SECONDS: Final = 2.0
"""How long a client goes on sending what nobody wants, so that it reads the answer. If the
connection were closed at once, the client would learn only that it was."""


class SocketGuard:
    """Counts the connections of a process, in all and of each address."""

    def __init__(self, settings: Server) -> None:
        self.limits = settings.limits
        # uvicorn also takes `*`, and the names of sockets in the file system.
        self._trusts_all = "*" in settings.trusted_proxies
        read = (read_network(each) for each in settings.trusted_proxies)
        self._proxies = [network for network in read if network is not None]
        self._open: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many are open."""
        return self._open.total()

    def enter(self, address: str) -> bool:
        """Count a connection; False if it is one too many."""
        if self.total >= self.limits.sockets or (
            self._open[address] >= self.limits.sockets_per_address and not self._is_proxy(address)
        ):
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection has ended."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def _is_proxy(self, address: str) -> bool:
        if self._trusts_all:
            return True
        try:
            return any(ipaddress.ip_address(address) in each for each in self._proxies)
        except ValueError:
            return False


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 whose clients have to begin, to go on and to take what they asked for."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard: SocketGuard = self.app_state[STATE_KEY]
        self._counted: str | None = None
        self._is_lingering = False
        self._head_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or send it away."""
        super().connection_made(transport)
        _prepare_socket(transport.get_extra_info("socket"))
        address = self.client[0] if self.client else "unknown"
        if not self._guard.enter(address):
            transport.write(_REFUSAL)
            transport.close()
            return
        self._counted = address
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read some more; a head that is not complete has to be soon."""
        if self._is_lingering:
            return
        super().data_received(data)
        self._watch_head()

    def _watch_head(self) -> None:
        if self._is_lingering:
            return
        if self.conn.their_state is not h11.IDLE:
            self._head_timer = _stop_timer(self._head_timer)
        elif self._head_timer is None and not self.transport.is_closing():
            self._await_head()

    def on_response_complete(self) -> None:
        """Go on with the next request; or, if the body was not wanted, throw the rest away."""
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self.server_state.total_requests += 1
            self._linger()
            return
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; it is counted as long as it is open."""
        counted, self._counted = self._counted, None
        self._release()
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if counted is None:
            return
        lost = protocol.connection_lost

        def leave(exc: Exception | None) -> None:
            self._guard.leave(counted)
            lost(exc)

        protocol.connection_lost = leave  # type: ignore[method-assign]

    def pause_writing(self) -> None:
        """The client takes less than it is sent: not for long."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(
            self._guard.limits.stall_seconds, self.transport.abort
        )

    def resume_writing(self) -> None:
        """The client takes what it is sent again."""
        self._stall_timer = _stop_timer(self._stall_timer)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP in the form of all problems."""
        self.transport.write(_NO_HTTP)
        self._linger()

    def _linger(self) -> None:
        self._is_lingering = True
        self.flow.resume_reading()
        self.transport.write_eof()
        _stop_timer(self._head_timer)
        self._head_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self._guard.limits.head_seconds, self._end_waiting)

    def _end_waiting(self) -> None:
        # Whoever has sent nothing is told nothing: browsers open connections ahead of use.
        if self.conn.trailing_data[0]:
            self.transport.write(_SLOW_HEAD)
        self.transport.close()

    def _release(self) -> None:
        self._head_timer = _stop_timer(self._head_timer)
        self._stall_timer = _stop_timer(self._stall_timer)
        if self._counted is not None:
            self._guard.leave(self._counted)
            self._counted = None


def _stop_timer(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None


def _prepare_socket(connection: socket.socket | None) -> None:
    """Send at once, and let the system end connections whose other end is gone without a word."""
    if connection is None or connection.family not in (socket.AF_INET, socket.AF_INET6):
        return
    # asyncio does this itself, but not for the sockets that uvicorn's workers share: without it the
    # body of each answer waits 40 ms for its head to be acknowledged.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_USER_TIMEOUT", 60_000)):
        if (option := getattr(socket, name, None)) is not None:  # not every system has them
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def _write_problem(problem: ApiProblem) -> bytes:
    body = json.dumps(problem.body).encode()
    told = {
        "content-type": MEDIA_TYPE,
        "content-length": str(len(body)),
        "connection": "close",
        **problem.headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    status = f"HTTP/1.1 {problem.kind.status} {problem.kind.title}\r\n"
    return f"{status}{head}\r\n".encode() + body


_REFUSAL: Final = _write_problem(ApiProblem("busy", "too many connections", retry_after=2))
_NO_HTTP: Final = _write_problem(ApiProblem("malformed_request"))
_SLOW_HEAD: Final = _write_problem(ApiProblem("head_timeout"))
