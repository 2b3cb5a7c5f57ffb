"""A sweeper gives up what was left open for too long, without a message."""

import pytest

from soni import RuntimeLoop
from soni.commands import HumanHandoff, SetSlot, StartFlow
from soni.persistence import open_store
from tests.talking import FrozenClock, assistant, talking_to

SHOP = """
slots:
  amount: {type: number, prompt: "How much?"}
flows:
  pay:
    trigger: {examples: [pay]}
    steps: [{collect: amount}, {say: "Paid {amount}."}]
  thank:
    trigger: {examples: [thanks]}
    steps: [{say: "You are welcome."}]
"""
PAY = StartFlow(flow_name="pay")


async def _results(runtime: RuntimeLoop, user: str) -> list[str]:
    state = await runtime.get_state(user)
    return [flow["flow_state"] for flow in state["metadata"]["completed_flows"]]


async def test_open_tasks_are_abandoned_once_the_session_has_timed_out() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(minutes=29)
        assert await talk.runtime.sweep() == 0
        talk.clock.forward(minutes=2)
        assert await talk.runtime.sweep() == 1
        assert await _results(talk.runtime, "ann") == ["abandoned"]
        state = await talk.runtime.get_state("ann")
        assert (state["conversation_state"], state["flow_stack"]) == ("idle", [])


async def test_nothing_is_said_and_the_journal_knows() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(hours=1)
        await talk.runtime.sweep()
        entry = (await talk.runtime.store.journal.entries("ann"))[-1]
        assert entry.data["replies"] == []
        assert entry.data["facts"] == {"api": "timeout"}
        assert entry.data["ended"] == [{"flow_name": "pay", "result": "abandoned"}]


async def test_the_next_message_finds_the_conversation_idle() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(hours=1)
        await talk.runtime.sweep()
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        assert talk.decisions == [("SetSlot", "rejected")]
        assert talk.ended == []


async def test_each_conversation_is_given_up_once() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(hours=1)
        assert [await talk.runtime.sweep() for _ in range(3)] == [1, 0, 0]
        assert (await talk.runtime.get_state("ann"))["turn_count"] == 2


async def test_what_has_nothing_open_is_left_alone() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("thanks", StartFlow(flow_name="thank"))
        talk.clock.forward(hours=1)
        assert await talk.runtime.sweep() == 0
        assert (await talk.runtime.get_state("ann"))["turn_count"] == 1


async def test_a_handoff_does_not_time_out() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        await talk.say("a person", HumanHandoff())
        talk.clock.forward(days=1)
        assert await talk.runtime.sweep() == 0
        assert (await talk.runtime.release("ann")).messages == ["How much?"]


async def test_only_those_that_are_due() -> None:
    async with talking_to(SHOP) as talk:
        await talk.runtime.turn("pay", "early", commands=[PAY])
        talk.clock.forward(minutes=20)
        await talk.runtime.turn("pay", "late", commands=[PAY])
        talk.clock.forward(minutes=15)
        assert await talk.runtime.sweep() == 1
        assert await _results(talk.runtime, "early") == ["abandoned"]
        assert await _results(talk.runtime, "late") == []
        talk.clock.forward(minutes=20)
        assert await talk.runtime.sweep() == 1
        assert await _results(talk.runtime, "late") == ["abandoned"]


async def test_a_push_in_between_does_not_hide_a_conversation() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(minutes=25)
        await talk.runtime.push("ann", "Still there?")
        talk.clock.forward(minutes=10)
        assert await talk.runtime.sweep() == 1


# More than two pages of what is looked through at once.
@pytest.mark.parametrize("count", [1, 401])
async def test_all_of_many(count: int) -> None:
    async with talking_to(SHOP) as talk:
        for number in range(count):
            await talk.runtime.turn("pay", f"user-{number}", commands=[PAY])
        talk.clock.forward(hours=1)
        assert await talk.runtime.sweep() == count


async def test_another_process_takes_up_where_the_first_one_stopped(tmp_path) -> None:
    clock, config = FrozenClock(), assistant(SHOP)
    url = str(tmp_path / "talks.db")
    async with RuntimeLoop(config, clock=clock, store=open_store("sqlite", url)) as runtime:
        await runtime.turn("pay", "ann", commands=[PAY])
    clock.forward(hours=1)
    async with RuntimeLoop(config, clock=clock, store=open_store("sqlite", url)) as runtime:
        assert await runtime.sweep() == 1
        assert await _results(runtime, "ann") == ["abandoned"]
