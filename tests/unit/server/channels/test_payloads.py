"""Payloads that are not what they should be: read or refused, and never a failure."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from soni.persistence import open_store
from soni.server.channels import make_channels
from soni.server.channels.base import ChannelRequest, RequestRefused
from tests.channel_desk import make_settings, serving
from tests.unit.server.channels import test_slack, test_telegram

CHANNELS = make_channels(make_settings("http://127.0.0.1:9"))
TOPIC = {"chat": test_telegram.GROUP, "message_thread_id": 9, "is_topic_message": True}
PAYLOADS: list[tuple[str, dict[str, Any]]] = [
    ("slack", test_slack.direct("Ev1", "order", thread_ts="1.2")),
    ("slack", test_slack.mention("Ev1", "<@UBOT> order")),
    ("slack", test_slack.press("1:ab", thread_ts="1.2")),
    ("telegram", test_telegram.message(1, "order", **TOPIC)),
    ("telegram", test_telegram.press(1, "1:ab")),
    ("webhook", {"conversation": "ann", "user": "u", "text": "a", "language": "en", "context": {}}),
]
ODD: list[Any] = [None, True, 5, -1.5, "", "x", "\ud800", "\x00", [], [None], {}, {"a": None}]


def iter_paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from iter_paths(item, (*path, key))


def iter_variations(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in iter_paths(payload):
        for odd in ODD:
            changed = copy.deepcopy(payload)
            place: Any = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = odd
            yield changed


def parse(name: str, payload: Any) -> list[dict[str, Any]]:
    body = json.dumps(payload).encode()
    headers = {"webhook-id": "msg_1", "content-type": "application/json"}
    if payload.get("type") == "block_actions":
        body = b"payload=" + body
        headers["content-type"] = "application/x-www-form-urlencoded"
    reception = CHANNELS[name].parse(ChannelRequest(headers, body, "", 0))
    return [message.dump() for message in reception.messages]


@pytest.mark.parametrize(("name", "payload"), PAYLOADS)
def test_a_payload_with_anything_odd_in_it_is_read_or_refused(
    name: str, payload: dict[str, Any]
) -> None:
    assert len(parse(name, payload)) == (name != "telegram" or "message" not in payload)
    for changed in iter_variations(payload):
        try:
            for message in parse(name, changed):
                assert message["conversation_id"].startswith(f"{name}:")
                json.dumps(message).encode()
        except RequestRefused as refused:
            assert refused.status == 400


async def test_half_a_sign_and_nul_are_said_like_any_text(postgres_url: str) -> None:
    async with serving(store=open_store("postgres", postgres_url)) as desk:
        for number, text in enumerate(("half \ud800", "nul \x00")):
            assert (await desk.slack(test_slack.direct(f"Ev{number}", text))).status_code == 200
            await desk.work()
        assert len(desk.texts) == 2
        assert await desk.runtime.store.jobs.list_jobs(kind="channel_message") == []
