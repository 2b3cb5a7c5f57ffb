"""An action may do whatever it likes: it fails by itself, and takes nothing else with it."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from structlog.testing import capture_logs

from soni import ActionError
from soni.steps.action import Retry
from tests.unit.actions.running import Counted, call, failure, runner


async def test_an_action_that_would_end_the_process_fails() -> None:
    def leave() -> None:
        raise SystemExit(1)

    reason = "it raised SystemExit, which would end the process"
    assert await failure(runner(leave), call()) == ("SystemExit", reason)


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_an_action_that_was_left_behind_is_silent_and_its_result_is_dropped(
    kind: str,
) -> None:
    said: list[str] = []
    over, ended = threading.Event(), threading.Event()

    async def stubborn(ctx: Any) -> dict[str, int]:
        while not over.is_set():
            try:
                await asyncio.sleep(0.001)
            except asyncio.CancelledError:
                continue
        ctx.say("Late!")
        ended.set()
        return {"paid": 1}

    def blocking(ctx: Any) -> dict[str, int]:
        over.wait(10)
        ctx.say("Late!")
        ended.set()
        return {"paid": 1}

    running = runner(stubborn if kind == "async" else blocking)
    given = call(timeout=0.01, say=said.append)
    with capture_logs() as logs:
        assert await failure(running, given) == ("timeout", "no answer within 0.01 seconds")
    assert [(log["event"], log["action"]) for log in logs] == [("action_left_behind", "act")]
    over.set()
    await asyncio.to_thread(ended.wait, 10)
    assert said == []
    assert (await failure(running, given))[0] == "outcome_unknown"


async def test_where_every_thread_hangs_a_further_action_is_not_called_and_may_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SONI_SETTINGS__RUNTIME__MAX_THREADS", "1")
    never, acting = threading.Event(), Counted({"n": 1})

    def act(hang: bool) -> Any:
        return never.wait(10) if hang else acting()

    running = runner(act)
    assert (await failure(running, call(timeout=0.01, inputs={"hang": True})))[0] == "timeout"
    kind, reason = await failure(running, call(inputs={"hang": False}, key="chat/pay_1/act/2"))
    assert kind == "busy"
    assert reason == "it was not called: all 1 threads are taken by functions that hang"
    assert acting.calls == 0
    never.set()
    given = call(inputs={"hang": False}, key="chat/pay_1/act/3")
    for _ in range(1000):
        try:
            assert await running.run(given) == {"n": 1}
            break
        except ActionError:
            given = call(inputs={"hang": False}, key=f"{given.key}/again")
            await asyncio.sleep(0)
    assert acting.calls == 1


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def make_cycle() -> list[Any]:
    cycle: list[Any] = []
    cycle += [cycle, cycle]
    return cycle


class Broken(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise OSError("gone")

    def __iter__(self) -> Iterator[str]:
        return iter(["n"])

    def __len__(self) -> int:
        return 1


@dataclass
class Row:
    n: int = 1


DEEP = "lists and mappings are nested more than 50 deep"
LARGE = "it is larger than 250,000 characters"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (make_cycle(), DEEP),
        (nest(500), DEEP),
        (10**5000, "an integer of more than 1000 digits cannot be stored"),
        ("x" * 20_000_000, LARGE),
        (["x"] * 300_000, LARGE),
        ({"x" * 300_000: 1}, LARGE),
        ((n for n in "abc"), "a generator cannot be stored in a slot"),
        (Decimal("NaN"), "a Decimal cannot be stored in a slot"),
        (b"bytes", "a bytes cannot be stored in a slot"),
        ({1, 2}, "a set cannot be stored in a slot"),
        (Row(), "a Row cannot be stored in a slot"),
        (Broken(), "it could not be read: OSError"),
    ],
    ids=[
        "cycle",
        "depth",
        "digits",
        "text",
        "list",
        "key",
        "generator",
        "decimal",
        "bytes",
        "set",
        "dataclass",
        "mapping that fails",
    ],
)
async def test_what_cannot_be_kept_is_a_failure_of_an_action_that_ran(
    value: Any, reason: str
) -> None:
    acting = Counted({"n": value})
    running = runner(acting)
    for _ in range(2):
        given = call(retry=Retry(delay=0))
        assert await failure(running, given) == ("bad_output", reason)
    assert acting.calls == 1, "the ledger knows that it ran"


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise OSError("gone")


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ActionError(7, ["a"]), "7", "['a']"),  # type: ignore[arg-type]
        (ActionError("x", "\ud800"), "x", "?"),
        (ValueError("a" * 10_000_000), "ValueError", "a" * 2000),
        (UnspeakableError(), "UnspeakableError", "UnspeakableError"),
    ],
)
async def test_whatever_an_action_raises_can_be_stored_and_said(
    error: Exception, kind: str, message: str
) -> None:
    assert await failure(runner(Counted(error)), call()) == (kind, message)


async def test_letters_that_no_encoding_has_are_replaced() -> None:
    said: list[str] = []

    def act(ctx: Any) -> dict[str, Any]:
        ctx.say("a \ud800")
        return {"\udfff": ["\ud800 b"]}

    assert await runner(act).run(call(say=said.append)) == {"?": ["? b"]}
    assert said == ["a ?"]


async def test_what_an_action_returns_may_be_as_large_as_the_settings_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SONI_SETTINGS__LIMITS__MAX_OUTPUT_CHARS", "10")
    assert await runner(Counted({"n": "12345678"})).run(call()) == {"n": "12345678"}
    assert (await failure(runner(Counted({"n": "123456789"})), call()))[0] == "bad_output"


async def test_the_traceback_of_an_action_is_for_the_log_and_shows_no_value() -> None:
    def look_up(name: str) -> None:
        raise LookupError(f"no account of {name}")

    def act(name: str) -> None:
        try:
            look_up(name)
        except LookupError as error:
            raise RuntimeError(name) from error

    with capture_logs() as logs:
        await failure(runner(act), call(inputs={"name": "Hunter2"}))
    (stack,) = [log["stack"] for log in logs if log["event"] == "action_traceback"]
    assert logs[-1]["log_level"] == "debug"
    lines = [line.strip() for line in stack.splitlines()]
    assert lines[lines.index("look_up(name)") - 1].endswith("in act")
    assert 'raise LookupError(f"no account of {name}")' in lines
    assert lines[-1] == "RuntimeError"
    assert "soni/core/invocation.py" not in stack
    assert "Hunter2" not in stack
