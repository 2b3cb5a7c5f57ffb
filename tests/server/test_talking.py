"""Talking to an assistant over HTTP."""

import asyncio

import httpx
import pytest

from soni import RuntimeLoop
from soni.core.access_key import Role
from tests.server.serving import (
    ACTIONS,
    SHOP,
    Events,
    check_problem,
    open_talk,
    read_texts,
    say,
    serving,
    wait_for,
)
from tests.server.test_inspector import InspectedNLU
from tests.talking import assistant


async def test_a_task_is_done_message_by_message() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        asked = await say(client, talk, "send money")
        assert read_texts(asked) == ["How much?"]
        assert asked["waiting"].items() >= {"kind": "collect", "slot": "amount"}.items()
        assert (asked["waiting"]["options"], asked["waiting"]["choices"]) == (None, None)
        assert asked["conversation_id"] == talk
        assert asked["turn"] == 1
        assert read_texts(await say(client, talk, "50")) == ["To whom?"]
        assert read_texts(await say(client, talk, "Bob")) == ["Send 50 to Bob?"]
        done = await say(client, talk, "yes")
        assert read_texts(done) == ["Sent 50 to Bob."]
        assert done["waiting"] is None
        assert server.get_global("SENT") == [(50, "Bob")]


async def test_ids_of_conversations_cannot_be_guessed() -> None:
    async with serving() as server:
        client = await server.enter()
        ids = {await open_talk(client) for _ in range(20)}
        assert len(ids) == 20
        assert all(len(each) >= 24 for each in ids)


async def test_a_button_is_pressed_once_however_often_it_is_sent() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        asked = await say(client, talk, "what is my balance")
        assert asked["waiting"]["options"] == ["main", "savings"]
        pressed = {"press": "savings", "message_id": "m-1"}
        first = (await client.post(path, json=pressed)).json()
        assert read_texts(first) == ["There is 100 in savings."]
        assert not first["repeated"]
        again = (await client.post(path, json=pressed)).json()
        assert again["repeated"]
        assert read_texts(again) == read_texts(first)
        assert again["turn"] == first["turn"]
        check_problem(await client.post(path, json={"press": "main"}), 409, "not_allowed")


async def test_a_yes_to_an_earlier_question_does_not_answer_a_newer_one() -> None:
    config = assistant(SHOP, ACTIONS)
    async with serving(config, runtime=RuntimeLoop(config, nlu=InspectedNLU())) as server:
        key = await server.add_key()
        first, second = server.make_client(key), server.make_client(key)
        talk = await open_talk(first)
        for text in ("send money", "50", "Bob"):
            asked = await say(first, talk, text)
        assert asked["waiting"]["options"] == ["Yes", "No"]
        changed = await say(second, talk, "make it 6000")
        assert read_texts(changed)[-1] == "Send 6000 to Bob?"
        path = f"/api/conversations/{talk}/messages"
        late = {"press": "Yes", "turn": asked["turn"], "message_id": "m-late"}
        check_problem(await first.post(path, json=late), 409, "button_expired")
        headers = {"accept": "text/event-stream"}
        async with first.stream("POST", path, json=late, headers=headers) as response:
            told = await Events(response).next()
        assert (told["event"], told["data"]["code"]) == ("error", "button_expired")
        assert server.get_global("SENT") == []
        pressed = {**late, "turn": changed["turn"], "message_id": "m-now"}
        for _ in range(2):  # Sent again it is answered as before, although the turn is over.
            done = await first.post(path, json=pressed)
            assert read_texts(done.json()) == ["Sent 6000 to Bob."]
        assert server.get_global("SENT") == [(6000, "Bob")]
        mixed = {"text": "yes", "turn": 4}
        check_problem(await first.post(path, json=mixed), 422, "invalid_request")


async def test_who_leaves_while_a_turn_runs_finds_its_answer_with_the_same_id() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        sent = {"text": "wait for me", "message_id": "m-1"}
        with pytest.raises(httpx.ReadTimeout):
            await client.post(path, json=sent, timeout=httpx.Timeout(5, read=0.3))
        assert server.get_global("SENT") == ["began"]
        coming = asyncio.create_task(client.post(path, json=sent))
        server.get_global("GATE").set()
        answer = (await coming).json()
        assert read_texts(answer) == ["Done."]
        assert server.get_global("SENT") == ["began", "ended"]
        listed = (await client.get(path)).json()["messages"]
        assert [each["text"] for each in listed] == ["wait for me", "Done."]


async def test_who_leaves_a_stream_of_events_loses_nothing_and_keeps_its_place() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        sent = {"text": "wait for me", "message_id": "m-1"}
        headers = {"accept": "text/event-stream"}
        turns = server.services.conversations.turns
        async with client.stream("POST", path, json=sent, headers=headers):
            await wait_for(lambda: server.get_global("SENT"))
        await asyncio.sleep(0.05)
        assert turns.inside == 1  # nobody listens, and it runs
        server.get_global("GATE").set()
        await wait_for(lambda: turns.inside == 0)
        again = (await client.post(path, json=sent)).json()
        assert again["repeated"]
        assert read_texts(again) == ["Done."]
        assert server.get_global("SENT") == ["began", "ended"]


