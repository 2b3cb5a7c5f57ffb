"""Tokens that another system signed (JWT)."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from soni import ConfigError
from soni.core.access_key import Role
from soni.server import ServerOptions
from tests.server.serving import Running, check_problem, open_talk, read_texts, say, serving
from tests.talking import assistant

SECRET = "s" * 40
SETTINGS = {"secret": SECRET, "audience": "shop", "issuer": "https://login.example"}


def sign(key: Any = SECRET, algorithm: str = "HS256", kid: str | None = None, **claims: Any) -> str:
    """A token; claims that are None are left out."""
    given = {
        "sub": "ann",
        "aud": "shop",
        "iss": "https://login.example",
        "exp": time.time() + 60,
        **claims,
    }
    payload = {name: value for name, value in given.items() if value is not None}
    return jwt.encode(payload, key, algorithm, headers={"kid": kid} if kid else None)


async def try_token(server: Running, token: str) -> str:
    """`ok`, or the reason why not."""
    answer = await server.make_client(token).post("/api/conversations")
    return (
        "ok"
        if answer.status_code == 201
        else check_problem(answer, 401, "unauthenticated")["detail"]
    )


async def test_a_token_names_its_subject() -> None:
    async with serving(settings={"auth": {"jwt": SETTINGS}}) as server:
        ann, later, bob = (server.make_client(sign(sub=sub)) for sub in ("ann", "ann", "bob"))
        talk = await open_talk(ann)
        assert (await later.get(f"/api/conversations/{talk}")).status_code == 200
        check_problem(await bob.get(f"/api/conversations/{talk}"), 404, "not_found")


async def test_no_token_is_that_of_a_key_or_of_somebody_unknown() -> None:
    async with serving(settings={"auth": {"jwt": SETTINGS}}) as server:
        client = await server.enter()
        key = (await server.runtime.store.access_keys.list_keys())[0]
        talk = await open_talk(client)
        forged = server.make_client(sign(sub=f"key:{key.key_id}"))
        check_problem(await forged.get(f"/api/conversations/{talk}"), 404, "not_found")


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({}, "ok"),
        ({"exp": 1}, "the token has expired"),
        ({"exp": None}, "the token lacks `exp` or `sub`"),
        ({"sub": None}, "the token lacks `exp` or `sub`"),
        ({"sub": 7}, "the token cannot be read"),
        ({"sub": "x" * 2000}, "the token's `sub` cannot be used"),
        ({"sub": "\0"}, "the token's `sub` cannot be used"),
        ({"aud": "other"}, "the token is for another audience"),
        ({"aud": None}, "the token lacks `exp` or `sub`"),
        ({"iss": "https://evil.example"}, "the token is of another issuer"),
        ({"key": "t" * 40}, "the token's signature is wrong"),
        ({"nbf": time.time() + 3600}, "the token cannot be read"),
    ],
)
async def test_a_token_has_to_be_right_in_everything(claims: dict[str, Any], reason: str) -> None:
    async with serving(settings={"auth": {"jwt": SETTINGS}}) as server:
        assert await try_token(server, sign(**claims)) == reason


async def test_a_token_without_a_signature_is_nothing() -> None:
    async with serving(settings={"auth": {"jwt": SETTINGS}}) as server:
        token = sign()
        head, payload, _ = token.split(".")
        unsigned = sign(key=None, algorithm="none")
        for forged in (
            unsigned,
            f"{head}.{payload}.",
            f"{unsigned.split('.')[0]}.{payload}.",
            "a.b.c",
        ):
            assert await try_token(server, forged) != "ok"


async def test_a_claim_gives_a_role_and_an_unknown_one_none() -> None:
    async with serving(settings={"auth": {"jwt": SETTINGS}}) as server:
        for claim, status in (
            ("author", 200),
            (["agent", "author"], 200),
            ("admin", 200),
            ("client", 403),
            ("root", 403),
            ({"admin": 1}, 403),
            (None, 403),
        ):
            client = server.make_client(sign(soni_role=claim))
            assert (await client.get("/api/flows")).status_code == status, claim


@asynccontextmanager
async def publishing(keys: list[dict[str, Any]]) -> AsyncIterator[tuple[str, list[str]]]:
    """The address of public keys, and who has asked for them."""
    import asyncio
    import socket

    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])
        head = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": json.dumps({"keys": keys}).encode()})

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None))
    task = asyncio.create_task(server._serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/keys", asked
    finally:
        server.should_exit = True
        await task
        listening.close()


async def test_public_keys_are_fetched_once_and_a_public_key_is_no_secret() -> None:
    private = rsa.generate_private_key(65537, 2048)
    public = json.loads(RSAAlgorithm.to_jwk(private.public_key()))
    async with publishing([{**public, "kid": "k1", "use": "sig", "alg": "RS256"}]) as (url, asked):
        auth = {"jwt": {"jwks_url": url, "audience": "shop"}}
        async with serving(settings={"auth": auth}) as server:
            good = sign(private, "RS256", kid="k1", soni_role=Role.AUTHOR)
            assert await try_token(server, good) == "ok"
            assert (await server.make_client(good).get("/api/flows")).status_code == 200
            other = rsa.generate_private_key(65537, 2048)
            wrong = sign(other, "RS256", kid="k1")
            assert await try_token(server, wrong) == "the token's signature is wrong"
            # The public key, taken for a shared secret.
            assert await try_token(server, sign(public["n"], "HS256", kid="k1")) != "ok"
            for number in range(5):
                unknown = sign(private, "RS256", kid=f"k{number + 2}")
                assert await try_token(server, unknown) == "the token cannot be read"
            assert len(asked) == 1


async def test_keys_that_cannot_be_fetched_are_no_fault_of_the_token() -> None:
    auth = {"jwt": {"jwks_url": "http://127.0.0.1:9/keys"}}
    async with serving(settings={"auth": auth}) as server:
        private = rsa.generate_private_key(65537, 2048)
        client = server.make_client(sign(private, "RS256", kid="k1"))
        answer = await client.post("/api/conversations")
        check_problem(answer, 503, "identity_unavailable")
        assert "127.0.0.1:9" not in answer.text
        assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    "written", ["{}", "{secret: short}", f"{{secret: {SECRET}, jwks_url: 'https://a.example'}}"]
)
def test_tokens_that_anybody_could_sign_are_no_setting(written: str) -> None:
    yaml = f"""
