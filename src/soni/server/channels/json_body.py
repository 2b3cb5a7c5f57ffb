"""Bodies of requests that are JSON objects."""

import json
from typing import Any

from soni.runtime.inputs import replace_surrogates
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
    # `"\\ud800"` is half a sign, which no store keeps.
    kept: dict[str, Any] = replace_surrogates(found)
    return kept


def _make_body_error() -> RequestRefused:
    return RequestRefused("bad_payload", "the body is no JSON object", "Send one, in UTF-8")


def find_text(payload: Any, *path: str | int) -> str:
    """The text at a place inside of a payload; empty if there is none."""
    found = payload
    for key in path:
        if isinstance(found, dict):
            found = found.get(key)
        elif isinstance(found, list) and isinstance(key, int) and key < len(found):
            found = found[key]
        else:
            return ""
    return found if isinstance(found, str) else ""
