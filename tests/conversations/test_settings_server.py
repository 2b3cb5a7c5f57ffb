"""Settings of the server and of what watches it, each by what a client sees of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from soni import RuntimeLoop
from soni.commands import StartFlow
from soni.core.access_key import Role
from soni.core.protocols import NLUProvider
from soni.du import NLUOutput
from soni.observability.logs import make_logging_config
from soni.server import ServerOptions, create_app
from tests.talking import assistant

GREETER = """
flows:
  greet:
    trigger: {examples: [hello]}
    steps:
      - {collect: name, message: Your name?}
      - say: "Hello {name}!"
slots:
  name: {type: string}
"""

SIGNED = """
settings:
  server:
    auth:
      jwt:
        secret: a secret of at least thirty-two characters
        audience: bank
        issuer: https://id.example
        role_claim: role
    allowed_origins: [https://shop.example]
    trusted_proxies: [127.0.0.1]
    channels:
      crm: {kind: webhook, secrets: [whsec_c2VjcmV0IG9mIHRoZSBjcm0gc3lzdGVt]}
"""

PUBLIC_KEYS = """
settings:
  server: {auth: {jwt: {jwks_url: "https://id.example/keys"}}}
"""

OPEN = """
settings:
  server:
    auth: {anonymous: true}
    limits:
      sockets: 500
      sockets_per_address: 100
      head_seconds: 5
      stall_seconds: 20
      max_body_bytes: 2000
      max_history_bytes: 4000
      body_seconds: 5
      turn_seconds: 60
      concurrent_turns: 1
      waiting_turns: 0
      connections: 10
      connections_per_subject: 1
      conversations_per_subject: 2
      requests_per_minute: 8
      requests_per_minute_by_address: 100
"""

WATCHED = """
settings:
  observability:
    tracing: otlp
    endpoint: http://127.0.0.1:9
    service_name: bank
    sample_ratio: 0
    logs: json
    log_level: warning
"""

LEVELS = {
    "debug": "settings: {observability: {log_level: debug}}",
    "error": "settings: {observability: {log_level: error}}",
}

LOGGED = {"debug": "INFO", "error": "ERROR"}

BRANDED = """
settings:
  server:
    page:
      title: {en: Corner shop, es: La tienda}
      greeting: What can I do for you?
      suggestions: [hello, "good-bye"]
      languages: [en, es]
      accent: "#0b6e4f"
      radius: 8
      font: Georgia, serif
      logo: https://shop.example/logo.png
"""

KEPT = """
settings: {nlu: {cache: kept/texts}}
"""


@asynccontextmanager
async def served(
    settings: str, *roles: Role, nlu: NLUProvider | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app with these settings."""
    options = ServerOptions(anonymous_roles=frozenset(roles))
    config = assistant(GREETER + settings)
    runtime = None if nlu is None else RuntimeLoop(config, nlu=nlu)
    app = create_app(config, runtime=runtime, options=options)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost"
        ) as client,
    ):
        yield client


async def open_conversation(client: httpx.AsyncClient) -> str:
    """Open one as somebody unknown; where its messages go. The client keeps the token."""
    opened = (await client.post("/api/conversations")).json()
    client.headers["authorization"] = f"Bearer {opened['token']}"
    return f"/api/conversations/{opened['id']}/messages"


def sign(**claims: Any) -> dict[str, str]:
    usual = {
        "sub": "ann",
        "exp": time.time() + 60,
        "aud": "bank",
        "iss": "https://id.example",
        "role": "author",
    }
    token = jwt.encode({**usual, **claims}, "a secret of at least thirty-two characters", "HS256")
    return {"authorization": f"Bearer {token}"}


async def test_a_signed_token_names_its_user_and_role() -> None:
    async with served(SIGNED) as client:
        assert (await client.get("/api/flows", headers=sign())).json()[0]["name"] == "greet"
        refused = await client.get("/api/flows", headers=sign(role="client"))
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"aud": "shop"}, "the token is for another audience"),
        ({"iss": "https://other.example"}, "the token is of another issuer"),
        ({"exp": 1.0}, "the token has expired"),
    ],
)
async def test_a_token_for_somebody_else_is_refused(claims: dict[str, Any], reason: str) -> None:
    async with served(SIGNED) as client:
        refused = await client.post("/api/conversations", headers=sign(**claims))
        assert (refused.status_code, refused.json()["detail"]) == (401, reason)


async def test_pages_of_named_sites_may_call_and_others_may_not() -> None:
    async with served(SIGNED) as client:
        for origin, allowed in (("https://shop.example", True), ("https://eve.example", False)):
            answer = await client.get("/healthz", headers={"origin": origin})
            assert (answer.headers.get("access-control-allow-origin") == origin) is allowed


