"""A language model in tests: a server that says what it was told to.

It speaks like OpenAI's, and like Anthropic's to those who ask as that is asked.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

URL = "http://model.example/v1"
"""Stands in the assistants of tests for the address of the server."""


@dataclass
class Cut:
    """A text that is not whole, and why."""

    text: str
    reason: str


Answer = dict[str, Any] | list[Any] | str | Cut | Callable[[dict[str, Any]], Any]


@dataclass
class Failing:
    """An answer that is none: a status, or silence."""

    status: int = 500
    seconds: float = 0.0
    again: str | None = "0"
    """In how many seconds it wants to be asked again."""


@dataclass
class Model:
    """What was asked of the server, and what it answers."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: list[Answer | Failing] = field(default_factory=list)
    always: Answer | Failing | None = None
    cached: int = 0
    """Tokens of each prompt that it claims to have read before."""

    def will_say(self, *answers: Answer | Failing) -> None:
        """The next answers, in order."""
        self.answers.extend(answers)

    @property
    def prompts(self) -> list[str]:
        """Everything that was told with each request."""
        return ["\n".join(m["content"] for m in body["messages"]) for body in self.asked]

    def schema(self, index: int = -1) -> dict[str, Any]:
        """The form that a request asked for."""
        body = self.asked[index]
        form: dict[str, Any] = (
            body["output_config"]["format"]
            if "output_config" in body
            else body["response_format"]["json_schema"]
        )
        return form

    def next(self, body: dict[str, Any]) -> Any:
        answer = self.answers.pop(0) if self.answers else self.always
        assert answer is not None, f"nobody said what to answer to {body['messages'][-1]}"
        return answer(body) if callable(answer) else answer


def commands(*said: dict[str, Any]) -> dict[str, Any]:
    """An answer of the first pass."""
    return {"commands": list(said)}


def slots(**filled: Any) -> dict[str, Any]:
    """An answer of the second pass: slot -> words, or words and value."""
    pairs = {k: v if isinstance(v, tuple) else (v,) for k, v in filled.items()}
    return {
        "slots": [
            {"slot": name, "said": pair[0], **({"value": pair[1]} if len(pair) > 1 else {})}
            for name, pair in pairs.items()
        ]
    }


class Server(ThreadingHTTPServer):
    """Turns nobody away: a request that is sent again counts twice."""

    request_queue_size = 128
    daemon_threads = True


@contextmanager
def serving(*answers: Answer | Failing) -> Iterator[Model]:
    """Serve on a port of this machine until the block ends."""
    model = Model(answers=list(answers))
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.headers.append(dict(self.headers))
            model.asked.append(body)
            answer = model.next(body)
            if isinstance(answer, Failing):
                over.wait(answer.seconds)
                error = {"error": {"message": "no", "type": "server_error"}}
                self._send(answer.status, error, answer.again)
                return
            if body.get("stream"):
                self._stream(answer if isinstance(answer, Cut) else Cut(str(answer), "stop"))
                return
            wrapped = claude if self.path.endswith("/messages") else completion
            self._send(200, wrapped(body, answer, model.cached))

        def _stream(self, said: Cut) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            words = said.text.split(" ")
            pieces = [word + " " for word in words[:-1]] + words[-1:]
            used = {"prompt_tokens": 7, "completion_tokens": len(words), "total_tokens": 7}
            chunks: list[dict[str, Any]] = [
                *({"choices": [{"index": 0, "delta": {"content": p}}]} for p in pieces),
                {"choices": [{"index": 0, "delta": {}, "finish_reason": said.reason}]},
                {"choices": [], "usage": used},
            ]
            head = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "tiny"}
            for chunk in chunks:
                self.wfile.write(f"data: {json.dumps({**head, **chunk})}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def _send(self, status: int, body: dict[str, Any], again: str | None = None) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if again is not None:
                self.send_header("Retry-After", again)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            """Nobody reads it."""

    server = Server(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def completion(body: dict[str, Any], answer: Any, cached: int = 0) -> dict[str, Any]:
    """An answer as OpenAI's API wraps it; words stand for tokens."""
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        message = {"role": "assistant", "content": None, "refusal": str(answer[0])}
    asked = sum(len(m["content"].split()) for m in body["messages"])
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": len(text.split()),
            "total_tokens": asked + len(text.split()),
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }


def words(body: dict[str, Any]) -> int:
    """Of a prompt as Anthropic's API takes it."""
    system = body["system"]
    rows = [{"text": system}] if isinstance(system, str) else [*system]
    rows += [block for message in body["messages"] for block in message["content"]]
    return sum(len(row["text"].split()) for row in rows)


def claude(body: dict[str, Any], answer: Any, cached: int = 0) -> dict[str, Any]:
    """An answer as Anthropic's API wraps it: what was cached is counted beside the rest."""
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": words(body) - cached - 1,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 1,
            "output_tokens": len(text.split()),
        },
    }
