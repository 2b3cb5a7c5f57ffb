"""A provider of messages in tests: a server that notes what it is sent, and answers as told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


@dataclass
class Sent:
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.body)
        return read

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}


@dataclass
class Provider:
    """What was sent, and what is answered to the next requests; then all is well."""

    url: str = ""
    sent: list[Sent] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], dict[str, Any]]] = field(default_factory=list)

    def will_answer(self, status: int, body: dict[str, Any] | None = None, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.append((status, named, body or {}))


@contextmanager
def run_provider() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            provider.sent.append(Sent(self.path, headers, self.rfile.read(length)))
            well: tuple[int, dict[str, str], dict[str, Any]] = (200, {}, {"ok": True})
            status, extra, body = provider.answers.pop(0) if provider.answers else well
            content = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {**extra, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    provider.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