async def test_a_channel_has_its_route_and_its_own_signature() -> None:
    async with served(SIGNED) as client:
        refused = await client.post("/channels/crm", json={"text": "hello"})
        assert (refused.status_code, refused.json()["code"]) == (401, "bad_signature")
        unknown = await client.post("/channels/slack", json={})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "no_such_channel")


async def test_where_keys_are_public_and_cannot_be_had_nobody_is_let_in() -> None:
    async with served(PUBLIC_KEYS) as client:
        refused = await client.post("/api/conversations", headers=sign())
        assert (refused.status_code, refused.json()["code"]) == (503, "identity_unavailable")


async def test_anybody_talks_where_that_is_allowed() -> None:
    async with served(OPEN, Role.CLIENT) as client:
        place = await open_conversation(client)
        assert (await client.post(place, json={"text": "hello"})).json()["state"] == (
            "waiting_for_slot"
        )
        said = (await client.post(place, json={"text": "Ann"})).json()
        assert said["replies"][0]["text"] == "Hello Ann!"


async def test_a_page_has_the_authors_name_first_words_and_colours() -> None:
    async with served(BRANDED, Role.CLIENT) as client:
        page = (await client.get("/web/page.json")).json()
        assert page["title"] == {"en": "Corner shop", "es": "La tienda"}
        assert page["greeting"] == "What can I do for you?"
        assert page["suggestions"] == ["hello", "good-bye"]
        assert page["languages"] == ["en", "es"]
        assert page["logo"] == "https://shop.example/logo.png"
        brand = (await client.get("/web/brand.css")).text
        assert "--accent: #0b6e4f;" in brand
        assert "--on-accent: #ffffff;" in brand
        assert "--radius: 8px;" in brand
        assert "--font: Georgia, serif, system-ui, sans-serif;" in brand


async def test_what_is_too_much_is_refused_with_a_reason() -> None:
    async with served(OPEN, Role.CLIENT) as client:
        place = await open_conversation(client)
        large = await client.post(place, json={"text": "x" * 3000})
        assert (large.status_code, large.json()["code"]) == (413, "body_too_large")
        chat = {"messages": [{"role": "user", "content": "x" * 3000}], "user": "ann"}
        assert (await client.post("/v1/chat/completions", json=chat)).status_code == 200
        longer = await client.post("/v1/chat/completions", json={**chat, "user": "y" * 1000})
        assert longer.status_code == 413
        await client.post("/api/conversations")
        third = await client.post("/api/conversations")
        assert (third.status_code, third.json()["code"]) == (429, "too_many_conversations")
        for _ in range(6):
            last = await client.get(place)
        assert (last.status_code, last.json()["code"]) == (429, "too_many_requests")
        assert 1 <= int(last.headers["retry-after"]) <= 60


class Ponders:
    """A provider that thinks until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.enough = asyncio.Event(), asyncio.Event()

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        self.begun.set()
        await self.enough.wait()
        return NLUOutput(commands=[StartFlow("greet")])


async def test_while_a_turn_runs_others_are_sent_away_if_none_may_wait() -> None:
    nlu = Ponders()
    async with served(OPEN, Role.CLIENT, nlu=nlu) as client:
        place = await open_conversation(client)
        first = asyncio.create_task(client.post(place, json={"text": "hello"}))
        await nlu.begun.wait()
        second = await client.post(place, json={"text": "hello?"})
        assert (second.status_code, second.json()["code"]) == (503, "busy")
        assert second.headers["retry-after"]
        nlu.enough.set()
        assert (await first).json()["replies"][0]["text"] == "Your name?"


async def test_an_assistant_that_is_watched_answers_though_nobody_takes_its_spans() -> None:
    async with served(WATCHED, Role.CLIENT) as client:
        place = await open_conversation(client)
        said = (await client.post(place, json={"text": "hello"})).json()
        assert said["replies"][0]["text"] == "Your name?"


async def test_texts_of_a_folder_are_encoded_before_the_server_is_ready(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(GREETER + KEPT, encoding="utf-8")
    app = create_app(tmp_path)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    async with client:
        assert (await client.get("/readyz")).status_code == 503
        async with app.router.lifespan_context(app):
            assert (await client.get("/readyz")).status_code == 200
    assert list((tmp_path / "kept" / "texts").iterdir())


@pytest.mark.parametrize("level", LEVELS)
def test_logs_begin_at_their_level(level: str) -> None:
    observability = assistant(GREETER + LEVELS[level]).settings.observability
    # Other libraries say in detail what was sent, so they never begin at the lowest level.
    assert make_logging_config(observability)["root"]["level"] == LOGGED[level]
