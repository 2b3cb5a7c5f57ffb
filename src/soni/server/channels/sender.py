"""Sender: the one way in which requests of channels go out."""

from __future__ import annotations

import http.client
import ssl
from functools import partial
from typing import Final
from urllib.parse import SplitResult, urlsplit

from soni.core.addresses import AddressPolicy, AddressRefused
from soni.core.invocation import Invoker
from soni.core.jobs import JobError
from soni.server.channels.base import Channel, Failure, Outgoing, ProviderAnswer

ANSWER_SECONDS: Final = 10.0
"""How long a provider may be silent."""

MAX_ANSWER_BYTES: Final = 64_000
"""More of an answer is not read."""

_PORTS: Final = {"http": 80, "https": 443}
_BUSY: Final = 429
_TIMED_OUT: Final = 408


class Sender:
    """Posts requests: to allowed addresses, without redirects, without a word of it in any log.

    It uses no HTTP library with logs of its own: a Telegram address holds the bot's token.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy

    async def send(self, request: Outgoing, channel: Channel, invoker: Invoker) -> None:
        """Post a request, or raise a `JobError` that says whether to try again and when."""
        post = partial(_post, request, self._policy)
        answer: ProviderAnswer = await invoker.invoke(post, 2 * ANSWER_SECONDS)
        failure = channel.find_failure(answer)
        if failure is not None:
            raise JobError(
                f"{channel.name}: {failure.reason}",
                permanent=failure.permanent,
                retry_after=failure.retry_after,
            )


def find_http_failure(answer: ProviderAnswer) -> Failure | None:
    """What the status says: a request that is wrong stays wrong, a busy provider may be free."""
    if 200 <= answer.status < 300:
        return None
    again = answer.status in (_BUSY, _TIMED_OUT) or answer.status >= 500
    seconds = read_seconds(answer.headers.get("retry-after"))
    reason = f"the provider answered {answer.status}"
    return Failure(reason, permanent=not again, retry_after=seconds)


def read_seconds(written: object) -> float | None:
    """The seconds of a `Retry-After`; None if there are none."""
    try:
        seconds = float(str(written))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _post(request: Outgoing, policy: AddressPolicy) -> ProviderAnswer:
    place = urlsplit(request.url)
    host = place.hostname
    if place.scheme not in _PORTS or not host:
        raise JobError("the provider's address is no http or https address", permanent=True)
    try:
        connection = _open_connection(place, host, policy)
    except AddressRefused as refused:
        raise JobError(str(refused), permanent=True) from None
    except OSError as error:
        raise _make_network_error(host, error) from None
    try:
        # The path may hold a token, so nothing that is raised here is passed on.
        connection.request(
            "POST",
            f"{place.path or '/'}?{place.query}" if place.query else place.path or "/",
            request.body,
            {"user-agent": "soni", **request.headers, "content-type": request.media_type},
        )
        found = connection.getresponse()
        headers = {name.lower(): value for name, value in found.getheaders()}
        return ProviderAnswer(found.status, headers, found.read(MAX_ANSWER_BYTES))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _make_network_error(host, error) from None
    finally:
        connection.close()


def _open_connection(
    place: SplitResult, host: str, policy: AddressPolicy
) -> http.client.HTTPConnection:
    port = place.port or _PORTS[place.scheme]
    opened = policy.open_socket(host, port, ANSWER_SECONDS)
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS)
    if place.scheme == "https":
        try:
            opened = ssl.create_default_context().wrap_socket(opened, server_hostname=host)
        except OSError:
            opened.close()
            raise
        connection.default_port = _PORTS["https"]
    connection.sock = opened
    return connection


def _make_network_error(host: str, error: Exception) -> JobError:
    return JobError(f"{host} was not reached: {type(error).__name__}")
