"""Log lines: one form for everybody, ids to find them by, and no secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import redirect_stderr
from typing import Any, Literal

import pytest
import structlog

from soni import RuntimeLoop, SoniConfig
from soni.config.settings import Observability
from soni.observability.logs import bind_request, configure_logs, make_logging_config
from tests.unit.observability.conftest import assert_no_values


class Lines:
    """What a process logs while it is configured so."""

    def __init__(self, form: Literal["text", "json"], **settings: Any) -> None:
        self.stream = io.StringIO()
        with redirect_stderr(self.stream):
            configure_logs(Observability(logs=form, **settings))

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def read(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    known = {name: logging.getLogger(name).level for name in ("soni", "httpx", "uvicorn")}
    yield
    root.handlers[:], root.level = handlers, level
    for name, before in known.items():
        logging.getLogger(name).setLevel(before)
    structlog.reset_defaults()


async def test_a_line_of_a_turn_has_its_conversation_and_its_request(bank: SoniConfig) -> None:
    lines = Lines("json")

    class Failing:
        async def understand(self, user_message: str, history: Any, context: Any) -> Any:
            raise RuntimeError("Zebulon")

    async with RuntimeLoop(bank, nlu=Failing()) as runtime:
        with bind_request(request_id="r-1"):
            await asyncio.gather(
                runtime.turn("send money", "ann"), runtime.turn("send money", "bob")
            )
        await runtime.turn("send money", "cem")
    found = [
        (
            line["event"],
            line["level"],
            line["logger"],
            line["conversation_id"],
            line.get("request_id"),
        )
        for line in lines.read
    ]
    said = ("understanding_failed", "warning", "soni.understand")
    assert sorted(found, key=str) == [
        (*said, "ann", "r-1"), (*said, "bob", "r-1"), (*said, "cem", None),
    ]  # fmt: skip
    assert_no_values(lines.text)


def test_requests_of_the_server_are_logged_without_their_query() -> None:
    lines = Lines("json")
    logging.getLogger("uvicorn.access").info(
        '%s - "%s %s HTTP/%s" %d', "10.0.0.1:5", "GET", "/api/x?token=S3cr3t", "1.1", 200
    )
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 7)
    access, other = lines.read
    assert access["event"] == "request"
    assert (access["method"], access["path"], access["status"]) == ("GET", "/api/x", 200)
    assert other["event"] == "Started server process [7]"
    assert_no_values(lines.text)


def test_the_files_of_a_page_are_no_news_unless_they_are_missing() -> None:
    lines = Lines("json")
    for path, status in (("/web/chat.js", 304), ("/web/theme.css", 200), ("/web/none.js", 404)):
        logging.getLogger("uvicorn.access").info(
            '%s - "%s %s HTTP/%s" %d', "10.0.0.1:5", "GET", path, "1.1", status
        )
    assert [line["path"] for line in lines.read] == ["/web/none.js"]


def test_an_exception_is_logged_by_its_place_and_type_alone() -> None:
    for form in ("json", "text"):
        lines = Lines(form)  # type: ignore[arg-type]
        try:
            int("Zebulon")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
            structlog.get_logger("soni.x").exception("broken")
        assert lines.text.count("ValueError") == 2
        assert "test_logs.py" in lines.text
        assert "invalid literal" not in lines.text


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_masked_wherever_they_stand(form: Literal["text", "json"]) -> None:
    lines = Lines(form)
    log = structlog.get_logger("soni.x")
    log.info("called", authorization="S3cr3t", token="S3cr3t", url="postgresql://ann:S3cr3t@db/x")
    log.info("sent with Bearer S3cr3t")
    logging.getLogger("other").info("Authorization: Basic S3cr3t")
    assert "S3cr3t" not in lines.text
    assert "db/x" in lines.text


def test_what_libraries_say_in_detail_stays_out_even_when_debugging() -> None:
    lines = Lines("json", log_level="debug")
    logging.getLogger("httpx").info("POST https://api.telegram.org/bot1:S3cr3t/sendMessage")
    logging.getLogger("some.library").debug("body: S3cr3t")
    structlog.get_logger("soni.x").debug("detail")
    assert [line["event"] for line in lines.read] == ["detail"]


def test_nobody_writes_a_line_of_their_own() -> None:
    lines = Lines("text")
    logging.getLogger("other").warning("one\n2026-01-01 [info] forged \x1b[31m")
    structlog.get_logger("soni.x").warning("two", path="/\r\nforged", other=object())
    assert len(lines.text.splitlines()) == 2
    assert "\x1b" not in lines.text


def test_uvicorn_takes_the_same_configuration() -> None:
    from uvicorn.config import Config

    stream = io.StringIO()
    chosen = make_logging_config(Observability(logs="json", log_level="warning"))
    with redirect_stderr(stream):
        Config("nothing:app", log_config=json.loads(json.dumps(chosen)))
    logging.getLogger("uvicorn.error").info("not told")
    logging.getLogger("uvicorn.error").warning("told")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["told"]
