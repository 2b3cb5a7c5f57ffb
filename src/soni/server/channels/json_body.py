"""Bodies of requests that are JSON objects."""

import json
from typing import Any

from soni.server.channels.base import ChannelRequest, RequestRefused


def read_object(request: ChannelRequest) -> dict[str, Any]:
    """The object that is the body, or `RequestRefused`."""
    try:
        return parse_object(request.body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _make_body_error() from error


def parse_object(text: str) -> dict[str, Any]:
    """The object that is written, or `RequestRefused`."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _make_body_error() from error
    if not isinstance(found, dict):
        raise _make_body_error()
    return found


def _make_body_error() -> RequestRefused:
    return RequestRefused(
        "bad_payload", "the body is no JSON object", "Send one, in UTF-8", status=400
    )
