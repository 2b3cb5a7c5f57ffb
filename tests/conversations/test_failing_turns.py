"""A failed turn leaves the conversation as it was, and the next message is handled as itself."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soni import RuntimeLoop, TurnError
from soni.core.storage import Store
from soni.du import ScriptedNLU
from soni.persistence import open_store
from soni.persistence.volatile import ForeignStore
from tests.conversations.till import Till, fails, statuses
from tests.talking import FrozenClock, talking_to

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


@pytest.mark.parametrize(
    ("part", "error", "message"),
    [
        ("handler", TypeError("no such type"), "5"),
        ("handler", StopIteration(), "5"),
        ("handler", SystemExit(1), "5"),
        ("step", RuntimeError("no stamp"), "Bob"),
        ("step", KeyError("stamp"), "Bob"),
    ],
)
async def test_after_a_failed_turn_the_same_message_may_be_sent_again(
    part: str, error: BaseException, message: str, store: Store
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


@pytest.mark.parametrize(
    "error",
    [asyncio.CancelledError(), StopIteration(), SystemError(), SystemExit(1), KeyboardInterrupt()],
)
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


class StoppingClock(FrozenClock):
    """Its moments raise the n-th time one of them is read."""

    left: int | None = None
    asked = 0

    def __call__(self) -> datetime:
        moment = Moment.fromisoformat(super().__call__().isoformat())
        moment.clock = self
        return moment

    def read(self) -> None:
        self.asked += 1
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise OSError("the clock stopped")


class Moment(datetime):
    clock: StoppingClock

    def timestamp(self) -> float:
        self.clock.read()
        return super().timestamp()


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
    """The time is read all over a turn; that fails at each of these places in turn."""
    clock, till = StoppingClock(), Till()
    async with RuntimeLoop(till.config, clock=clock, store=store) as runtime:
        places, _ = await _paid(runtime, clock, None)
        assert places > 5
        for place in range(places):
            till.charged.clear()
            _, said = await _paid(runtime, clock, place)
            assert said == ["Paid 5 to Bob.", "Your receipt is R1."]
            assert till.charged == [(5, "Bob")]


async def test_a_turn_whose_clock_is_broken_for_good_is_recorded_all_the_same(store: Store) -> None:
    class Broken(FrozenClock):
        broken = False

        def __call__(self) -> datetime:
            if self.broken:
                raise OSError("the clock stopped")
            return super().__call__()

    clock = Broken()
    async with talking_to(Till().config, clock=clock, store=store) as talk:
        await talk.say("pay")
        clock.broken = True
        assert isinstance(await fails(talk, "5"), OSError)
        clock.broken = False
        assert await statuses(talk) == [(1, "ok"), (2, "failed")]
        assert await talk.say("5") == ["To whom?"]
