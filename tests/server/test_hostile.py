"""Clients that mean no good: clear answers, bounded memory, and others unhurt."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from soni.config.server_settings import ServerLimits
from soni.core.access_key import Role
from soni.core.webhook_signature import sign_webhook
from soni.server import ServerOptions
from tests.server.serving import (
    ACTIONS,
    SHOP,
    Running,
    check_problem,
    open_talk,
    read_texts,
    say,
    serving,
    wait_for,
)
from tests.server.test_events import connected, receive
from tests.server.test_rights import call

MEGABYTE = 1 << 20


class Raw:
    """Bytes to the server, and whatever it answers until it closes the connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, server: Running) -> Raw:
        return cls(*await asyncio.open_connection(*server.address))

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def read_head(self) -> bytes:
        async with asyncio.timeout(10):
            return await self._reader.readuntil(b"\r\n\r\n")

    async def read_end(self) -> bytes:
        """Everything until the server has closed the connection."""
        try:
            async with asyncio.timeout(10):
                return await self._reader.read()
        except ConnectionResetError:
            return b""
        finally:
            self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.transport.abort()


def read_problem(answer: bytes) -> str:
    """The code of a problem."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    return str(json.loads(body)["code"])


async def check_unhurt(server: Running) -> None:
    """Somebody else is served as ever."""
    client = await server.enter()
    talk = await open_talk(client)
    assert read_texts(await say(client, talk, "send money")) == ["How much?"]


def read_memory() -> int:
    """The bytes of memory that this process uses."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def test_heads_that_never_end_are_ended() -> None:
    async with serving(limits={"head_seconds": 0.2}) as server:
        silent, slow, second = [await Raw.open(server) for _ in range(3)]
        await slow.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-1: ")
        await second.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await second.read_head()).startswith(b"HTTP/1.1 200")
        await second.send(b"GET /healthz HTTP/1.1\r\n")
        assert await silent.read_end() == b""
        assert read_problem(await slow.read_end()) == "head_timeout"
        assert b"head_timeout" in await second.read_end()
        await check_unhurt(server)


async def test_a_head_that_drips_has_no_longer_than_one_that_does_not() -> None:
    async with serving(limits={"head_seconds": 0.3}) as server:
        raw = await Raw.open(server)

        async def drip() -> None:
            for letter in b"GET /" + b"a" * 1000:
                await raw.send(bytes([letter]))
                await asyncio.sleep(0.02)

        dripping = asyncio.create_task(drip())
        assert read_problem(await raw.read_end()) == "head_timeout"
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)


