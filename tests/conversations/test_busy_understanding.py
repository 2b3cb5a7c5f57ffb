"""On a busy machine: what is plain is understood, waiting is no time-out, what is late stops."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from soni.core.invocation import BusyError
from soni.du import NLUOutput
from soni.du.local.provider import LocalNLU
from soni.du.workers import Workers
from tests.talking import talking_to

SHOP = """
version: "1"
settings: {nlu: {timeout: 0.3}}
slots:
  amount: {type: number, prompt: "How much?"}
  day: {type: date, prompt: "Which day?"}
  size: {type: choice, values: [small, large], prompt: "Which size?"}
flows:
  buy:
    description: Buy tea
    trigger: {examples: [buy tea]}
    steps:
      - collect: amount
      - collect: day
      - collect: size
      - confirm: "Buy {amount}?"
      - say: Bought.
"""
START: Any = [{"type": "StartFlow", "flow_name": "buy"}]


class Overloaded:
    """A provider that never gets round to anything."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        if self.error is None:
            await asyncio.Event().wait()
        raise self.error or AssertionError("nobody waits for this")


@pytest.mark.parametrize("error", [BusyError("full"), TimeoutError(), None])
async def test_plain_answers_are_understood_although_nobody_has_time(
    error: Exception | None,
) -> None:
    async with talking_to(SHOP, nlu=Overloaded(error)) as talk:
        await talk.say("buy tea", commands=START)
        assert await talk.say("50") == ["Which day?"]
        assert talk.state["turn"]["source"] == "rules"
        # The operator still sees what happened.
        assert talk.state["metadata"]["error"].startswith("understanding failed")
        assert await talk.say("tomorrow") == ["Which size?"]
        assert await talk.say("large") == ["Buy 50?"]
        assert await talk.say("yes") == ["Bought."]


async def test_what_is_not_plain_is_not_guessed() -> None:
    async with talking_to(SHOP, nlu=Overloaded(TimeoutError())) as talk:
        await talk.say("buy tea", commands=START)
        said = await talk.say("as much as my cousin bought last year")
        assert said == ["I did not understand that.", "How much?"]
        assert talk.state["metadata"]["error"] == "understanding failed: TimeoutError"


class Slots:
    """A provider with one thread, which somebody else may hold."""

    def __init__(self) -> None:
        self.workers = Workers(threads=1, most_waiting=1)
        self.began: list[str] = []

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        return await self.workers.run(self._read, user_message)

    def _read(self, message: str) -> NLUOutput:
        self.began.append(message)
        return NLUOutput(commands=START, source="slots")

    @contextmanager
    def hold(self) -> Iterator[threading.Event]:
        free = threading.Event()
        holding = asyncio.ensure_future(self.workers.run(free.wait))
        try:
            yield free
        finally:
            free.set()
            holding.cancel()


async def test_waiting_for_a_thread_is_no_time_out() -> None:
    nlu = Slots()
    async with talking_to(SHOP, nlu=nlu) as talk:
        with nlu.hold() as free:
            # Longer than the time-out of the settings.
            asyncio.get_running_loop().call_later(0.8, free.set)
            assert await talk.say("tea please") == ["How much?"]
        assert talk.state["metadata"]["error"] is None
    nlu.workers.close()


async def test_what_does_not_fit_into_the_queue_is_refused_at_once() -> None:
    nlu = Slots()
    async with talking_to(SHOP, nlu=nlu) as talk:
        with nlu.hold() as free:
            await asyncio.sleep(0)
            waiting = asyncio.ensure_future(nlu.workers.run(str))
            await asyncio.sleep(0)
            assert await talk.say("tea please") == ["I did not understand that."]
            assert talk.state["metadata"]["error"] == "understanding failed: BusyError"
            free.set()
            await waiting
        assert nlu.began == []
    nlu.workers.close()


async def test_who_stops_waiting_is_never_read() -> None:
    nlu = Slots()
    with nlu.hold() as free:
        asked = asyncio.ensure_future(nlu.understand("tea please", [], None))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        free.set()
    assert await nlu.workers.run(str) == ""
    assert nlu.began == []
    nlu.workers.close()


async def test_a_closed_provider_can_be_used_again() -> None:
    nlu = LocalNLU()
    async with talking_to(SHOP, nlu=nlu) as talk:
        await talk.say("buy tea", commands=START)
        await talk.say("I would say fifty")
        await nlu.aclose()
        await talk.say("the day after tomorrow would suit me")
        assert talk.state["metadata"]["error"] is None
    await nlu.aclose()


PLAIN = """
import asyncio, sys
from tests.talking import talking_to
from tests.conversations.test_busy_understanding import MANY, START

async def talk():
    async with talking_to(MANY, nlu=None) as talk:
        await talk.say("buy tea", commands=START)
        assert await talk.say("50") == ["Which day?"]
    assert "numpy" not in sys.modules

asyncio.run(talk())
"""
MANY = SHOP.replace("timeout: 0.3", "max_flows: 1") + "  sell: {steps: [{say: Sold.}]}\n"


async def test_a_plain_answer_needs_no_model_however_many_flows_there_are() -> None:
    ran = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PLAIN, stderr=asyncio.subprocess.PIPE
    )
    said = (await ran.communicate())[1].decode()
    assert ran.returncode == 0, said
