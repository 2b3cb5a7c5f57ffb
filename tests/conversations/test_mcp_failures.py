"""What becomes of a call when an MCP server over HTTP fails, and who is let in."""

import datetime
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from soni import RuntimeLoop
from tests.old_mcp_server import OldServer
from tests.talking import assistant, talking_to

YAML = """
settings:
  outgoing: {{allow: [127.0.0.1, localhost]}}
  mcp: {{servers: {{shop: {{url: "{url}"}}}}}}
slots:
  product: {{prompt: Which product?}}
actions:
  quote:
    mcp: {{server: shop, tool: price}}
    inputs: [product]
    outputs: [price, currency]
flows:
  ask_price:
    trigger: {{examples: [price]}}
    steps:
      - {{action: quote, on_error: failed}}
      - {{say: "{{price}} {{currency}}", jump_to: end}}
      - {{step: failed, say: "{{_error_type}}"}}
"""


@pytest.fixture
def old() -> Iterator[OldServer]:
    with OldServer().running() as server:
        yield server


async def ask(runtime: RuntimeLoop) -> str:
    await runtime.turn("price", "ann")
    return (await runtime.turn("tea", "ann")).messages[0]


async def list_open(runtime: RuntimeLoop) -> list[str]:
    unknown = await runtime.store.ledger.list_unknown(begun_before=0)
    return [effect.action for effect in unknown]


def make_runtime(server: OldServer, host: str = "127.0.0.1", scheme: str = "http") -> RuntimeLoop:
    return RuntimeLoop(assistant(YAML.format(url=f"{scheme}://{host}:{server.port}/mcp")))


async def test_a_server_of_last_year_is_spoken_to(old: OldServer) -> None:
    async with make_runtime(old) as runtime:
        assert await ask(runtime) == "3 EUR"
        assert await ask(runtime) == "3 EUR"
    assert (old.sessions, old.calls) == (1, 2)


async def test_a_forgotten_session_is_opened_anew_and_the_call_sent_again(old: OldServer) -> None:
    async with make_runtime(old) as runtime:
        old.answers = ["ok", "forgotten"]
        assert await ask(runtime) == "3 EUR"
        assert await ask(runtime) == "3 EUR"
        assert (old.sessions, old.calls) == (2, 2)
        old.answers = ["forgotten", "forgotten"]
        assert await ask(runtime) == "unreachable"
        assert await list_open(runtime) == []


@pytest.mark.parametrize("answer", [500, 502, 503, 504, "closed"])
async def test_a_call_that_got_lost_may_have_been_done(old: OldServer, answer: Any) -> None:
    old.answers = [answer]
    async with make_runtime(old) as runtime:
        assert await ask(runtime) == "connection_lost"
        assert await list_open(runtime) == ["quote"]
        # The session goes on, or another is opened.
        assert await ask(runtime) == "3 EUR"


@pytest.mark.parametrize("answer", [401, 403, 429])
async def test_a_call_that_was_refused_was_not_done(old: OldServer, answer: int) -> None:
    old.answers = [answer]
    async with make_runtime(old) as runtime:
        assert await ask(runtime) == "unreachable"
        assert await list_open(runtime) == []
        assert await ask(runtime) == "3 EUR"
    assert old.sessions == 1


async def test_the_address_of_a_server_may_come_from_the_environment(
    old: OldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{old.port}/mcp"
    monkeypatch.setenv("SONI_SETTINGS__MCP__SERVERS__SHOP__URL", url)
    async with RuntimeLoop(assistant(YAML.format(url="https://shop.example/mcp"))) as runtime:
        assert await ask(runtime) == "3 EUR"


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for `localhost` alone, which this process trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "certificate.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


async def test_a_certificate_is_that_of_the_name_although_the_address_is_called(
    certified: ssl.SSLContext,
) -> None:
    with OldServer(certified).running() as server:
        async with make_runtime(server, "localhost", "https") as runtime:
            assert await ask(runtime) == "3 EUR"
        async with make_runtime(server, "127.0.0.1", "https") as runtime:
            assert await ask(runtime) == "unreachable"
        assert server.calls == 1


async def test_a_webhook_goes_to_who_the_certificate_names(certified: ssl.SSLContext) -> None:
    with OldServer(certified).running() as server:
        async with talking_to(YAML.format(url="https://shop.example/mcp")) as talk:
            body = {"method": "tell"}
            for host in ("localhost", "127.0.0.1"):
                url = f"https://{host}:{server.port}/hook"
                await talk.runtime.enqueue("webhook", {"url": url, "body": body})
            talk.clock.forward(seconds=1)
            await talk.runtime.run_due_jobs()
            waiting = await talk.runtime.store.jobs.list_jobs(kind="webhook")
            reason = "127.0.0.1 was not reached: SSLCertVerificationError"
            assert [job.error for job in waiting] == [reason]
