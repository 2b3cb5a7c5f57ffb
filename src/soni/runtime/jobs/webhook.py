"""webhook: post JSON to another system until it takes it.

The payload has `url` and `body`, and may have `headers`. The receiver may get a delivery more than
once, each time with the same `webhook-id`. With a secret in the settings it is signed, as Standard
Webhooks describes it.
"""

import json
import ssl
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from soni.core.addresses import AddressPolicy, AddressRefused
from soni.core.jobs import Job, JobError, Retry
from soni.core.webhook_signature import sign_webhook
from soni.runtime.jobs import Host, JobKind

ANSWER_SECONDS = 10.0
"""How long the receiver may be silent."""

GONE: Final = 410


async def deliver(host: Host, job: Job) -> None:
    """Post the body."""
    settings = host.assistant.config.settings
    body, at = json.dumps(job.payload["body"]).encode(), int(host.now())
    headers = {
        "user-agent": "soni",
        **{name.lower(): text for name, text in job.payload.get("headers", {}).items()},
        "content-type": "application/json",
        "webhook-id": job.key,
        "webhook-timestamp": str(at),
    }
    secret = settings.background.webhook_secret
    if secret is not None:
        headers["webhook-signature"] = sign_webhook(secret.get_secret_value(), job.key, at, body)
    policy = settings.outgoing.make_policy()
    posted = partial(_post, str(job.payload["url"]), body, headers, policy)
    await host.assistant.invoker.invoke(posted, 2 * ANSWER_SECONDS)


def _post(url: str, body: bytes, headers: dict[str, str], policy: AddressPolicy) -> None:
    place = urlsplit(url)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise JobError(
            f"a webhook goes to an http or https address, not to '{place.scheme}:'", permanent=True
        )
    host = place.hostname
    try:
        connection = _open_connection(place, policy)
        try:
            connection.request("POST", _find_target(place), body, headers)
            # Redirects are not followed: a post would become a get, or go where nobody agreed to.
            status = connection.getresponse().status
        finally:
            connection.close()
    except AddressRefused as refused:
        raise JobError(str(refused), permanent=True) from None
    except (OSError, HTTPException, ValueError) as error:
        raise JobError(f"{host} was not reached: {type(error).__name__}") from None
    if not 200 <= status < 300:
        # The path may hold a secret, and the body belongs to the user.
        raise JobError(f"{host} answered {status}", permanent=status == GONE)


def _find_target(place: SplitResult) -> str:
    return (place.path or "/") + (f"?{place.query}" if place.query else "")


def _open_connection(place: SplitResult, policy: AddressPolicy) -> HTTPConnection:
    """A connection to the address that was checked, not to what the name means a moment later."""
    host = str(place.hostname)
    secure = place.scheme == "https"
    kind = HTTPSConnection if secure else HTTPConnection
    connection = kind(host, place.port, timeout=ANSWER_SECONDS)
    opened = policy.open_socket(host, connection.port, ANSWER_SECONDS)
    context = ssl.create_default_context() if secure else None
    connection.sock = context.wrap_socket(opened, server_hostname=host) if context else opened
    return connection


# The ten attempts of the default take about 31 hours.
JOB = JobKind(
    deliver,
    retry=lambda settings: Retry(
        attempts=settings.webhook_attempts, first_delay=5, factor=4, longest_delay=12 * 3600
    ),
    timeout=3 * ANSWER_SECONDS,
)