async def test_the_events_of_a_turn_end_with_the_turn() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        headers = {"accept": "text/event-stream"}
        for sent in ({"text": "what is my balance"}, {"press": "main"}):
            async with client.stream("POST", path, json=sent, headers=headers) as response:
                assert response.headers["content-type"].startswith("text/event-stream")
                events = Events(response)
                said = await events.next()
                turn = await events.next()
        assert (said["event"], said["data"]) == ("message", {"text": "There is 100 in main."})
        assert turn["event"] == "turn"
        assert read_texts(turn["data"]) == ["There is 100 in main."]


async def test_an_error_in_a_stream_of_events_is_an_event() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        headers = {"accept": "text/event-stream"}
        async with client.stream("POST", path, json={"press": "x"}, headers=headers) as response:
            event = await Events(response).next()
        assert event["event"] == "error"
        assert event["data"]["code"] == "not_allowed"


async def test_a_page_that_is_loaded_again_shows_what_was_said_with_its_buttons() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        asked = await say(client, talk, "what is my balance", message_id="m-1")
        await say(client, talk, "main")
        path = f"/api/conversations/{talk}/messages"
        listed = (await client.get(path)).json()
        assert listed["next"] is None
        assert [(each["author"], each["text"]) for each in listed["messages"]] == [
            ("user", "what is my balance"),
            ("bot", "Which account?\n1. main\n2. savings"),
            ("user", "main"),
            ("bot", "There is 100 in main."),
        ]
        assert listed["messages"][1]["ui"] == asked["replies"][0]["ui"]
        assert listed["messages"][0]["message_id"] == "m-1"
        first = (await client.get(path, params={"limit": 1})).json()
        assert [each["turn"] for each in first["messages"]] == [1, 1]
        rest = (await client.get(path, params={"after": first["next"]})).json()
        assert [each["turn"] for each in rest["messages"]] == [2, 2]
        state = (await client.get(f"/api/conversations/{talk}")).json()
        assert state["turn"] == 2
        assert state["tasks"] == []


async def test_the_state_shows_tasks_and_masks_secrets() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        await say(client, talk, "unlock")
        await say(client, talk, "4711")
        state = (await client.get(f"/api/conversations/{talk}")).json()
        assert [task["flow"] for task in state["tasks"]] == ["secret"]
        assert state["waiting"]["slot"] == "topic"
        author = await server.enter(Role.AUTHOR)
        trace = await author.get(f"/api/conversations/{talk}/trace")
        listed = await client.get(f"/api/conversations/{talk}/messages")
        for text in (str(state), trace.text, listed.text):
            assert "4711" not in text


async def test_a_forgotten_conversation_begins_again_and_what_was_said_stays() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        await say(client, talk, "send money")
        assert (await client.delete(f"/api/conversations/{talk}")).status_code == 204
        state = (await client.get(f"/api/conversations/{talk}")).json()
        assert (state["turn"], state["tasks"]) == (0, [])
        listed = (await client.get(f"/api/conversations/{talk}/messages")).json()["messages"]
        assert [each["text"] for each in listed] == ["send money", "How much?"]
        assert read_texts(await say(client, talk, "send money")) == ["How much?"]


async def test_an_admin_removes_everything_about_a_person() -> None:
    async with serving() as server:
        client, admin = await server.enter(), await server.enter(Role.ADMIN)
        talk, other = await open_talk(client), await open_talk(client)
        kept = await open_talk(admin)
        for each in (talk, other):
            await say(client, each, "send money")
        await say(admin, kept, "send money")
        removed = (await admin.post(f"/api/conversations/{talk}/erase")).json()
        assert removed["conversations"] == 2
        for each in (talk, other):
            check_problem(await client.get(f"/api/conversations/{each}"), 404, "not_found")
        assert (await admin.get(f"/api/conversations/{kept}")).json()["turn"] == 1


async def test_the_application_starts_a_flow_with_what_it_knows() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        flows = f"/api/conversations/{talk}/flows"
        wanted = {"inputs": {"amount": 5}, "message_id": "m-1"}
        started = (await client.post(f"{flows}/transfer", json=wanted)).json()
        assert read_texts(started) == ["To whom?"]
        again = (await client.post(f"{flows}/transfer", json=wanted)).json()
        assert again["repeated"]
        answer = await client.post(f"{flows}/nonsense")
        assert "available: " in check_problem(answer, 409, "not_allowed")["detail"]
        answer = await client.post(f"{flows}/transfer", json={"inputs": {"colour": "red"}})
        check_problem(answer, 409, "not_allowed")


