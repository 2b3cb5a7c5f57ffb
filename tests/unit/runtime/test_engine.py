"""One turn around the graph: resumed where it waited, kept back until it succeeded."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soni import RuntimeLoop, TurnError
from tests.conversations.till import Till

ANN: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}


def waits_on(saver: InMemorySaver) -> list[str]:
    """The questions that the stored conversation waits on, as LangGraph's interrupts."""
    stored = saver.get_tuple(ANN)
    assert stored is not None
    return [
        interrupt.value["prompt"]
        for _, channel, interrupts in stored.pending_writes or []
        if channel == "__interrupt__"
        for interrupt in interrupts
    ]


def beginnings(saver: InMemorySaver) -> Any:
    """Changes whenever the graph was begun at its start rather than resumed."""
    stored = saver.get_tuple(ANN)
    assert stored is not None
    return stored.checkpoint["channel_versions"]["__start__"]


async def test_a_question_is_an_interrupt_and_its_answer_resumes_it() -> None:
    saver = InMemorySaver()
    async with RuntimeLoop(Till().config, checkpointer=saver) as runtime:
        await runtime.process_message("pay", user_id="ann")
        assert waits_on(saver) == ["How much?"]
        begun = beginnings(saver)
        await runtime.process_message("5", user_id="ann")
        assert waits_on(saver) == ["To whom?"]
        await runtime.process_message("Bob", user_id="ann")
        assert waits_on(saver) == []
        assert beginnings(saver) == begun


async def test_a_message_to_a_conversation_that_waits_for_nothing_is_fresh_input() -> None:
    saver = InMemorySaver()
    async with RuntimeLoop(Till().config, checkpointer=saver) as runtime:
        await runtime.process_message("when are you open", user_id="ann")
        assert waits_on(saver) == []
        begun = beginnings(saver)
        await runtime.process_message("when are you open", user_id="ann")
        assert beginnings(saver) != begun


async def test_a_turn_is_one_checkpoint_of_a_foreign_saver() -> None:
    saver = InMemorySaver()
    async with RuntimeLoop(Till().config, checkpointer=saver) as runtime:
        for said in ("pay", "5", "Bob"):
            await runtime.process_message(said, user_id="ann")
    # A saver of the caller's is never pruned.
    assert len(list(saver.list(ANN))) == 3


@pytest.mark.parametrize("part", ["handler", "step"])
async def test_nothing_of_a_failed_turn_is_kept_in_memory(part: str) -> None:
    till, saver = Till(), InMemorySaver()
    async with RuntimeLoop(till.config, checkpointer=saver) as runtime:
        for said in ("pay", "5") if part == "step" else ("pay",):
            await runtime.process_message(said, user_id="ann")
        till.faults[part] = RuntimeError()
        with pytest.raises(TurnError):
            await runtime.process_message("7", user_id="ann")
        assert runtime._engine._saver.take_turn("ann") is None
