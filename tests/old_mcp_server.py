"""An MCP server of 2025 over HTTP, with sessions, that answers calls as it is told to."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PRICE = {
    "name": "price",
    "inputSchema": {
        "type": "object",
        "properties": {"product": {"type": "string"}, "quantity": {"type": "integer"}},
        "required": ["product"],
    },
}


class OldServer:
    """`answers` are used up by calls: `ok`, `forgotten`, `closed`, or a status."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.answers: list[str | int] = []
        self.structured: dict[str, Any] = {"price": 3, "currency": "EUR"}
        self.sessions = 0
        self.calls = 0
        old = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                old.reply(self, json.loads(body))

            def do_GET(self) -> None:
                old.send(self, 405)

            def do_DELETE(self) -> None:
                old.send(self, 200)

            def log_message(self, *about: Any) -> None:
                """Tests print nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        if context is not None:
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self.port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @contextmanager
    def running(self) -> Iterator[OldServer]:
        self._thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()

    def reply(self, handler: Any, asked: dict[str, Any]) -> None:
        method = asked["method"]
        if method == "initialize":
            self.sessions += 1
            result: dict[str, Any] = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "old", "version": "1"},
            }
            self.send(handler, 200, asked, result, {"mcp-session-id": f"s-{self.sessions}"})
        elif method == "tools/list":
            self.send(handler, 200, asked, {"tools": [PRICE]})
        elif method == "tools/call":
            self.answer_call(handler, asked)
        elif "id" in asked:
            error = {"code": -32601, "message": "no such method"}
            self.write(handler, 200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})
        else:
            self.send(handler, 202)

    def answer_call(self, handler: Any, asked: dict[str, Any]) -> None:
        answer = self.answers.pop(0) if self.answers else "ok"
        if answer == "ok":
            self.calls += 1
            content = [{"type": "text", "text": "cheap"}]
            result = {"content": content, "structuredContent": self.structured}
            self.send(handler, 200, asked, result)
        elif answer == "forgotten":
            self.send(handler, 404)
        elif answer == "closed":
            handler.close_connection = True
        else:
            self.send(handler, int(answer))

    def send(
        self,
        handler: Any,
        status: int,
        asked: dict[str, Any] | None = None,
        result: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        content = None
        if asked is not None:
            content = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
        self.write(handler, status, content, headers)

    def write(
        self, handler: Any, status: int, content: Any, headers: dict[str, str] | None = None
    ) -> None:
        body = b"" if content is None else json.dumps(content).encode()
        handler.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            if body or name != "content-type":
                handler.send_header(name, value)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
