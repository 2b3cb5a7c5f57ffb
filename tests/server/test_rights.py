"""Who may do what: every route of the app, tried by nobody, by another subject and by each role."""

from __future__ import annotations

from typing import Any, NamedTuple

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import WebSocketRoute

from soni.core.access_key import Role
from soni.server import ServerOptions, create_app
from tests.server.serving import ACTIONS, SHOP, Running, check_problem, open_talk, say, serving
from tests.talking import assistant

ALL = frozenset(Role)
ADMINS = frozenset({Role.ADMIN})
AGENTS = ADMINS | {Role.AGENT}
AUTHORS = ADMINS | {Role.AUTHOR}
NOBODY: frozenset[Role] = frozenset()


class Rule(NamedTuple):
    """Who may use a route."""

    roles: frozenset[Role]
    """Those who may at all; others get 403."""

    others: frozenset[Role] = NOBODY
    """Those who may also do it in a conversation of somebody else; others get 404."""

    needs_key: bool = True
    body: Any = None
    status: int | None = None
    """What everybody gets, where it does not depend on them."""


COMPLETION = {"model": "soni", "messages": [{"role": "user", "content": "hello"}]}
RUN = {
    "threadId": "t-1",
    "runId": "r-1",
    "state": {},
    "messages": [{"id": "m-1", "role": "user", "content": "hello"}],
    "tools": [],
    "context": [],
    "forwardedProps": {},
}
TALK = "/api/conversations/{conversation_id}"
RULES: dict[tuple[str, str], Rule] = {
    ("GET", "/openapi.json"): Rule(ALL, ALL, needs_key=False),
    # Pages hold no data: what they show they ask the routes below for.
    **{("GET", path): Rule(ALL, ALL, needs_key=False) for path in ("/", "/inspect", "/desk")},
    ("GET", "/widget.js"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/web/brand.css"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/web/page.json"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/web/{file}"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/healthz"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/metrics"): Rule(AUTHORS, AUTHORS),
    # Providers sign what they post: docs/channels.md. This assistant has none.
    ("POST", "/channels/{name}"): Rule(ALL, ALL, status=404),
    ("GET", "/readyz"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/v1/models"): Rule(ALL, ALL),
    ("GET", "/v1/models/{model}"): Rule(ALL, ALL),
    ("POST", "/v1/chat/completions"): Rule(ALL, ALL, body=COMPLETION),
    ("POST", "/ag-ui"): Rule(ALL, ALL, body=RUN),
    ("GET", "/mcp"): Rule(ALL, ALL),
    ("POST", "/mcp"): Rule(ALL, ALL),
    ("DELETE", "/mcp"): Rule(ALL, ALL),
    ("POST", "/api/conversations"): Rule(ALL, ALL),
    ("GET", TALK): Rule(ALL, AGENTS | AUTHORS),
    ("DELETE", TALK): Rule(ALL),
    ("POST", f"{TALK}/messages"): Rule(ALL, body={"text": "hello"}),
    ("GET", f"{TALK}/messages"): Rule(ALL, AGENTS | AUTHORS),
    ("GET", f"{TALK}/events"): Rule(ALL, AGENTS | AUTHORS),
    ("WEBSOCKET", f"{TALK}/ws"): Rule(ALL),
    ("POST", f"{TALK}/flows/{{name}}"): Rule(ALL),
    ("POST", f"{TALK}/erase"): Rule(ADMINS, ADMINS),
    ("GET", f"{TALK}/trace"): Rule(AUTHORS, AUTHORS),
    ("GET", "/api/flows"): Rule(AUTHORS, AUTHORS),
    ("GET", "/api/flows/{name}/graph"): Rule(AUTHORS, AUTHORS),
    ("GET", "/api/flows/{name}/drawing"): Rule(AUTHORS, AUTHORS),
    ("GET", f"{TALK}/inspection"): Rule(AUTHORS, AUTHORS),
    ("POST", f"{TALK}/fork"): Rule(AUTHORS, AUTHORS, body={"seq": 1}),
    ("POST", f"{TALK}/replay"): Rule(AUTHORS, AUTHORS),
    ("GET", f"{TALK}/test"): Rule(AUTHORS, AUTHORS),
    # In development alone, and then in conversations of one's own: tests/server/test_inspector.py.
    ("POST", f"{TALK}/test"): Rule(AUTHORS, AUTHORS),
    ("POST", f"{TALK}/commands"): Rule(AUTHORS, AUTHORS, body={"commands": "RepeatLast"}),
    ("GET", "/api/sources"): Rule(AUTHORS, AUTHORS),
    ("GET", "/api/sources/file"): Rule(AUTHORS, AUTHORS),
    ("POST", "/api/sources/file"): Rule(
        AUTHORS, AUTHORS, body={"file": "soni.yaml", "text": "", "digest": ""}
    ),
    ("POST", "/api/sources/check"): Rule(AUTHORS, AUTHORS, body={"file": "soni.yaml", "text": ""}),
    ("POST", "/api/reload"): Rule(ADMINS, ADMINS),
    ("GET", "/api/me"): Rule(ALL, ALL, needs_key=False),
    ("GET", "/api/handoffs"): Rule(AGENTS, AGENTS),
    ("GET", "/api/handoffs/events"): Rule(AGENTS, AGENTS),
    ("POST", f"{TALK}/handoff/claim"): Rule(AGENTS, AGENTS),
    ("POST", f"{TALK}/handoff/messages"): Rule(AGENTS, AGENTS, body={"text": "hello"}),
    ("POST", f"{TALK}/handoff/release"): Rule(AGENTS, AGENTS),
}
"""Of a conversation that was handed over: what an agent may do in others is in test_desk.py."""


def list_routes() -> list[tuple[str, str]]:
    """Method and path of every route; a mounted app counts as one."""
    app = create_app(assistant(SHOP, ACTIONS))
    found = set()
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, WebSocketRoute):
            found.add(("WEBSOCKET", str(route.path)))
        else:
            methods = (route.methods or {"MOUNT"}) - {"HEAD"}
            found |= {(method, str(route.path)) for method in methods}
    return sorted(found)


def test_every_route_of_the_app_is_classified() -> None:
    assert list_routes() == sorted(RULES)


def make_path(path: str, talk: str) -> str:
    return (
        path.replace("{conversation_id}", talk)
        .replace("{name}", "transfer")
        .replace("{model}", "soni")
        .replace("{file}", "theme.css")
    )


async def call(client: httpx.AsyncClient, method: str, path: str, body: Any) -> int:
    """The status of an answer; that of a handshake for a WebSocket."""
    headers = {}
    if method == "WEBSOCKET":
        method = "GET"
        headers = {
            "connection": "upgrade",
            "upgrade": "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
    async with client.stream(method, path, json=body, headers=headers) as answer:
        if answer.status_code >= 400 and path.startswith("/api"):
            await answer.aread()
            check_problem(answer, answer.status_code, answer.json()["code"])
        return answer.status_code


async def hand_over(server: Running) -> str:
    """A conversation of somebody, with the desk."""
    client = await server.enter()
    talk = await open_talk(client)
    flow = f"/api/conversations/{talk}/flows/complain"
    assert (await client.post(flow, json={"inputs": {"topic": "noise"}})).status_code == 200
    return talk


@pytest.mark.parametrize(("method", "path"), sorted(RULES))
async def test_each_role_may_do_what_it_should_and_no_more(method: str, path: str) -> None:
    rule = RULES[method, path]
    async with serving() as server:
        nobody = await call(server.make_client(), method, make_path(path, "c_1"), rule.body)
        assert nobody == (rule.status or (401 if rule.needs_key else 200))
        forged = server.make_client("soni_12345678_" + "x" * 43)
        assert await call(forged, method, make_path(path, "c_1"), rule.body) == nobody
        talk = await hand_over(server)
        for role in Role:
            client = await server.enter(role)
            status = await call(client, method, make_path(path, talk), rule.body)
            if rule.status is not None:
                assert status == rule.status, role
            elif role not in rule.roles:
                assert status == 403, role
            elif role not in rule.others:
                assert status == 404, role
            else:
                assert status not in (401, 403, 404), role
                talk = await hand_over(server)


@pytest.mark.parametrize(
    ("method", "path"), [each for each in sorted(RULES) if "{conversation_id}" in each[1]]
)
async def test_a_conversation_that_is_not_ones_own_is_as_if_there_were_none(
    method: str, path: str
) -> None:
    rule = RULES[method, path]
    if Role.CLIENT not in rule.roles:
        return  # it needs another role, whoever owns the conversation
    async with serving() as server:
        owner, other = await server.enter(), await server.enter()
        talk = await open_talk(owner)
        answers = [
            await call(other, method, make_path(path, each), rule.body) for each in (talk, "c_none")
        ]
        assert answers == [404, 404]
        assert await call(owner, method, make_path(path, talk), rule.body) not in (401, 403, 404)


async def test_on_this_machine_each_browser_has_a_token_of_its_own() -> None:
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    async with serving(options=options) as server:
        ann, bob = server.make_client(), server.make_client()
        talk = await open_talk(ann)  # keeps the token that it is given
        assert ann.headers["authorization"].startswith("Bearer anon_")
        await say(ann, talk, "send money")
        second = await ann.post("/api/conversations")
        assert second.json()["token"] is None
        check_problem(await bob.get(f"/api/conversations/{talk}"), 401, "unauthenticated")
        await open_talk(bob)
        check_problem(await bob.get(f"/api/conversations/{talk}"), 404, "not_found")
        check_problem(await bob.get("/api/flows"), 403, "forbidden")


async def test_a_name_that_a_page_elsewhere_made_up_is_refused() -> None:
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}), is_local=True)
    async with serving(options=options) as server:
        client = server.make_client()
        for host in ("evil.example", "127.0.0.1.evil.example", "[::1].evil.example", "10.0.0.1"):
            answer = await client.post("/api/conversations", headers={"host": host})
            check_problem(answer, 421, "misdirected")
        for host in ("localhost:80", "127.0.0.1", "[::1]:8000"):
            answer = await client.post("/api/conversations", headers={"host": host})
            assert answer.status_code == 201


async def test_a_key_that_has_expired_or_was_revoked_opens_nothing() -> None:
    async with serving() as server:
        expired = server.make_client(await server.add_key(days=-1))
        check_problem(await expired.post("/api/conversations"), 401, "unauthenticated")
        client = await server.enter()
        talk = await open_talk(client)
        for key in await server.runtime.store.access_keys.list_keys():
            await server.runtime.store.access_keys.remove(key.key_id)
        check_problem(await client.get(f"/api/conversations/{talk}"), 401, "unauthenticated")


async def test_anonymous_tokens_count_for_nothing_where_everybody_needs_a_key() -> None:
    async with serving() as server:
        for token in ("anon_" + "x" * 43, "x" * 5000, "é", "a.b.c"):
            client = server.make_client()
            headers = {b"authorization": f"Bearer {token}".encode()}
            answer = await client.post("/api/conversations", headers=headers)
            check_problem(answer, 401, "unauthenticated")
            assert answer.headers["www-authenticate"] == "Bearer"
