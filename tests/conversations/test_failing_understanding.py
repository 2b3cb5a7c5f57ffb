"""When understanding fails, the user is told and the conversation goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from soni.core.errors import TurnError
from soni.core.storage import Store
from soni.du import DialogueContext, NLUOutput, ScriptedNLU
from soni.du.cascade import CascadeNLU
from soni.du.encoder.weights import WeightsError
from soni.du.program import UnfitProgramError
from soni.du.providers import ProviderError
from soni.du.scope import ScopeManager
from soni.persistence import open_store
from tests.conversations.till import Till
from tests.talking import FrozenClock, talking_to


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


class Flaky:
    """A provider that is away whenever it has a reason."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.away: BaseException | None = None

    async def understand(self, user_message: str, history: Any, context: Any) -> Any:
        if self.away is not None:
            raise self.away
        return await self.inner.understand(user_message, history, context)


@pytest.mark.parametrize(
    "away",
    [
        RuntimeError("down"),
        ValueError("bad JSON"),
        WeightsError("encoder.safetensors is not there"),
        ProviderError("there is no provider"),
        UnfitProgramError("it was learnt for other flows"),
    ],
)
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
        entries = await store.journal.entries("ann")
        assert [entry.status for entry in entries] == ["ok", "ok"]


async def test_when_understanding_fails_while_idle_the_conversation_stays_idle() -> None:
    nlu = Flaky(ScriptedNLU({}))
    nlu.away = RuntimeError()
    async with talking_to(Till().config, nlu=nlu) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.state["conversation_state"] == "idle"


async def test_a_script_that_says_nothing_for_a_message_fails_the_turn() -> None:
    async with talking_to(Till().config, nlu=ScriptedNLU({})) as talk:
        with pytest.raises(TurnError, match="no entry for the message 'pay'"):
            await talk.say("pay")


async def test_a_failure_is_forgotten_when_somebody_is_understood_again() -> None:
    pay: list[Any] = [{"type": "StartFlow", "flow_name": "pay"}]
    nlu = Flaky(ScriptedNLU({"pay": pay, "hm": []}))
    async with talking_to(Till().config, nlu=nlu) as talk:
        for again in ("pay", "hm"):
            nlu.away = RuntimeError("down")
            await talk.say("hello?")
            nlu.away = None
            await talk.say(again)
            metadata = talk.state["metadata"]
            assert (metadata["error"], metadata["error_at"]) == (None, None)
        nlu.away = RuntimeError("down")
        await talk.say("hello?")
        await talk.runtime.push("By the way ...", "ann")
        assert (await talk.runtime.get_state("ann"))["metadata"]["error"] is not None
        await talk.say("5", commands=[{"type": "SetSlot", "slot_name": "amount", "value": 5}])
        assert talk.state["metadata"]["error"] is None


def cascade(first: Any, second: Any) -> CascadeNLU:
    return CascadeNLU(first, second, threshold=0.5)


PAY = {"type": "StartFlow", "flow_name": "pay"}


async def test_a_cascade_whose_first_provider_is_broken_asks_the_second() -> None:
    broken = Flaky(None)
    broken.away = WeightsError("encoder.safetensors is not there")
    both = cascade(broken, Strange(NLUOutput(commands=[PAY], source="model")))
    async with talking_to(Till().config, nlu=both) as talk:
        assert await talk.say("I have to pay") == ["How much?"]
        assert talk.state["turn"]["source"] == "model"
        assert talk.state["metadata"]["error"] is None


async def test_a_cascade_of_which_nothing_works_says_why() -> None:
    broken, away = Flaky(None), Flaky(None)
    broken.away, away.away = WeightsError("not there"), ConnectionError("no line")
    async with talking_to(Till().config, nlu=cascade(broken, away)) as talk:
        assert await talk.say("I have to pay") == ["I did not understand that."]
        assert talk.state["metadata"]["error"] == "understanding failed: ConnectionError"


class SlowScope(ScopeManager):
    """Has many flows to look through."""

    async def build(self, state: Any, context: Any) -> DialogueContext:
        await asyncio.sleep(0.8)
        return await super().build(state, context)


class Hanging:
    """A model that never answers."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        await asyncio.Event().wait()
        raise AssertionError("nobody waits for this")


async def test_looking_for_flows_takes_no_time_from_a_cascade_that_has_a_first_answer() -> None:
    # Together the two take longer than a message may; either one alone does not.
    yaml = """
version: "1"
settings: {nlu: {timeout: 1.2}}
slots: {amount: {prompt: "How much?"}}
flows: {pay: {trigger: {examples: [pay]}, steps: [{collect: amount}, {say: Paid.}]}}
"""
    guess = Strange(NLUOutput(commands=[PAY], confidence=0.4, source="guess"))
    both = CascadeNLU(guess, Hanging(), threshold=0.5, timeout=0.6)
    async with talking_to(yaml, nlu=both, scope=SlowScope()) as talk:
        assert await talk.say("I have to pay") == ["How much?"]
        assert talk.state["turn"]["source"] == "guess"


async def test_looking_for_flows_may_not_take_forever() -> None:
    yaml = PRIVATE + "settings: {nlu: {timeout: 0.2}}\n"
    async with talking_to(yaml, nlu=Strange(NLUOutput()), scope=SlowScope()) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.state["metadata"]["error"] == "understanding failed: TimeoutError"


PRIVATE = """
version: "1"
slots: {pin: {prompt: "Your pin?", sensitive: true}}
flows: {pay: {trigger: {examples: [pay]}, steps: [{collect: pin}, {say: Paid.}]}}
"""


async def test_a_secret_is_not_sent_to_the_second_provider_because_the_first_is_broken() -> None:
    broken = Flaky(None)
    broken.away = WeightsError("not there")
    second = Flaky(Strange(NLUOutput()))
    second.away = AssertionError("the secret was sent")
    async with talking_to(PRIVATE, nlu=cascade(broken, second)) as talk:
        await talk.say("pay", commands=[PAY])
        assert await talk.say("1234") == ["I did not understand that.", "Your pin?"]
        assert talk.state["metadata"]["error"] == "understanding failed: WeightsError"


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
    unknown: tuple[Any, ...] = ({"type": "Explode"}, {"type": "SetSlot", "slot": "amount"}, {})
    async with talking_to(Till().config, nlu=Strange(NLUOutput(commands=unknown))) as talk:
        assert await talk.say("pay") == ["I did not understand that."]
        assert talk.decisions == [
            ("Explode", "rejected"),
            ("SetSlot", "rejected"),
            ("?", "rejected"),
        ]
