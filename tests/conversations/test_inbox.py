"""Messages with ids: recorded before anything runs, answered once, whatever comes at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError, action
from soni.commands import ChitChat, SetSlot, StartFlow
from soni.core.storage import Store
from soni.core.storage_errors import BusyError, FencedError
from soni.persistence import open_store
from soni.persistence.sqlite import SqliteStore
from soni.testing import ScriptedNLU
from tests.talking import assistant

FLOWS = """
    flows:
      pay:
        description: Pay somebody
        trigger: {examples: [pay]}
        steps:
          - {collect: amount, message: "How much?"}
          - {collect: payee, message: "To whom?"}
          - action: charge
          - say: "Paid {amount} to {payee}."
"""
ACTIONS = """
from soni import action

@action
def charge(amount: str, payee: str) -> None: ...
"""
WAIT = """
    settings: {conversation: {while_busy: wait}}
"""
REJECT = """
    settings: {conversation: {while_busy: reject}}
"""
JOIN = """
    settings: {conversation: {while_busy: join}}
"""
SHORT_LEASE = """
    settings: {persistence: {backend: sqlite, lease_seconds: 0.3}}
"""


class Charge:
    """An action that says when it has begun, and waits until it is let go."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.count = 0

    def config(self, settings: str) -> SoniConfig:
        @action
        async def charge(amount: str, payee: str) -> None:
            self.count += 1
            self.begun.set()
            await self.go.wait()

        return assistant(settings + FLOWS, ACTIONS).with_functions([charge])


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


def nlu(**more: Any) -> ScriptedNLU:
    known: dict[str, Any] = {
        "pay": [StartFlow("pay")],
        "5": [SetSlot("amount", "5")],
        "Bob": [SetSlot("payee", "Bob")],
    }
    return ScriptedNLU({**known, **more})


@asynccontextmanager
async def charging(
    store: Store, settings: str, charge: Charge, **more: Any
) -> AsyncIterator[tuple[RuntimeLoop, "asyncio.Task[Any]"]]:
    """A conversation whose message `m3` is just being handled."""
    async with RuntimeLoop(charge.config(settings), store=store, nlu=nlu(**more)) as runtime:
        for number, text in enumerate(("pay", "5"), 1):
            await runtime.turn(text, "ann", message_id=f"m{number}")
        running = asyncio.create_task(runtime.turn("Bob", "ann", message_id="m3"))
        await charge.begun.wait()
        yield runtime, running
        await running


async def test_a_message_sent_again_while_it_is_handled_gets_the_same_reply(store: Store) -> None:
    charge = Charge()
    async with charging(store, WAIT, charge) as (runtime, running):
        again = asyncio.create_task(runtime.turn("Bob", "ann", message_id="m3"))
        await asyncio.sleep(0.02)
        assert not again.done()
        charge.go.set()
        assert (await running).messages == (await again).messages == ["Paid 5 to Bob."]
        assert (await again).repeated
    assert charge.count == 1


async def test_a_message_that_comes_meanwhile_may_be_refused(store: Store) -> None:
    charge = Charge()
    async with charging(store, REJECT, charge) as (runtime, running):
        with pytest.raises(BusyError, match="'ann' is busy"):
            await runtime.turn("hurry", "ann")
        again = asyncio.create_task(runtime.turn("Bob", "ann", message_id="m3"))
        charge.go.set()
        assert (await again).messages == (await running).messages
    assert charge.count == 1


async def test_messages_that_come_meanwhile_may_be_answered_together(store: Store) -> None:
    charge = Charge()
    thanks = {"thank you\nthat was quick": [ChitChat()]}
    async with charging(store, JOIN, charge, **thanks) as (runtime, running):
        texts = ("thank you", "that was quick")
        waiting = []
        for text in texts:
            waiting.append(asyncio.create_task(runtime.turn(text, "ann", message_id=text)))
            await asyncio.sleep(0.05)
        charge.go.set()
        await running
        first, second = await asyncio.gather(*waiting)
        assert first.number == second.number == 4
        assert first.messages == second.messages
        assert (await runtime.turn(texts[1], "ann", message_id=texts[1])).number == 4
        entry = (await runtime.store.journal.entries("ann"))[-1]
    assert entry.data["message"] == "thank you\nthat was quick"


async def test_after_a_reset_an_id_is_new(store: Store) -> None:
    charge = Charge()
    charge.go.set()
    async with charging(store, WAIT, charge) as (runtime, running):
        await running
        assert (await runtime.turn("Bob", "ann", message_id="m3")).repeated
        await runtime.reset("ann")
        turn = await runtime.turn("pay", "ann", message_id="m3")
        assert not turn.repeated
        assert turn.messages == ["How much?"]


async def test_a_process_that_was_stalled_too_long_does_nothing_more(tmp_path: Path) -> None:
    """The first process stalls in the action; the second takes its message over."""
    path = tmp_path / "talk.db"
    slow, quick = Charge(), Charge()
    stalled = SqliteStore(path, lease_term=0.3)
    config = slow.config(SHORT_LEASE)
    async with RuntimeLoop(config, store=stalled, nlu=nlu()) as first:
        for number, text in enumerate(("pay", "5"), 1):
            await first.turn(text, "ann", message_id=f"m{number}")
        await stalled._leases.close()  # no sign of life from now on
        running = asyncio.create_task(first.turn("Bob", "ann", message_id="m3"))
        await slow.begun.wait()
        other = SqliteStore(path, lease_term=0.3)
        async with RuntimeLoop(quick.config(SHORT_LEASE), store=other, nlu=nlu()) as second:
            turn = await second.turn("Bob", "ann", message_id="m3")
            # What the first has begun is not done again, since nobody knows how it ended.
            assert quick.count == 0
            assert turn.messages != ["Paid 5 to Bob."]
            assert len(await other.ledger.list_unknown(begun_before=0.0)) == 1
            slow.go.set()
            with pytest.raises(TurnError) as failed:
                await running
            assert isinstance(failed.value.__cause__, FencedError)
            assert "was taken over by another process" in str(failed.value.__cause__)
            # The late result says how it ended.
            assert await other.ledger.list_unknown(begun_before=0.0) == []
            repeated = await first.turn("Bob", "ann", message_id="m3")
            assert repeated.messages == turn.messages
            assert len(await other.journal.entries("ann")) == 3
    assert slow.count == 1
