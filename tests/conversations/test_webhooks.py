"""Outgoing webhooks, to a real server that fails, hangs and recovers."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from soni.core.errors import ConfigError
from soni.runtime.jobs import webhook
from tests.talking import Talk, assistant, talking_to

QUIET = """
settings: {background: {webhook_attempts: 3}, outgoing: {allow: [127.0.0.1]}}
flows:
  greet:
    trigger: {examples: [hello]}
    steps: [{say: "Hi."}]
"""


class Receiver:
    """Answers with the statuses it is told to, then with 200; `None`: not at all."""

    def __init__(self, port: int = 0) -> None:
        self.statuses: list[int | None] = []
        self.got: list[tuple[dict[str, str], Any]] = []
        self.released = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append((headers, json.loads(body)))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if status is None:
                    receiver.released.wait(60)
                    return
                self.send_response(status)
                if status == 302:
                    self.send_header("location", f"{receiver.url}/elsewhere")
                self.end_headers()

            def log_message(self, *about: Any) -> None:
                """Tests print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.stop()


async def send(talk: Talk, url: str, **options: Any) -> str:
    payload = {"url": url, "body": {"paid": 5}, **options}
    return await talk.runtime.enqueue("webhook", payload)


async def work(talk: Talk, times: int = 1) -> None:
    for _ in range(times):
        talk.clock.forward(days=1)
        await talk.runtime.run_due_jobs()


async def states(talk: Talk) -> list[tuple[str, str | None]]:
    jobs = await talk.runtime.store.jobs.list_jobs(kind="webhook")
    return [(job.state, job.error) for job in jobs]


async def test_json_is_posted_with_the_headers_and_an_id(receiver: Receiver) -> None:
    async with talking_to(QUIET) as talk:
        key = await send(talk, f"{receiver.url}/hook", headers={"Authorization": "Bearer x"})
        await work(talk)
        ((headers, body),) = receiver.got
        assert body == {"paid": 5}
        sent = [headers[name] for name in ("content-type", "webhook-id", "authorization")]
        assert sent == ["application/json", key, "Bearer x"]
        assert await states(talk) == []


async def test_what_failed_is_sent_again_under_the_same_id(receiver: Receiver) -> None:
    receiver.statuses = [500, 302]
    async with talking_to(QUIET) as talk:
        key = await send(talk, receiver.url)
        await work(talk)
        assert await states(talk) == [("waiting", "127.0.0.1 answered 500")]
        await work(talk)
        assert await states(talk) == [("waiting", "127.0.0.1 answered 302")]
        await work(talk)
        assert [headers["webhook-id"] for headers, _ in receiver.got] == [key] * 3
        assert await states(talk) == []


async def test_who_does_not_answer_is_not_waited_for(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "ANSWER_SECONDS", 0.1)
    receiver.statuses = [None]
    async with talking_to(QUIET) as talk:
        await send(talk, receiver.url)
        await work(talk)
        assert await states(talk) == [("waiting", "127.0.0.1 was not reached: TimeoutError")]
        await work(talk)
        assert (len(receiver.got), await states(talk)) == (2, [])


async def test_who_never_takes_it_is_given_up_and_listed(receiver: Receiver) -> None:
    receiver.statuses = [503] * 9
    async with talking_to(QUIET) as talk:
        key = await send(talk, receiver.url)
        await work(talk, 5)
        assert len(receiver.got) == 3
        assert await states(talk) == [("dead", "127.0.0.1 answered 503")]
        receiver.statuses = []
        assert await talk.runtime.store.jobs.revive(key, at=talk.clock().timestamp())
        await work(talk)
        assert await states(talk) == []


async def test_who_is_gone_is_given_up_at_once(receiver: Receiver) -> None:
    receiver.statuses = [410]
    async with talking_to(QUIET) as talk:
        await send(talk, receiver.url)
        await work(talk, 2)
        assert await states(talk) == [("dead", "127.0.0.1 answered 410")]
        assert len(receiver.got) == 1


async def test_a_server_that_comes_back_gets_what_it_missed() -> None:
    gone = Receiver()
    gone.stop()
    async with talking_to(QUIET) as talk:
        await send(talk, gone.url)
        await work(talk)
        assert await states(talk) == [
            ("waiting", "127.0.0.1 was not reached: ConnectionRefusedError")
        ]
        back = Receiver(gone.port)
        await work(talk)
        back.stop()
        assert [body for _, body in back.got] == [{"paid": 5}]
        assert await states(talk) == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "nowhere", "http://"])
async def test_only_the_web_is_posted_to(url: str) -> None:
    async with talking_to(QUIET) as talk:
        await send(talk, url)
        await work(talk)
        ((state, error),) = await states(talk)
        assert state == "dead"
        assert "a webhook goes to an http or https address" in str(error)


async def test_a_private_address_is_not_posted_to_unless_it_is_allowed(receiver: Receiver) -> None:
    strict = QUIET.replace(", outgoing: {allow: [127.0.0.1]}", "")
    async with talking_to(strict) as talk:
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
            await send(talk, f"http://{host}:{receiver.port}/hook")
        await work(talk)
        found = await states(talk)
        assert [state for state, _ in found] == ["dead"] * 3
        assert all("settings.outgoing.allow" in str(error) for _, error in found)
        assert receiver.got == []


async def test_the_receiver_can_tell_who_sent_it(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = b"a secret of 24 bytes ..."
    written = "whsec_" + base64.b64encode(secret).decode()
    monkeypatch.setenv("SONI_SETTINGS__BACKGROUND__WEBHOOK_SECRET", written)
    receiver.statuses = [500]
    async with talking_to(QUIET) as talk:
        key = await send(talk, f"{receiver.url}/hook?x=1")
        await work(talk, 2)
    times = []
    for headers, body in receiver.got:
        times.append(headers["webhook-timestamp"])
        signed = f"{key}.{times[-1]}.{json.dumps(body)}".encode()
        digest = hmac.new(secret, signed, hashlib.sha256).digest()
        assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    # Each attempt has a time of its own, so that a receiver can refuse what is old.
    assert len(set(times)) == 2


async def test_without_a_secret_nothing_is_signed(receiver: Receiver) -> None:
    async with talking_to(QUIET) as talk:
        await send(talk, receiver.url)
        await work(talk)
    assert "webhook-signature" not in receiver.got[0][0]


@pytest.mark.parametrize(
    ("written", "remedy"),
    [
        ("whsec_no base64!", "is base64 after `whsec_`"),
        ("whsec_c2hvcnQ=", "at least 24 bytes"),
        ("bm8gcHJlZml4LCBidXQgbG9uZyBlbm91Z2g=", "Write that before one that you have in base64"),
        ("any text that is no base64 at all", "begins with `whsec_`"),
    ],
)
def test_a_secret_that_is_none_is_told_at_once_and_not_shown(
    written: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONI_SETTINGS__BACKGROUND__WEBHOOK_SECRET", written)
    with pytest.raises(ConfigError) as refused:
        assistant(QUIET)
    told = str(refused.value)
    assert "settings.background.webhook_secret" in told and remedy in told
    assert written.removeprefix("whsec_") not in told
