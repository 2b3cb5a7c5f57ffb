"""Signatures of requests: keyed hashes, compared in constant time."""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping

from soni.core.webhook_signature import sign_webhook
from soni.server.channels.base import WINDOW_SECONDS, ChannelRequest, RequestRefused


def check_secret(given: str | None, expected: str, header: str) -> None:
    """Raise unless a header holds what it should; how long that takes says nothing."""
    # Text with other signs than ASCII cannot be compared as text.
    if given is None or not hmac.compare_digest(given.encode(), expected.encode()):
        raise make_signature_error(header)


def make_signature_error(header: str) -> RequestRefused:
    """The error for a wrong signature, and for none."""
    return RequestRefused(
        "bad_signature",
        f"the header {header} does not show that the provider has sent this request",
        "Check that the secret in the settings is the one that the provider signs with",
    )


def check_time(written: str | None, now: float, header: str) -> int:
    """The time of a request in seconds, or `RequestRefused`: an old one may be a replay."""
    text = written or ""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise RequestRefused(
            "bad_signature", f"the header {header} is no time", "Send seconds since 1970"
        )
    if abs(now - int(text)) > WINDOW_SECONDS:
        raise RequestRefused(
            "request_too_old",
            f"the request was signed more than {WINDOW_SECONDS} seconds ago, or in the future",
            "Check the clocks of both machines. A request cannot be sent again later",
        )
    return int(text)


def sign_slack(secret: str, timestamp: int, body: bytes) -> str:
    """Slack's signature of version 0."""
    signed = b"v0:%d:%s" % (timestamp, body)
    return f"v0={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


def sign_twilio(token: str, url: str, params: Mapping[str, Iterable[str]]) -> str:
    """Twilio's signature of a form: its address, then names and values in the names' order."""
    # A name that occurs several times counts each different value once, in order.
    pairs = "".join(f"{name}{v}" for name in sorted(params) for v in sorted(set(params[name])))
    digest = hmac.new(token.encode(), f"{url}{pairs}".encode(), hashlib.sha1).digest()
    return base64.b64encode(digest).decode()


def check_webhook(request: ChannelRequest, secrets: Iterable[str]) -> None:
    """Raise unless one of the secrets has made one of the signatures."""
    header = "webhook-signature"
    delivery_id = request.headers.get("webhook-id", "")
    timestamp = check_time(
        request.headers.get("webhook-timestamp"), request.now, "webhook-timestamp"
    )
    given = [each.encode() for each in request.headers.get(header, "").split()]
    expected = [sign_webhook(each, delivery_id, timestamp, request.body) for each in secrets]
    pairs = [(a, b.encode()) for a in given for b in expected]
    if not delivery_id or not any(hmac.compare_digest(a, b) for a, b in pairs):
        raise make_signature_error(header)
