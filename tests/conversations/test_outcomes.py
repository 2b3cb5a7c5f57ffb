"""An action whose outcome nobody knows: somebody finds out, or it stays listed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig, action
from soni.commands import StartFlow
from soni.core.storage import Effect, Store
from soni.persistence import open_store
from tests.talking import Talk, assistant, talking_to

BANK = """
settings:
  runtime: {action_timeout: 0.05}
  background: {outcome_attempts: 3}
slots:
  receipt: {type: string}
actions:
  transfer: {outputs: [receipt], check_outcome: was_transferred}
  notify: {}
flows:
  send:
    trigger: {examples: [send]}
    steps:
      - {action: transfer, on_error: failed}
      - {say: "Sent: {receipt}.", jump_to: end}
      - {step: failed, say: "Not sure it was sent: {_error_type}."}
  send_slowly:
    trigger: {examples: [send slowly]}
    steps:
      - {action: transfer, timeout: 600, on_error: failed}
      - {say: "Sent: {receipt}.", jump_to: end}
      - {step: failed, say: "Not sure it was sent: {_error_type}."}
  tell:
    trigger: {examples: [tell]}
    steps:
      - {action: notify, on_error: failed}
      - {step: failed, say: "Not sure they were told."}
"""

DECLARED = """
from soni import action

@action
def transfer(): ...

@action
def notify(): ...

@action
def was_transferred(ctx): ...
"""


class Bank:
    """Transfers and never says so; asked later, it answers what it is told to."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []
        self.begun = asyncio.Event()

    @property
    def config(self) -> SoniConfig:
        @action
        async def transfer() -> dict[str, Any]:
            self.begun.set()
            await asyncio.sleep(3600)
            return {}

        @action
        async def notify() -> None:
            await asyncio.sleep(3600)

        @action
        def was_transferred(ctx: Any) -> Any:
            self.asked.append((ctx.user_id, ctx.idempotency_key))
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return assistant(BANK, DECLARED).with_functions([transfer, notify, was_transferred])


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def unknown(talk: Talk) -> list[Effect]:
    return await talk.runtime.store.ledger.list_unknown(begun_before=9e12)


async def work(talk: Talk) -> None:
    talk.clock.forward(hours=2)
    await talk.runtime.run_due_jobs()


@pytest.mark.parametrize("answer", [{"done": True, "receipt": "R1"}, {"done": False}])
async def test_an_outcome_that_is_found_out_is_no_longer_unknown(
    answer: dict[str, Any], store: Store
) -> None:
    bank = Bank(answer)
    async with talking_to(bank.config, store=store) as talk:
        assert await talk.say("send") == ["Not sure it was sent: timeout."]
        (effect,) = await unknown(talk)
        await work(talk)
        assert bank.asked == [("ann", effect.key)]
        assert await unknown(talk) == []
        assert await talk.runtime.store.jobs.list_jobs(kind="effect_outcome") == []


async def test_it_is_asked_again_while_nobody_knows(store: Store) -> None:
    bank = Bank({"done": None}, ConnectionError(), {"done": True})
    async with talking_to(bank.config, store=store) as talk:
        await talk.say("send")
        for _ in range(3):
            assert len(await unknown(talk)) == 1
            await work(talk)
        assert await unknown(talk) == []


async def test_what_nobody_finds_out_stays_listed(store: Store) -> None:
    bank = Bank(*[{"done": None}] * 3)
    async with talking_to(bank.config, store=store) as talk:
        await talk.say("send")
        for _ in range(6):
            await work(talk)
        assert (len(bank.asked), len(await unknown(talk))) == (3, 1)
        (dead,) = await talk.runtime.store.jobs.list_jobs(state="dead")
        assert dead.error == "whether 'transfer' was done is not known yet"


@pytest.mark.parametrize("answer", [None, "yes", {"ok": True}, {"done": 1}, {"done": "yes"}])
async def test_an_answer_of_another_form_settles_nothing(answer: Any) -> None:
    bank = Bank(answer)
    async with talking_to(bank.config) as talk:
        await talk.say("send")
        await work(talk)
        assert len(await unknown(talk)) == 1
        (dead,) = await talk.runtime.store.jobs.list_jobs(state="dead")
        assert "'was_transferred' did not say what became of the effect" in str(dead.error)


async def test_an_action_that_names_nobody_to_ask_stays_listed(store: Store) -> None:
    async with talking_to(Bank().config, store=store) as talk:
        assert await talk.say("tell") == ["Not sure they were told."]
        await work(talk)
        assert [effect.action for effect in await unknown(talk)] == ["notify"]


async def test_a_turn_under_way_is_not_asked_about(store: Store) -> None:
    bank = Bank({"done": True})
    async with talking_to(bank.config, store=store) as talk:
        await talk.say("send")
        async with talk.runtime.store.conversation("ann"):
            await work(talk)
            assert bank.asked == []
        await work(talk)
        assert len(bank.asked) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"done": True, "receipt": "R1"}, "Sent: R1."),
        ({"done": True}, "Not sure it was sent: outputs_unknown."),
        ({"done": False}, "Not sure it was sent: not_done."),
    ],
)
async def test_a_message_sent_again_meets_the_outcome(
    answer: dict[str, Any], said: str, store: Store
) -> None:
    """Its process ended during the action, so its turn was never stored."""
    bank = Bank(answer)
    start = StartFlow(flow_name="send_slowly")
    async with talking_to(bank.config, store=store) as talk:
        turn = asyncio.create_task(talk.say("send slowly", start, message_id="m1"))
        await bank.begun.wait()
        await talk.runtime.abort()
        await asyncio.gather(turn, return_exceptions=True)
    async with talking_to(bank.config, store=store) as talk:
        while not bank.asked:  # as soon as the action should have ended
            await work(talk)
        assert await talk.say("send slowly", start, message_id="m1") == [said]
