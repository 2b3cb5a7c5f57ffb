"""LangSmith gets nothing of a conversation by default, and no value of it in any case."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda
from langsmith import run_trees, utils

from soni import RuntimeLoop
from soni.config.version import compute_fingerprint
from tests.talking import assistant

SILENT = """
version: "1"
settings: {runtime: {tracing: false}}
slots:
  pin: {prompt: "Your pin?", sensitive: true}
flows:
  unlock:
    trigger: {examples: [unlock]}
    steps: [{collect: pin}, {say: "Thank you."}]
"""
TRACED = """
version: "1"
settings: {runtime: {tracing: true}}
slots:
  pin: {prompt: "Your pin?", sensitive: true}
flows:
  unlock:
    trigger: {examples: [unlock]}
    steps: [{collect: pin}, {say: "Thank you."}]
"""


class Collector:
    """A server that keeps what it is sent, in the place of LangSmith's."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        bodies = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(b"{}")

            def do_POST(self) -> None:
                bodies.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
                self.answer(b"{}")

            do_PATCH = do_POST  # noqa: N815

            def answer(self, content: bytes) -> None:
                self.send_response(202)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *about: Any) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def received(self) -> str:
        return "\n".join(_unpack(body) for body in self.bodies)


def _unpack(body: bytes) -> str:
    if body[:4] == b"\x28\xb5\x2f\xfd":
        import zstandard

        body = zstandard.ZstdDecompressor().decompressobj().decompress(body)
    elif body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    return body.decode("utf-8", "replace")


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    collector = Collector()
    address = f"http://127.0.0.1:{collector.server.server_port}"
    for prefix in ("LANGSMITH", "LANGCHAIN"):
        monkeypatch.setenv(f"{prefix}_ENDPOINT", address)
        monkeypatch.setenv(f"{prefix}_API_KEY", "key")
        monkeypatch.setenv(f"{prefix}_TRACING", "true" if prefix == "LANGSMITH" else "")
        monkeypatch.setenv(f"{prefix}_TRACING_V2", "true")
    for name in ("get_env_var", "get_tracer_project"):
        getattr(utils, name).cache_clear()
    # The client that LangChain would use lives as long as the process.
    monkeypatch.setattr(run_trees, "_CLIENT", None)
    yield collector
    run_trees.get_cached_client().close()
    collector.server.shutdown()
    collector.server.server_close()
    for name in ("get_env_var", "get_tracer_project"):
        getattr(utils, name).cache_clear()


async def unlock(yaml: str) -> None:
    async with RuntimeLoop(assistant(yaml)) as runtime:
        await runtime.turn("unlock", "zelda")
        await runtime.turn("hunter22", "zelda")


async def test_nothing_is_sent_by_default_although_tracing_is_on(langsmith: Collector) -> None:
    await unlock(SILENT)
    run_trees.get_cached_client().flush()
    assert langsmith.bodies == []


async def test_a_chain_around_a_turn_does_not_trace_what_is_inside(langsmith: Collector) -> None:
    async def talk(given: str) -> str:
        await unlock(SILENT)
        return "done"

    await RunnableLambda(talk).ainvoke("go")
    run_trees.get_cached_client().flush()
    assert "done" in langsmith.received
    assert not any(word in langsmith.received for word in ("hunter22", "zelda", "Your pin"))


async def test_allowed_traces_show_the_course_and_no_value(langsmith: Collector) -> None:
    await unlock(TRACED)
    assert "understand" in langsmith.received
    assert not any(word in langsmith.received for word in ("hunter22", "zelda", "Your pin"))


def test_an_assistant_that_is_traced_is_the_same_assistant() -> None:
    assert compute_fingerprint(assistant(SILENT)) == compute_fingerprint(assistant(TRACED))
