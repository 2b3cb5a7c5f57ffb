"""The desk over HTTP: people who take conversations over."""

from soni.core.access_key import Role
from tests.server.serving import check_problem, open_talk, read_texts, say, serving
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