settings: {{server: {{auth: {{jwt: {written}}}}}}}
flows: {{hi: {{trigger: {{examples: [hi]}}, steps: [say: Hello.]}}}}
"""
    with pytest.raises(ConfigError):
        assistant(yaml)


async def test_users_cannot_say_what_flows_are_to_believe_of_them() -> None:
    yaml = """
flows:
  refund:
    trigger: {examples: [refund]}
    steps:
      - {say: "Refunded to {session.tier}."}
  internal:
    steps:
      - say: For staff.
"""
    auth = {"jwt": SETTINGS, "anonymous": True}
    options = ServerOptions(anonymous_roles=frozenset({Role.CLIENT}))
    sent = {"text": "refund", "context": {"tier": "gold"}}
    async with serving(yaml, settings={"auth": auth}, options=options) as server:
        for client in (server.make_client(), server.make_client(sign())):
            talk = f"/api/conversations/{await open_talk(client)}"
            for accept in ("application/json", "text/event-stream"):
                headers = {"accept": accept}
                answer = await client.post(f"{talk}/messages", json=sent, headers=headers)
                check_problem(answer, 403, "forbidden")
            check_problem(await client.post(f"{talk}/flows/internal"), 403, "forbidden")
        signed = server.make_client(sign(soni_context={"tier": "silver"}))
        answer = await say(signed, await open_talk(signed), "refund")
        assert read_texts(answer) == ["Refunded to silver."]
        program = await server.enter()
        answer = await say(program, await open_talk(program), **sent)
        assert read_texts(answer) == ["Refunded to gold."]
