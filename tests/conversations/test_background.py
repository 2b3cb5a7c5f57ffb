"""What happens without a message: reminders, time-outs, and work of the application's own."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.commands import StartFlow
from soni.core.errors import NotAllowedError
from soni.core.storage import Store
from soni.persistence import open_store
from tests.talking import FrozenClock, Talk, assistant, talking_to

SHOP = """
settings:
  background:
    sweep_seconds: 600
    retention_seconds: 3600
    outcome_seconds: 600
    outcome_attempts: 2
    webhook_attempts: 2
    concurrency: 3
    poll_seconds: 0.05
slots:
  amount: {type: number, prompt: "How much?"}
flows:
  pay:
    trigger: {examples: [pay]}
    steps: [{collect: amount}, {say: "Paid {amount}."}]
"""
PAY = StartFlow(flow_name="pay")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def said(talk: Talk, conversation: str = "ann") -> list[list[str]]:
    entries = await talk.runtime.store.journal.entries(conversation)
    return [entry.data["replies"] for entry in entries]


async def until_said(talk: Talk, turns: int) -> None:
    async with asyncio.timeout(30):
        while True:
            if len(await said(talk)) >= turns:
                return
            await asyncio.sleep(0.01)


async def test_a_reminder_is_said_at_its_time(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        await talk.say("pay", PAY)
        await talk.runtime.remind("ann", "The shop closes.", at=talk.clock() + timedelta(minutes=5))
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["How much?"]]
        talk.clock.forward(minutes=6)
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["How much?"], ["The shop closes.", "How much?"]]
        await talk.runtime.run_due_jobs()
        assert len(await said(talk)) == 2


async def test_a_reminder_may_start_a_flow(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        at = talk.clock() + timedelta(days=1)
        await talk.runtime.remind("ann", flow="pay", inputs={"amount": 5}, at=at)
        talk.clock.forward(days=2)
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["Paid 5."]]


async def test_a_reminder_can_be_taken_back(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        key = await talk.runtime.remind("ann", "Hello?", at=talk.clock() + timedelta(minutes=5))
        assert await talk.runtime.cancel_reminder(key)
        assert not await talk.runtime.cancel_reminder(key)
        talk.clock.forward(hours=1)
        await talk.runtime.run_due_jobs()
        assert await said(talk) == []


async def test_asking_twice_under_one_key_reminds_once(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        for _ in range(2):
            await talk.runtime.remind("ann", "Hello?", at=talk.clock(), key="order-7")
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["Hello?"]]


async def test_a_reminder_whose_job_runs_twice_is_said_once(store: Store) -> None:
    """A worker that dies between the turn and the end of its job leaves it to another."""
    async with talking_to(SHOP, store=store) as talk:
        for _ in range(2):
            await talk.runtime.remind("ann", "Hello?", at=talk.clock(), key="order-7")
            await talk.runtime.run_due_jobs()
        assert await said(talk) == [["Hello?"]]


async def test_a_reminder_survives_the_end_of_the_process(tmp_path: Path) -> None:
    clock, config, file = FrozenClock(), assistant(SHOP), str(tmp_path / "talk.db")
    async with RuntimeLoop(config, clock=clock, store=open_store("sqlite", file)) as runtime:
        await runtime.remind("ann", "Hello?", at=clock() + timedelta(hours=1))
    clock.forward(days=1)
    async with talking_to(config, clock=clock, store=open_store("sqlite", file)) as talk:
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["Hello?"]]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "give either a text or a flow"),
        ({"text": "Hi", "flow": "pay"}, "give either a text or a flow"),
        ({"text": " "}, "the text is empty"),
        ({"text": "Hi", "inputs": {"amount": 5}}, "inputs go with a flow"),
        ({"flow": "sing"}, "there is no flow 'sing'; available: pay"),
    ],
)
async def test_what_could_not_be_pushed_is_refused_at_once(
    given: dict[str, Any], reason: str
) -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(NotAllowedError, match=f"cannot remind conversation 'ann': {reason}"):
            await talk.runtime.remind("ann", at=talk.clock(), **given)


async def test_a_time_without_a_zone_is_refused() -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(NotAllowedError, match="the time has no zone"):
            await talk.runtime.remind("ann", "Hi", at=talk.clock().replace(tzinfo=None))


async def test_sessions_time_out_by_themselves(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(minutes=20)
        await talk.runtime.run_due_jobs()
        assert (await talk.runtime.get_state("ann"))["flow_stack"] != []
        talk.clock.forward(minutes=20)
        await talk.runtime.run_due_jobs()
        assert (await talk.runtime.get_state("ann"))["flow_stack"] == []


async def test_nothing_runs_by_itself_unless_it_is_asked_for() -> None:
    async with talking_to(SHOP) as talk:
        await talk.runtime.remind("ann", "Hello?", at=talk.clock())
        await talk.say("pay", PAY)
        await asyncio.sleep(0.1)
        assert await said(talk) == [["How much?"]]


async def test_background_work_goes_on_beside_the_conversations(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        async with talk.runtime.background():
            await talk.say("pay", PAY)
            await talk.runtime.remind("ann", "Hello?", at=talk.clock())
            await until_said(talk, 2)
        assert await said(talk) == [["How much?"], ["Hello?", "How much?"]]
        await talk.runtime.remind("ann", "Still there?", at=talk.clock())
        await asyncio.sleep(0.1)
        assert len(await said(talk)) == 2


async def test_closing_the_runtime_ends_its_background_work(store: Store) -> None:
    async with talking_to(SHOP, store=store) as talk:
        await talk.runtime.start_background()
        await talk.runtime.start_background()
        await talk.runtime.remind("ann", "Hello?", at=talk.clock())
        await until_said(talk, 1)
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "soni-jobs"]


async def test_two_assistants_in_one_process_keep_to_their_own_work() -> None:
    other = SHOP.replace("Paid", "Settled")
    async with talking_to(SHOP) as one, talking_to(other) as two:
        async with one.runtime.background(), two.runtime.background():
            for talk in (one, two):
                await talk.runtime.remind(
                    "ann", flow="pay", inputs={"amount": 5}, at=talk.clock(), key="the same"
                )
            await until_said(one, 1)
            await until_said(two, 1)
        assert (await said(one), await said(two)) == ([["Paid 5."]], [["Settled 5."]])


async def test_what_is_due_each_day_calls_what_the_runtime_has() -> None:
    class Keeping(RuntimeLoop):
        kept: list[str]

        async def apply_retention(self) -> None:
            self.kept.append("data")

        async def prune_versions(self) -> None:
            self.kept.append("versions")

    clock = FrozenClock()
    async with Keeping(assistant(SHOP), clock=clock) as runtime:
        runtime.kept = []
        for _ in range(2):
            await runtime.run_due_jobs()
        assert runtime.kept == ["data", "versions"]
        clock.forward(hours=2)
        await runtime.run_due_jobs()
        assert runtime.kept == ["data", "versions"] * 2


async def test_a_kind_that_does_not_exist_is_refused() -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(NotAllowedError, match="no such kind of job; available: effect_outcome"):
            await talk.runtime.enqueue("sing", {})


async def test_a_reminder_for_a_busy_conversation_comes_later(store: Store) -> None:
    busy = SHOP.replace("settings:\n", "settings:\n  conversation: {while_busy: reject}\n")
    async with talking_to(busy, store=store) as talk:
        await talk.runtime.remind("ann", "Hello?", at=talk.clock())
        async with talk.runtime.store.conversation("ann"):
            await talk.runtime.run_due_jobs()
        assert await said(talk) == []
        (waiting,) = await talk.runtime.store.jobs.list_jobs(kind="reminder")
        assert (waiting.state, waiting.error) == ("waiting", "BusyError")
        talk.clock.forward(minutes=1)
        await talk.runtime.run_due_jobs()
        assert await said(talk) == [["Hello?"]]


async def test_on_postgres_a_reminder_comes_from_whichever_process_is_there(
    postgres_url: str,
) -> None:
    config = assistant(SHOP)
    async with RuntimeLoop(config, store=open_store("postgres", postgres_url)) as runtime:
        await runtime.remind("ann", "Hello?", at=datetime.now().astimezone())
    async with RuntimeLoop(config, store=open_store("postgres", postgres_url)) as runtime:
        talk = Talk(runtime, FrozenClock())
        async with runtime.background():
            await until_said(talk, 1)
        assert await said(talk) == [["Hello?"]]


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
async def test_sessions_are_swept_by_one_process_at_a_time(
    backend: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sweeping, most, swept = 0, 0, 0

    class Sweeping(RuntimeLoop):
        async def sweep(self) -> int:
            nonlocal sweeping, most, swept
            sweeping += 1
            most = max(most, sweeping)
            await asyncio.sleep(0.05)
            sweeping, swept = sweeping - 1, swept + 1
            return 0

    config = assistant(SHOP.replace("sweep_seconds: 600", "sweep_seconds: 0.01"))
    url = str(tmp_path / "talk.db")
    if backend == "postgres":
        url = request.getfixturevalue("postgres_url")
    async with (
        Sweeping(config, store=open_store(backend, url)) as one,
        Sweeping(config, store=open_store(backend, url)) as two,
        one.background(),
        two.background(),
        asyncio.timeout(30),
    ):
        while True:
            if swept >= 6:
                break
            await asyncio.sleep(0.01)
    assert most == 1
