"""Outgoing webhooks, to a real server that fails, hangs and recovers."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from soni.runtime.jobs import webhook
from tests.talking import Talk, talking_to

QUIET = """
settings: {background: {webhook_attempts: 3}}
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
