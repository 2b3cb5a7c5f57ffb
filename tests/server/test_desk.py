"""The desk over HTTP: people who take conversations over."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from soni.core.access_key import Role, make_access_key
from soni.server import ServerOptions, desk_board, streams
from tests.server.serving import Events, Running, check_problem, open_talk, read_texts, say, serving
from tests.server.test_events import listening


async def test_only_one_person_can_have_a_conversation() -> None:
    async with serving() as server:
        client = await server.enter()
        ann, bob = await server.enter(Role.AGENT), await server.enter(Role.AGENT)
        talk = await open_talk(client)
        await say(client, talk, "complain")
        assert read_texts(await say(client, talk, "noise")) == ["Somebody looks after noise."]
        waiting = (await bob.get("/api/handoffs", params={"queue": "complaints"})).json()
        assert [(each["conversation_id"], each["claimed_by"]) for each in waiting] == [(talk, None)]
        assert (await ann.get("/api/handoffs", params={"queue": "other"})).json() == []
        desk = f"/api/conversations/{talk}/handoff"
        assert (await ann.post(f"{desk}/claim")).status_code == 200
        assert (await ann.post(f"{desk}/claim")).status_code == 200  # she has it already
        check_problem(await bob.post(f"{desk}/claim"), 409, "not_allowed")
        said = {"text": "Hello, this is Ann.", "message_id": "a-1"}
        check_problem(await bob.post(f"{desk}/messages", json=said), 409, "not_allowed")
        check_problem(await bob.post(f"{desk}/release"), 409, "not_allowed")
        async with listening(client, talk) as events:
            for repeated in (False, True):
                answer = (await ann.post(f"{desk}/messages", json=said)).json()
                assert answer["repeated"] is repeated
            seen = (await events.next())["data"]
            assert (seen["author"], seen["text"]) == ("agent", "Hello, this is Ann.")
            await say(client, talk, "thank you")
            assert (await events.next())["data"]["text"] == "thank you"
        claimed = (await ann.get("/api/handoffs")).json()[0]
        assert claimed["claimed_by"] == seen["by"]
        released = (await ann.post(f"{desk}/release")).json()
        assert read_texts(released) == ["Was that all?"]
        assert (await ann.get("/api/handoffs")).json() == []
        check_problem(await ann.post(f"{desk}/claim"), 404, "not_found")


async def test_an_admin_gives_back_what_somebody_has() -> None:
    async with serving() as server:
        client = await server.enter()
        agent, admin = await server.enter(Role.AGENT), await server.enter(Role.ADMIN)
        talk = await open_talk(client)
        await say(client, talk, "complain")
        await say(client, talk, "noise")
        desk = f"/api/conversations/{talk}/handoff"
        await agent.post(f"{desk}/claim")
        assert (await admin.post(f"{desk}/release")).status_code == 200


async def test_an_agent_reads_only_what_was_handed_over() -> None:
    async with serving() as server:
        client, agent = await server.enter(), await server.enter(Role.AGENT)
        talk = await open_talk(client)
        await say(client, talk, "complain")
        path = f"/api/conversations/{talk}/messages"
        check_problem(await agent.get(path), 404, "not_found")
        await say(client, talk, "noise")
        assert len((await agent.get(path)).json()["messages"]) == 4
        check_problem(await agent.post(path, json={"text": "yes"}), 404, "not_found")
        await agent.post(f"/api/conversations/{talk}/handoff/release")
        check_problem(await agent.get(path), 404, "not_found")


async def test_those_who_wait_longest_are_first() -> None:
    async with serving() as server:
        client, agent = await server.enter(), await server.enter(Role.AGENT)
        talks = [await open_talk(client) for _ in range(4)]
        for talk in talks:
            await say(client, talk, "complain")
            await say(client, talk, "noise")
        waiting = (await agent.get("/api/handoffs")).json()
        assert [each["conversation_id"] for each in waiting] == talks


@asynccontextmanager
async def watching(agent: httpx.AsyncClient) -> AsyncIterator[Events]:
    """Somebody who looks at the desk."""
    async with agent.stream("GET", "/api/handoffs/events", timeout=30) as response:
        assert response.status_code == 200
        yield Events(response)


async def enter_named(server: Running, label: str) -> httpx.AsyncClient:
    key, kept = make_access_key(Role.AGENT, label=label, now=time.time())
    await server.runtime.store.access_keys.add(kept)
    return server.make_client(key)


async def test_the_desk_is_told_of_every_change() -> None:
    async with serving() as server:
        client, ann = await server.enter(), await enter_named(server, "Ann")
        async with watching(ann) as events:
            empty = await events.next()
            assert (empty["event"], empty["data"]) == ("list", {"changed": [], "gone": []})
            talk = await open_talk(client)
            await say(client, talk, "complain")
            await say(client, talk, "noise")
            [come] = (await events.next())["data"]["changed"]
            assert (come["conversation_id"], come["queue"]) == (talk, "complaints")
            assert come["slots"] == {"topic": "noise"}
            assert come["last"]["text"] == "Somebody looks after noise."
            desk = f"/api/conversations/{talk}/handoff"
            await ann.post(f"{desk}/claim")
            [taken] = (await events.next())["data"]["changed"]
            assert taken["claimed_name"] == "Ann"
            await say(client, talk, "it is loud")
            [heard] = (await events.next())["data"]["changed"]
            assert (heard["last"]["author"], heard["last"]["text"]) == ("user", "it is loud")
            await ann.post(f"{desk}/release")
            last = await events.next()
            assert (last["event"], last["data"]) == ("change", {"changed": [], "gone": [talk]})


async def test_people_have_names_at_the_desk_and_in_the_conversation() -> None:
    async with serving() as server:
        client = await server.enter()
        ann, bob = await enter_named(server, "Ann"), await enter_named(server, "Bob")
        me = (await ann.get("/api/me")).json()
        assert (me["name"], me["roles"], me["token"]) == ("Ann", ["client", "agent"], None)
        talk = await open_talk(client)
        await say(client, talk, "complain")
        await say(client, talk, "noise")
        desk = f"/api/conversations/{talk}/handoff"
        # Whoever speaks first has the conversation.
        await ann.post(f"{desk}/messages", json={"text": "Hello."})
        refused = check_problem(await bob.post(f"{desk}/claim"), 409, "not_allowed")
        assert "Ann has it" in refused["detail"]
        check_problem(await bob.post(f"{desk}/messages", json={"text": "Hi."}), 409, "not_allowed")
        heard = (await client.get(f"/api/conversations/{talk}/messages")).json()["messages"][-1]
        assert (heard["author"], heard["by"], heard["text"]) == ("agent", "Ann", "Hello.")


async def test_whoever_wrote_is_told_that_a_person_comes_and_leaves() -> None:
    async with serving() as server:
        client, ann = await server.enter(), await enter_named(server, "Ann")
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}"

        async def look() -> tuple[Any, ...]:
            state = (await client.get(path)).json()
            return state["handed_off"], state["desk"], state["agent"]

        await say(client, talk, "complain")
        assert await look() == (False, None, None)
        async with listening(client, talk) as events:
            assert (await say(client, talk, "noise"))["handed_off"] is True
            assert await look() == (True, "waiting", None)
            await ann.post(f"{path}/handoff/claim")
            await ann.post(f"{path}/handoff/release")
            told = [await events.next() for _ in range(5)]
        assert await look() == (False, None, None)
        assert [(each["event"], each["data"].get("text")) for each in told] == [
            ("message", "noise"),
            ("message", "Somebody looks after noise."),
            ("desk", None),
            ("desk", None),
            ("message", "Was that all?"),
        ]
        assert told[2]["data"] == {"desk": "answering", "agent": "Ann"}
        assert told[3]["data"] == {"desk": None, "agent": None}


async def test_the_desk_is_told_the_task_in_words_and_what_the_customer_said() -> None:
    async with serving() as server:
        client, ann = await server.enter(), await server.enter(Role.AGENT)
        talk = await open_talk(client)
        await say(client, talk, "complain")
        await say(client, talk, "noise")
        [shown] = (await ann.get("/api/handoffs")).json()
        assert (shown["task"], shown["words"]) == ("Complain", "noise")
        assert shown["last"]["author"] == "bot"


async def test_of_many_who_claim_at_once_one_has_it() -> None:
    async with serving() as server:
        client = await server.enter()
        agents = [await enter_named(server, f"Agent {number}") for number in range(6)]
        talk = await open_talk(client)
        await say(client, talk, "complain")
        await say(client, talk, "noise")
        path = f"/api/conversations/{talk}/handoff/claim"
        answers = await asyncio.gather(*(agent.post(path) for agent in agents))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
        [winner] = [number for number, answer in enumerate(answers) if answer.status_code == 200]
        for answer in answers:
            assert answer.status_code == 200 or f"Agent {winner} has it" in answer.json()["detail"]


async def test_only_people_of_the_desk_see_it() -> None:
    async with serving() as server:
        client = await server.enter()
        check_problem(await client.get("/api/handoffs/events"), 403, "forbidden")
        assert (await server.make_client().get("/api/me")).json()["roles"] == []
        assert (await server.make_client("soni_x_y").get("/api/me")).json()["id"] is None
    options = ServerOptions(anonymous_roles=frozenset({Role.AGENT}), is_local=True)
    async with serving(options=options) as server:
        unknown = server.make_client()
        me = (await unknown.get("/api/me")).json()
        assert me["roles"] == ["client", "agent"]
        unknown.headers["authorization"] = f"Bearer {me['token']}"
        assert (await unknown.get("/api/handoffs")).json() == []


async def test_a_revoked_key_sees_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.05)
    async with serving() as server:
        ann = await enter_named(server, "Ann")
        async with watching(ann) as events:
            await events.next()
            [key] = await server.runtime.store.access_keys.list_keys()
            await server.runtime.store.access_keys.remove(key.key_id)
            with pytest.raises(EOFError):
                await events.next()


async def test_a_revoked_key_sees_nothing_more_of_a_busy_desk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.2)
    monkeypatch.setattr(desk_board, "LOOK_SECONDS", 0.01)
    async with serving() as server:
        ann = await enter_named(server, "Ann")

        async def chatter() -> None:
            while True:
                server.runtime.store.feed.publish("somebody else's")
                await asyncio.sleep(0.005)

        async with watching(ann) as events:
            await events.next()
            talking = asyncio.create_task(chatter())
            [key] = await server.runtime.store.access_keys.list_keys()
            await server.runtime.store.access_keys.remove(key.key_id)
            with pytest.raises(EOFError):
                await events.next()
            talking.cancel()


async def test_metrics_say_how_many_wait() -> None:
    options = ServerOptions(anonymous_roles=frozenset({Role.AGENT}), is_local=True)
    async with serving(options=options) as server:
        client, ann = await server.enter(), await enter_named(server, "Ann")

        async def count() -> list[str]:
            text = (await ann.get("/metrics")).text
            return sorted(line for line in text.splitlines() if line.startswith("soni_handoffs{"))

        talks = [await open_talk(client) for _ in range(3)]
        for talk in talks:
            await say(client, talk, "complain")
            await say(client, talk, "noise")
        waiting, claimed = 'soni_handoffs{state="waiting"}', 'soni_handoffs{state="claimed"}'
        assert await count() == [f"{claimed} 0.0", f"{waiting} 3.0"]
        await ann.post(f"/api/conversations/{talks[0]}/handoff/claim")
        assert await count() == [f"{claimed} 1.0", f"{waiting} 2.0"]
        await ann.post(f"/api/conversations/{talks[0]}/handoff/release")
        assert await count() == [f"{claimed} 0.0", f"{waiting} 2.0"]