async def test_bodies_that_never_end_are_ended() -> None:
    async with serving(limits={"body_seconds": 0.2}) as server:
        key = await server.add_key()
        head = (
            "POST /api/conversations/c_1/messages HTTP/1.1\r\nHost: a\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        ).encode()
        declared, chunked = await Raw.open(server), await Raw.open(server)
        await declared.send(head + b"Content-Length: 100\r\n\r\n{")
        await chunked.send(head + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
        for raw in (declared, chunked):
            assert read_problem(await raw.read_end()) == "body_timeout"
        await check_unhurt(server)


async def test_a_hundred_megabytes_are_not_kept() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        await say(client, talk, "send money")
        path = f"/api/conversations/{talk}/messages"
        before = read_memory()
        headers = {"content-length": str(100 * MEGABYTE), "content-type": "application/json"}

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(100):
                yield b"a" * MEGABYTE

        for given in (headers, {"content-type": "application/json"}):
            answer = await client.post(path, content=chunks(), headers=given)
            check_problem(answer, 413, "body_too_large")
        assert read_memory() - before < 30 * MEGABYTE
        assert read_texts(await say(client, talk, "50")) == ["To whom?"]


async def test_what_is_no_http_is_told_so() -> None:
    async with serving() as server:
        for sent in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
            b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 700_000 + b"\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: a\r\n" * 200_000 + b"\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\n X: folded\r\nY\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
            b"GET /\r\n\r\n",
        ):
            raw = await Raw.open(server)
            await raw.send(sent)
            assert read_problem(await raw.read_end()) in ("malformed_request", "body_too_large")
        await check_unhurt(server)


async def test_two_lengths_smuggle_no_second_request() -> None:
    async with serving() as server:
        raw = await Raw.open(server)
        await raw.send(
            b"POST /api/conversations HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        await raw.send(b"")
        answer = await raw.read_head()
        assert b" 200 " not in answer
        await raw.close()


async def test_nothing_that_is_sent_becomes_a_header() -> None:
    async with serving() as server:
        client = await server.enter()
        for name in (
            "a%0d%0aX-Evil:%201",
            "a%0aSet-Cookie:%20x",
            "%00",
            "%ff",
            "..%2f..",
            "a" * 201,
        ):
            answer = await client.get(f"/api/conversations/{name}")
            assert answer.status_code in (404, 422)
            assert "x-evil" not in answer.headers
            assert "set-cookie" not in answer.headers
        answer = await client.get("/healthz", headers={"x-request-id": "a%0d%0ab"})
        assert answer.headers["x-request-id"] != "a%0d%0ab"


async def test_deep_and_odd_json_hurts_nobody() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        headers = {"content-type": "application/json"}
        deep = '{"text": "send money", "context": ' + '{"a":' * 900 + "1" + "}" * 901
        for content in (
            deep,
            '{"text": "send money", "context": {"a": NaN}}',
            '{"text": "send money", "context": {"a": 1e999}}',
            '{"text": "\\ud800", "context": {"\\udfff": "\\u0000"}}',
            '{"text": "\\u0000"}',
            '{"text": "send money", "language": "\\u0000"}',
            '{"text": "send money", "language": "../../etc"}',
        ):
            answer = await client.post(path, content=content, headers=headers)
            assert answer.status_code in (200, 400, 422), answer.text
        await check_unhurt(server)


async def test_one_key_opens_no_more_conversations_than_it_may() -> None:
    async with serving(limits={"conversations_per_subject": 5}) as server:
        client = await server.enter()
        answers = [await client.post("/api/conversations") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 2
        check_problem(answers[-1], 429, "too_many_conversations")
        assert read_texts(await say(client, answers[0].json()["id"], "send money")) == ["How much?"]
        await check_unhurt(server)


async def test_ten_thousand_conversations_of_one_key_are_enough_and_hurt_nobody_else() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        directory = server.runtime.store.directory
        kept = await directory.find(talk)
        assert kept is not None
        most = ServerLimits().conversations_per_subject
        assert most == 10_000
        for number in range(1, most - 1):
            await directory.register(f"c_{number}", kept.user_id, at=kept.last_at)
        # One is left; after it the key is refused, and its conversations go on.
        assert (await client.post("/api/conversations")).status_code == 201
        problem = check_problem(
            await client.post("/api/conversations"), 429, "too_many_conversations"
        )
        assert "10,000" in problem["detail"]
        assert read_texts(await say(client, talk, "send money")) == ["How much?"]
        await check_unhurt(server)


async def test_conversations_that_are_opened_at_once_are_counted_too(tmp_path: Path) -> None:
    yaml = f"settings: {{server: {{limits: {{conversations_per_subject: 5}}}}}}{SHOP}"
    (tmp_path / "soni.yaml").write_text(yaml)
    (tmp_path / "actions.py").write_text(ACTIONS)
    async with serving(tmp_path) as server:
        client = await server.enter()
        answers = await asyncio.gather(*(client.post("/api/conversations") for _ in range(12)))
        opened = [answer for answer in answers if answer.status_code == 201]
        assert len(opened) == 5
        # What is forgotten is still stored: only a removal makes room.
        talk = opened[0].json()["id"]
        await client.delete(f"/api/conversations/{talk}")
        answer = await client.post("/api/conversations")
        check_problem(answer, 429, "too_many_conversations")
        admin = await server.enter(Role.ADMIN)
        assert (await admin.post(f"/api/conversations/{talk}/erase")).status_code == 200
        assert (await client.post("/api/conversations")).status_code == 201


async def test_requests_of_one_subject_are_counted_and_others_are_not_hurt() -> None:
    async with serving(limits={"requests_per_minute": 10}) as server:
        client = await server.enter()
        answers = [await client.post("/api/conversations") for _ in range(30)]
        refused = next(answer for answer in answers if answer.status_code == 429)
        check_problem(refused, 429, "too_many_requests")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        await check_unhurt(server)


async def test_requests_of_one_address_are_counted_whoever_they_say_they_are() -> None:
    async with serving(limits={"requests_per_minute_by_address": 10}) as server:
        for number in range(40):
            client = server.make_client(f"soni_wrong_{number}")
            forwarded = {"x-forwarded-for": f"10.0.0.{number}"}
            answer = await client.post("/api/conversations", headers=forwarded)
            if answer.status_code == 429:
                check_problem(answer, 429, "too_many_requests")
                assert number >= 10
                break
            check_problem(answer, 401, "unauthenticated")
        else:
            pytest.fail("a thousand guesses are free")


async def test_proxies_that_are_trusted_tell_who_calls() -> None:
    settings = {"trusted_proxies": ["127.0.0.1"]}
    limits = {"requests_per_minute_by_address": 10}
    async with serving(settings=settings, limits=limits) as server:
        client = server.make_client("soni_wrong")
        statuses = set()
        for number in range(30):
            forwarded = {"x-forwarded-for": f"10.0.0.{number}"}
            statuses.add((await client.post("/api/conversations", headers=forwarded)).status_code)
        assert statuses == {401}
        limited = {"x-forwarded-for": "2001:db8::1"}
        for number in range(25):
            limited = {"x-forwarded-for": f"2001:db8::{number}"}
            statuses.add((await client.post("/api/conversations", headers=limited)).status_code)
        assert statuses == {401, 429}  # a network of IPv6 is one address


async def test_more_turns_than_fit_are_sent_away_and_come_again() -> None:
    async with serving(limits={"concurrent_turns": 1, "waiting_turns": 1}) as server:
        client = await server.enter()
        talks = [await open_talk(client) for _ in range(4)]
        turns = server.services.conversations.turns
        waiting = []
        for talk in talks[:2]:
            waiting.append(asyncio.create_task(say(client, talk, "wait for me")))
            count = len(waiting)
            await wait_for(lambda count=count: turns.inside == count)
        path = f"/api/conversations/{talks[2]}/messages"
        for accept in ("application/json", "text/event-stream"):
            answer = await client.post(path, json={"text": "hi"}, headers={"accept": accept})
            check_problem(answer, 503, "busy")
            assert int(answer.headers["retry-after"]) >= 1
        server.get_global("GATE").set()
        assert [read_texts(turn) for turn in await asyncio.gather(*waiting)] == [["Done."]] * 2
        assert read_texts(await say(client, talks[2], "send money")) == ["How much?"]


async def test_channels_wait_in_the_same_queue_as_everybody_else() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    settings = {"channels": {"crm": {"kind": "webhook", "secrets": [secret]}}}
    limits = {"concurrent_turns": 1, "waiting_turns": 0}
    async with serving(settings=settings, limits=limits) as server:
        client, provider = await server.enter(), server.make_client()

        async def post(text: str) -> httpx.Response:
            body, at = json.dumps({"conversation": "ann", "text": text}).encode(), int(time.time())
            signed = sign_webhook(secret, "msg_1", at, body)
            headers = {"webhook-id": "msg_1", "webhook-timestamp": str(at)}
            headers |= {"webhook-signature": signed, "content-type": "application/json"}
            return await provider.post("/channels/crm", content=body, headers=headers)

        talk = await open_talk(client)
        running = asyncio.create_task(say(client, talk, "wait for me"))
        await wait_for(lambda: server.services.conversations.turns.inside == 1)
        refused = await post("send money")
        check_problem(refused, 503, "busy")
        assert int(refused.headers["retry-after"]) >= 1
        server.get_global("GATE").set()
        await running
        answers = [(await post("send money")).json() for _ in range(2)]
        assert [read_texts(each) for each in answers] == [["How much?"]] * 2
        assert [(each["turn"], each["repeated"]) for each in answers] == [(1, False), (1, True)]


async def test_a_turn_that_takes_long_goes_on_without_its_client() -> None:
    async with serving(limits={"turn_seconds": 0.3}) as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        sent = {"text": "wait for me", "message_id": "m-1"}
        check_problem(await client.post(path, json=sent), 504, "turn_timeout")
        server.get_global("GATE").set()
        await wait_for(lambda: server.services.conversations.turns.inside == 0)
        again = (await client.post(path, json=sent)).json()
        assert again["repeated"]
        assert read_texts(again) == ["Done."]


async def test_more_sockets_than_fit_are_sent_away() -> None:
    async with serving(limits={"sockets_per_address": 3}) as server:
        held = [await Raw.open(server) for _ in range(3)]
        await wait_for(lambda: server.services.sockets.total == 3)
        refused = await Raw.open(server)
        assert read_problem(await refused.read_end()) == "busy"
        for raw in held:
            await raw.close()
        await wait_for(lambda: server.services.sockets.total == 0)
        await check_unhurt(server)


async def test_a_client_that_takes_nothing_is_let_go() -> None:
    async with serving(limits={"stall_seconds": 0.2, "connections_per_subject": 1}) as server:
        key = await server.add_key()
        client = server.make_client(key)
        talk = await open_talk(client)
        raw = await Raw.open(server)
        await raw.send(
            f"GET /api/conversations/{talk}/events HTTP/1.1\r\nHost: a\r\n"
            f"Authorization: Bearer {key}\r\n\r\n".encode()
        )
        await raw.read_head()
        raw._reader._transport.pause_reading()  # type: ignore[attr-defined]
        connections = server.services.conversations.connections
        assert connections.total == 1
        async with asyncio.timeout(20):
            while connections.total:
                await server.runtime.push(talk, "x" * 60_000)
        await raw.close()


async def test_giant_frames_and_floods_end_a_websocket_and_nothing_else() -> None:
    async with serving(limits={"requests_per_minute": 20}) as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with connected(server, client, talk) as websocket:
            await websocket.send("x" * 70_000)
            with pytest.raises(ConnectionClosed) as closed:
                await receive(websocket, "never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        async with connected(server, client, talk) as websocket:
            for _ in range(60):
                await websocket.send('{"text": ""}')
            codes: list[str | None] = []
            while len(codes) < 60:
                got = json.loads(await websocket.recv())
                if got["event"] in ("turn", "error"):
                    codes.append(got["data"].get("code"))
            assert "too_many_requests" in codes
        await check_unhurt(server)


async def test_a_websocket_of_a_page_elsewhere_is_refused() -> None:
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    async with serving(options=options) as server:
        client = server.make_client()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/ws"
        assert await call(client, "WEBSOCKET", path, None) == 101
        client.headers["host"] = "evil.example"
        assert await call(client, "WEBSOCKET", path, None) == 421


async def test_a_replayed_message_does_nothing_again() -> None:
    async with serving() as server:
        client = await server.enter()
        talk, other = await open_talk(client), await open_talk(client)
        for text in ("send money", "50", "Bob"):
            await say(client, talk, text)
        for _ in range(3):
            await say(client, talk, "yes", message_id="m-1")
        assert server.get_global("SENT") == [(50, "Bob")]
        assert not (await say(client, other, "send money", message_id="m-1"))["repeated"]