async def test_authors_see_flows_their_graphs_and_why_a_turn_went_as_it_did() -> None:
    async with serving() as server:
        client, author = await server.enter(), await server.enter(Role.AUTHOR)
        talk = await open_talk(client)
        await say(client, talk, "send money")
        trace = (await author.get(f"/api/conversations/{talk}/trace")).json()
        assert [entry["commands"][0]["command"] for entry in trace] == ["StartFlow"]
        flows = (await author.get("/api/flows")).json()
        assert {"name": "transfer", "description": "Send money", "startable": True} in flows
        graph = (await author.get("/api/flows/transfer/graph")).json()
        assert "sure" in str(graph)
        answer = await author.get("/api/flows/nonsense/graph")
        assert "transfer" in check_problem(answer, 404, "not_found")["detail"]


async def test_a_failed_turn_is_told_without_what_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        await say(client, talk, "send money")
        answer = await client.post(f"/api/conversations/{talk}/messages", json={"text": "break it"})
        assert "4711" not in answer.text
        assert "Traceback" not in answer.text
        assert read_texts(await say(client, talk, "50", message_id="m-2"))
    shown = capsys.readouterr()
    assert "4711" not in shown.out + shown.err


async def test_health_is_told_to_everybody() -> None:
    async with serving() as server:
        client = server.make_client()
        for path in ("/healthz", "/readyz"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_readiness_waits_for_models_and_the_store() -> None:
    async with serving() as server:
        client = server.make_client()
        server.services.is_ready = False
        answer = await client.get("/readyz")
        check_problem(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) >= 1
        assert (await client.get("/healthz")).status_code == 200


async def test_every_mistake_is_a_problem_with_a_code() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        json_type = {"content-type": "application/json"}

        async def post(content: bytes | str, **headers: str) -> httpx.Response:
            return await client.post(path, content=content, headers=json_type | headers)

        check_problem(await client.get("/nowhere"), 404, "not_found")
        check_problem(await client.put(path), 405, "method_not_allowed")
        check_problem(await post("{"), 400, "malformed_body")
        check_problem(await post(b'{"text": "\xff"}'), 400, "malformed_body")
        check_problem(await post("[" * 60_000), 400, "malformed_body")
        check_problem(await post('{"text": ' + "9" * 5000 + "}"), 400, "malformed_body")
        check_problem(await client.post(path), 422, "invalid_request")
        check_problem(await client.post(path, json={}), 422, "invalid_request")
        check_problem(
            await client.post(path, json={"text": "a", "press": "b"}), 422, "invalid_request"
        )
        check_problem(await client.post(path, json={"text": "a" * 20_001}), 422, "invalid_request")
        check_problem(await client.post(path, json={"text": "a", "x": 1}), 422, "invalid_request")
        check_problem(await post(r'{"text": "a", "message_id": "\ud800"}'), 422, "invalid_request")
        answer = await client.post(
            path, content='{"text": "a"}', headers={"content-type": "text/plain"}
        )
        check_problem(answer, 415, "unsupported_media_type")
        big = await client.post(path, json={"text": "a" * 70_000})
        check_problem(big, 413, "body_too_large")


async def test_what_was_sent_is_not_in_the_problem() -> None:
    async with serving() as server:
        client = await server.enter()
        talk = await open_talk(client)
        path = f"/api/conversations/{talk}/messages"
        for sent in ({"text": {"pin": "4711"}}, {"text": "a", "4711": 1}, {"text": 4711}):
            answer = await client.post(path, json=sent)
            check_problem(answer, 422, "invalid_request")
            if "4711" not in sent:
                assert "4711" not in answer.text


async def test_every_answer_has_headers_that_keep_browsers_careful() -> None:
    async with serving() as server:
        client = await server.enter()
        for answer in (await client.get("/healthz"), await client.get("/nowhere")):
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["cache-control"] == "no-store"
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert len(answer.headers["x-request-id"]) == 32
            assert "server" not in answer.headers
        told = await client.get("/healthz", headers={"x-request-id": "abc-1"})
        assert told.headers["x-request-id"] == "abc-1"
        forged = await client.get("/healthz", headers={"x-request-id": "a b"})
        assert forged.headers["x-request-id"] != "a b"


async def test_pages_of_other_sites_may_call_only_if_they_are_named() -> None:
    asked = {"origin": "https://shop.example", "access-control-request-method": "POST"}
    async with serving() as server:
        answer = await server.make_client().options("/api/conversations", headers=asked)
        assert "access-control-allow-origin" not in answer.headers
    async with serving(settings={"allowed_origins": ["https://shop.example"]}) as server:
        client = server.make_client()
        answer = await client.options("/api/conversations", headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://shop.example"
        other = {**asked, "origin": "https://evil.example"}
        answer = await client.options("/api/conversations", headers=other)
        assert "access-control-allow-origin" not in answer.headers
