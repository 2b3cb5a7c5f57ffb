"""A failed turn leaves the conversation as it was, and the next message is handled as itself."""

import asyncio
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soni import RuntimeLoop, TurnError
from soni.core.storage import Store
from soni.du import NLUOutput, ScriptedNLU
from soni.persistence import open_store
from soni.persistence.foreign import ForeignStore
from soni.persistence.journal import verify_chain
from tests.conversations.till import Till
from tests.talking import FrozenClock, Talk, talking_to

QUESTIONS = {
    "pay": ["How much?"],
    "5": ["To whom?"],
    "Bob": ["Paid 5 to Bob.", "Your receipt is R1."],
}


@pytest.fixture(params=["memory", "sqlite", "foreign"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "foreign":
        return ForeignStore(InMemorySaver())
    return open_store(request.param, str(tmp_path / "talk.db"))


async def statuses(talk: Talk) -> list[tuple[int, str]]:
    entries = await talk.runtime.store.journal.entries("ann")
    verify_chain(entries)
    return [(entry.turn, entry.status) for entry in entries]


async def fails(talk: Talk, message: str) -> BaseException | None:
    """Send a message whose turn fails; why it did. The conversation must be as it was."""
    before = await talk.runtime.get_state("ann")
    with pytest.raises(TurnError) as failed:
        await talk.say(message)
    assert await talk.runtime.get_state("ann") == before
    assert failed.value.turn == before["turn_count"] + 1
    return failed.value.__cause__


@pytest.mark.parametrize(
    ("part", "error", "message"),
    [
        ("handler", TypeError("no such type"), "5"),
        ("handler", StopIteration(), "5"),
        ("step", RuntimeError("no stamp"), "Bob"),
        ("step", KeyError("stamp"), "Bob"),
    ],
)
async def test_after_a_failed_turn_the_same_message_may_be_sent_again(
    part: str, error: Exception, message: str, store: Store
) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for said, answer in QUESTIONS.items():
            if said == message:
                till.faults[part] = error
                await fails(talk, said)
                till.faults.clear()
            assert await talk.say(said) == answer
        # Nothing was done twice, although the step after the action failed.
        assert till.charged == [(5, "Bob")]
        number = list(QUESTIONS).index(message) + 1
        assert await statuses(talk) == [
            (turn, status)
            for turn in (1, 2, 3)
            for status in (["failed", "ok"] if turn == number else ["ok"])
        ]


@pytest.mark.parametrize("part", ["handler", "step"])
async def test_after_a_failed_turn_another_message_is_handled_as_itself(
    part: str, store: Store
) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        if part == "step":
            await talk.say("5")
        till.faults[part] = RuntimeError()
        await fails(talk, "5" if part == "handler" else "Bob")
        question = "How much?" if part == "handler" else "To whom?"
        assert await talk.say("when are you open") == [
            "We are open from 9 to 5.",
            "Back to pay.",
            question,
        ]
        assert await talk.say("cancel") == ["I have cancelled pay."]
        assert talk.state["flow_stack"] == []


async def test_a_first_turn_that_failed_leaves_no_conversation(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store, nlu=ScriptedNLU({})) as talk:
        await fails(talk, "pay")
        assert await statuses(talk) == [(1, "failed")]
        assert (await talk.runtime.get_state("ann"))["turn_count"] == 0


async def test_a_message_that_always_fails_wedges_nothing(store: Store) -> None:
    till = Till()
    till.faults["handler"] = TypeError()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        for _ in range(3):
            await fails(talk, "5")
        assert await talk.say("cancel") == ["I have cancelled pay."]
        assert await talk.say("when are you open") == ["We are open from 9 to 5."]


class Flaky:
    """A provider that is away whenever it has a reason."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.away: BaseException | None = None

    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        if self.away is not None:
            raise self.away
        return await self.inner.understand(user_message, history, context)


@pytest.mark.parametrize("away", [RuntimeError("down"), TimeoutError(), ValueError("bad JSON")])
async def test_when_understanding_fails_the_question_is_asked_again_and_the_state_says_so(
    away: Exception, store: Store
) -> None:
    nlu = Flaky(ScriptedNLU({}))
    clock = FrozenClock()
    till = Till()
    async with talking_to(till.config, store=store, nlu=nlu, clock=clock) as talk:
        await talk.say("pay", commands=[{"type": "StartFlow", "flow_name": "pay"}])
        assert talk.state["metadata"]["error"] is None
        nlu.away = away
        clock.forward(minutes=1)
        assert await talk.say("5") == ["I did not understand that.", "How much?"]
        reason = f"understanding failed: {type(away).__name__}"
        assert talk.state["metadata"]["error"] == reason
        assert talk.state["metadata"]["error_at"] == clock().timestamp()
        assert talk.state["last_nlu_call"] == clock().timestamp()
        assert talk.state["trace"][-1]["data"] == {"error": reason}
        assert talk.state["conversation_state"] == "waiting_for_slot"
        assert talk.slots == {}
        assert await statuses(talk) == [(1, "ok"), (2, "ok")]


async def test_when_understanding_fails_while_idle_the_conversation_stays_idle() -> None:
    nlu = Flaky(ScriptedNLU({}))
    nlu.away = RuntimeError()
    async with talking_to(Till().config, nlu=nlu) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.state["conversation_state"] == "idle"


class Strange:
    """A provider that answers with anything but commands."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [None, "SetSlot amount 5", {"commands": []}, [], 7])
async def test_an_answer_that_is_no_nlu_output_is_not_understood(answer: Any) -> None:
    async with talking_to(Till().config, nlu=Strange(answer)) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.state["metadata"]["error"].startswith("understanding failed")


async def test_commands_that_nobody_knows_are_rejected_with_a_reason() -> None:
    unknown = ({"type": "Explode"}, {"type": "SetSlot", "slot": "amount"}, {})
    async with talking_to(Till().config, nlu=Strange(NLUOutput(commands=unknown))) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.decisions == [
            ("Explode", "rejected"),
            ("SetSlot", "rejected"),
            ("?", "rejected"),
        ]


async def test_an_action_that_raises_takes_the_error_path_and_the_turn_succeeds(
    store: Store,
) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        await talk.say("5")
        till.faults["action"] = ConnectionError("no line")
        assert await talk.say("Bob") == ["Not paid: ConnectionError."]
        assert talk.state["metadata"]["error"] == "ConnectionError: no line"
        assert talk.ended == [("pay", "completed")]
        assert await statuses(talk) == [(1, "ok"), (2, "ok"), (3, "ok")]
        till.faults.clear()
        await talk.say("pay")
        await talk.say("6")
        assert await talk.say("Eve") == ["Paid 6 to Eve.", "Your receipt is R1."]


@pytest.mark.parametrize("error", [asyncio.CancelledError(), StopIteration(), SystemError()])
async def test_an_action_that_raises_what_python_itself_uses_fails_like_any_other(
    error: BaseException,
) -> None:
    till = Till()
    async with talking_to(till.config) as talk:
        await talk.say("pay")
        await talk.say("5")
        till.faults["action"] = error
        (said,) = await talk.say("Bob")
        assert said.startswith("Not paid: ")
        till.faults.clear()
        assert await talk.say("when are you open") == ["We are open from 9 to 5."]


class Refusing(InMemorySaver):
    """A saver of the caller's whose disk is full, or cannot be read."""

    refuses = ""

    async def aput(self, *args: Any, **options: Any) -> Any:
        if self.refuses == "write":
            raise OSError("no space left")
        return await super().aput(*args, **options)

    async def aget_tuple(self, config: Any) -> Any:
        if self.refuses == "read":
            raise OSError("gone")
        return await super().aget_tuple(config)


async def test_a_checkpointer_that_cannot_write_fails_the_turn_and_no_more() -> None:
    till, saver = Till(), Refusing()
    async with talking_to(till.config, checkpointer=saver) as talk:
        await talk.say("pay")
        await talk.say("5")
        saver.refuses = "write"
        assert isinstance(await fails(talk, "Bob"), OSError)
        saver.refuses = ""
        assert await talk.say("Bob") == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert till.charged == [(5, "Bob")]


async def test_a_checkpointer_that_cannot_read_fails_the_turn_and_no_more() -> None:
    saver = Refusing()
    async with talking_to(Till().config, checkpointer=saver) as talk:
        await talk.say("pay")
        saver.refuses = "read"
        with pytest.raises(TurnError, match="gone"):
            await talk.say("5")
        saver.refuses = ""
        assert await talk.say("5") == ["To whom?"]
        assert await statuses(talk) == [(1, "ok"), (0, "failed"), (2, "ok")]


async def test_a_file_that_refuses_the_reply_fails_the_turn_and_no_more(tmp_path: Path) -> None:
    till, path = Till(), tmp_path / "talk.db"
    async with talking_to(till.config, store=open_store("sqlite", str(path))) as talk:
        await talk.say("pay")
        await talk.say("5")
        with sqlite3.connect(path) as other:
            other.execute(
                "CREATE TRIGGER full BEFORE INSERT ON checkpoints "
                "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        await fails(talk, "Bob")
        with sqlite3.connect(path) as other:
            other.execute("DROP TRIGGER full")
        assert await talk.say("Bob") == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert till.charged == [(5, "Bob")]
        assert await statuses(talk) == [(1, "ok"), (2, "ok"), (3, "failed"), (3, "ok")]


async def test_that_a_failure_cannot_be_recorded_does_not_hide_the_failure(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    till = Till()
    async with talking_to(till.config, store=open_store("sqlite", str(path))) as talk:
        await talk.say("pay")
        with sqlite3.connect(path) as other:
            other.execute(
                "CREATE TRIGGER full BEFORE INSERT ON journal "
                "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        till.faults["handler"] = TypeError("the reason")
        assert isinstance(await fails(talk, "5"), TypeError)


class StoppingClock(FrozenClock):
    """Raises the n-th time it is asked."""

    left: int | None = None
    asked = 0

    def __call__(self) -> datetime:
        self.asked += 1
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise OSError("the clock stopped")
        return super().__call__()


async def _paid(runtime: RuntimeLoop, clock: StoppingClock, stop: int | None) -> tuple[int, Any]:
    for said in ("pay", "5"):
        await runtime.process_message(said, user_id=f"user{stop}")
    commands = [{"type": "SetSlot", "slot_name": "payee", "value": "Bob"}]
    clock.asked, clock.left = 0, stop
    if stop is not None:
        before = await runtime.get_state(f"user{stop}")
        with pytest.raises(TurnError, match="the clock stopped"):
            await runtime.turn("Bob", user_id=f"user{stop}", commands=commands)
        assert await runtime.get_state(f"user{stop}") == before
    turn = await runtime.turn("Bob", user_id=f"user{stop}", commands=commands)
    return clock.asked, turn.messages


async def test_wherever_a_turn_fails_the_same_message_then_does_everything_once(
    store: Store,
) -> None:
    """The clock is asked all over a turn; it fails at each of these places in turn."""
    clock, till = StoppingClock(), Till()
    async with RuntimeLoop(till.config, clock=clock, store=store) as runtime:
        places, _ = await _paid(runtime, clock, None)
        assert places > 5
        for place in range(places):
            till.charged.clear()
            _, said = await _paid(runtime, clock, place)
            assert said == ["Paid 5 to Bob.", "Your receipt is R1."]
            assert till.charged == [(5, "Bob")]
