"""A message that comes twice under one id is answered twice and handled once."""

import asyncio
from pathlib import Path

import pytest

from soni import RuntimeLoop, TurnError
from soni.core.storage import Store
from soni.persistence import open_store
from tests.conversations.till import Till
from tests.talking import talking_to


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def test_a_repeated_message_gets_the_recorded_answer_and_does_nothing(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay", message_id="m1")
        await talk.say("5", message_id="m2")
        first = await talk.runtime.turn("Bob", "ann", message_id="m3")
        again = await talk.runtime.turn("Bob", "ann", message_id="m3")
        assert again.messages == first.messages == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert again.commands == first.commands
        assert (again.number, again.repeated, first.repeated) == (3, True, False)
        assert again.state == first.state
        assert till.charged == [(5, "Bob")]
        assert len(await store.journal.entries("ann")) == 3
        # Also much later, when the conversation is elsewhere.
        await talk.say("pay", message_id="m4")
        assert await talk.say("5", message_id="m2") == ["To whom?"]
        assert talk.state["turn_count"] == 4
        assert talk.state["waiting_for_slot"] == "amount"


async def test_twice_at_once_is_once(store: Store) -> None:
    till = Till()
    async with RuntimeLoop(till.config, store=store) as runtime:
        for said in ("pay", "5"):
            await runtime.process_message(said, user_id="ann")
        turns = await asyncio.gather(
            *(runtime.turn("Bob", user_id="ann", message_id="m3") for _ in range(5))
        )
        assert {tuple(turn.messages) for turn in turns} == {
            ("Paid 5 to Bob.", "Your receipt is R1.")
        }
        assert sorted(turn.repeated for turn in turns) == [False, True, True, True, True]
        assert till.charged == [(5, "Bob")]


async def test_an_id_belongs_to_its_conversation_only(store: Store) -> None:
    async with RuntimeLoop(Till().config, store=store) as runtime:
        for user in ("ann", "bob"):
            turn = await runtime.turn("pay", user_id=user, message_id="m1")
            assert not turn.repeated


async def test_a_message_that_failed_may_be_sent_again_under_its_id(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        till.faults["handler"] = TypeError()
        with pytest.raises(TurnError):
            await talk.say("5", message_id="m2")
        till.faults.clear()
        assert await talk.say("5", message_id="m2") == ["To whom?"]
        assert talk.last is not None
        assert not talk.last.repeated


async def test_the_same_words_without_an_id_are_another_message(store: Store) -> None:
    async with talking_to(Till().config, store=store) as talk:
        assert await talk.say("when are you open") == ["We are open from 9 to 5."]
        assert await talk.say("when are you open") == ["We are open from 9 to 5."]
        assert talk.state["turn_count"] == 2


async def test_a_repetition_is_recognised_by_a_new_process_too(tmp_path: Path) -> None:
    till = Till()
    for repeated in (False, True):
        store = open_store("sqlite", str(tmp_path / "talk.db"))
        async with talking_to(till.config, store=store) as talk:
            assert await talk.say("pay", message_id="m1") == ["How much?"]
            assert talk.last is not None
            assert talk.last.repeated is repeated
