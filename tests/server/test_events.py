"""What is said in a conversation, as it is said: server-sent events and WebSockets."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from soni.core.access_key import Role
from soni.server import streams
from tests.server.serving import (
    ACTIONS,
    SHOP,
    Events,
    Running,
    check_problem,
    open_talk,
    read_texts,
    say,
    serving,
    wait_for,
)


@asynccontextmanager
async def listening(
    client: httpx.AsyncClient, talk: str, last: str | None = None
) -> AsyncIterator[Events]:
    """The events of a conversation."""
    headers = {"last-event-id": last} if last else {}
    path = f"/api/conversations/{talk}/events"
    async with client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        yield Events(response)


@asynccontextmanager
async def connected(
    server: Running, client: httpx.AsyncClient, talk: str
) -> AsyncIterator[ClientConnection]:
    """A WebSocket with the credentials of a client, given as a browser has to."""
    token = client.headers["authorization"].removeprefix("Bearer ")
    url = f"ws{server.url.removeprefix('http')}/api/conversations/{talk}/ws"
    protocols: Any = ["soni", f"bearer.{token}"]
    async with connect(url, subprotocols=protocols, proxy=None) as websocket:
        assert websocket.subprotocol == "soni"
        yield websocket


async def receive(websocket: ClientConnection, event: str) -> dict[str, Any]:
    """The data of the next event of a name."""
    async with asyncio.timeout(10):
        while True:
            got = json.loads(await websocket.recv())
            if got["event"] == event:
                data: dict[str, Any] = got["data"]
                return data


async def test_two_devices_see_what_either_says() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with listening(client, talk) as phone, listening(client, talk) as desktop:
            await say(client, talk, "send money")
            for device in (phone, desktop):
                said = [(await device.next())["data"] for _ in range(2)]
                assert [(each["author"], each["text"]) for each in said] == [
                    ("user", "send money"),
                    ("bot", "How much?"),
                ]


async def test_a_broken_stream_goes_on_in_the_middle_of_a_turn() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with listening(client, talk) as events:
            await say(client, talk, "send money")
            seen = await events.next()
        assert seen["data"]["text"] == "send money"
        await say(client, talk, "50")
        async with listening(client, talk, last=seen["id"]) as events:
            said = [(await events.next())["data"]["text"] for _ in range(3)]
            assert said == ["How much?", "50", "To whom?"]


async def test_a_stream_begins_with_what_is_said_next_however_long_the_conversation() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        for _ in range(7):
            await server.runtime.push(talk, "old")
        async with listening(client, talk) as events:
            await server.runtime.push(talk, "new")
            event = await events.next()
        assert event["data"]["text"] == "new"
        assert event["id"] == "8:0"


async def test_what_the_application_pushes_appears() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with listening(client, talk) as events:
            await server.runtime.push(talk, "Your parcel has arrived.")
            said = (await events.next())["data"]
        assert (said["author"], said["text"]) == ("application", "Your parcel has arrived.")


async def test_what_is_said_to_another_worker_appears(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(SHOP)
    (tmp_path / "actions.py").write_text(ACTIONS)
    async with serving(tmp_path) as first, serving(tmp_path) as second:
        key = await first.add_key()
        here, there = first.make_client(key), second.make_client(key)
        talk = await open_talk(here)
        async with listening(here, talk) as events:
            for text in ("send money", "50"):
                await say(there, talk, text)
                assert (await events.next())["data"]["text"] == text
                assert (await events.next())["data"]["author"] == "bot"


async def test_silent_streams_give_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.05)
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with client.stream("GET", f"/api/conversations/{talk}/events") as response:
            lines = response.aiter_lines()
            seen = [await anext(lines) for _ in range(3)]
        assert seen == [": listening", "", ": still here"]


@pytest.mark.parametrize("came", [None, "a message"])
async def test_what_comes_puts_no_sign_of_life_off(
    came: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.05)

    async def iter_often() -> AsyncGenerator[str | None]:
        while True:
            await asyncio.sleep(0.001)
            yield came

    beats = 0
    async with asyncio.timeout(10), aclosing(iter_often()) as messages:
        stopping = asyncio.Event()
        async for message in streams.with_beats(messages, stopping):
            beats += message is None
            if beats == 3:
                stopping.set()
    assert beats == 3


async def test_a_stream_ends_when_its_key_is_revoked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.05)
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with listening(client, talk) as events, connected(server, client, talk) as websocket:
            for key in await server.runtime.store.access_keys.list_keys():
                await server.runtime.store.access_keys.remove(key.key_id)
            with pytest.raises(EOFError):
                await events.next()
            with pytest.raises(ConnectionClosed):
                await receive(websocket, "never")
        assert server.services.conversations.connections.total == 0


async def test_the_places_of_clients_who_left_are_free_again() -> None:
    async with serving(limits={"connections_per_subject": 2}) as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/events"
        connections = server.services.conversations.connections
        for _ in range(3):
            async with listening(client, talk), connected(server, client, talk):
                assert connections.total == 2
                check_problem(await client.get(path), 429, "too_many_connections")
            await wait_for(lambda: connections.total == 0)


async def test_a_websocket_talks_both_ways() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with connected(server, client, talk) as websocket:
            await websocket.send(json.dumps({"text": "what is my balance", "message_id": "m-1"}))
            assert read_texts(await receive(websocket, "turn"))[0].startswith("Which account?")
            await websocket.send(json.dumps({"press": "main", "message_id": "m-2"}))
            turn = await receive(websocket, "turn")
            assert read_texts(turn) == ["There is 100 in main."]
            await websocket.send(json.dumps({"press": "main", "message_id": "m-2"}))
            assert (await receive(websocket, "turn"))["repeated"]
            await server.runtime.push(talk, "Closing soon.")
            while (await receive(websocket, "said"))["text"] != "Closing soon.":
                pass
        # The same conversation over HTTP.
        state = (await client.get(f"/api/conversations/{talk}")).json()
        assert state["turn"] == 3


async def test_a_websocket_is_told_what_is_wrong_and_goes_on() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with connected(server, client, talk) as websocket:
            for sent, code in (
                ("{", "malformed_body"),
                ("[" * 50_000, "malformed_body"),
                (b"\x00\xff", "malformed_body"),
                ("[]", "invalid_request"),
                ('{"text": "a", "press": "b"}', "invalid_request"),
                ('{"press": "Nothing"}', "not_allowed"),
            ):
                await websocket.send(sent)
                assert (await receive(websocket, "error"))["code"] == code
            await websocket.send('{"text": "send money"}')
            assert read_texts(await receive(websocket, "turn")) == ["How much?"]


async def test_who_leaves_a_websocket_finds_the_answer_over_another() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        sent = json.dumps({"text": "wait for me", "message_id": "m-1"})
        async with connected(server, client, talk) as websocket:
            await websocket.send(sent)
            await wait_for(lambda: server.get_global("SENT"))
        server.get_global("GATE").set()
        async with connected(server, client, talk) as websocket:
            await websocket.send(sent)
            assert read_texts(await receive(websocket, "turn")) == ["Done."]
        assert server.get_global("SENT") == ["began", "ended"]


async def test_a_websocket_that_breaks_is_no_error_of_the_server(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        connections = server.services.conversations.connections
        async with connected(server, client, talk) as websocket:
            websocket.transport.abort()
            await wait_for(lambda: connections.total == 0)
        await server.runtime.push(talk, "Is anybody there?")
    assert "ASGI" not in caplog.text
    assert "request_failed" not in capsys.readouterr().out


async def test_nobody_and_others_get_no_websocket() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        url = f"ws{server.url.removeprefix('http')}/api/conversations/{talk}/ws"
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, proxy=None)
        assert refused.value.response.status_code == 401
        assert json.loads(refused.value.response.body or b"")["code"] == "unauthenticated"
        for role in Role:
            other = await server.add_key(role)
            headers = {"authorization": f"Bearer {other}"}
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, additional_headers=headers, proxy=None)
            assert refused.value.response.status_code == 404


async def test_streams_end_when_the_server_stops() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        async with listening(client, talk) as events, connected(server, client, talk) as websocket:
            server.services.stopping.set()
            with pytest.raises(EOFError):
                await events.next()
            with pytest.raises(ConnectionClosed) as closed:
                await receive(websocket, "never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001
