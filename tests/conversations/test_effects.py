"""What an action did is done once, whatever becomes of the turns around it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig, TurnError, action, validator
from soni.commands import StartFlow
from soni.core.storage import Store
from soni.persistence import open_store
from tests.conversations.till import Till
from tests.talking import talking_to


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def test_what_a_failed_turn_did_is_not_done_again_after_another_message(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for said in ("pay", "5"):
            await talk.say(said)
        till.faults["step"] = RuntimeError()
        with pytest.raises(TurnError):
            await talk.say("Bob")
        till.faults.clear()
        for _ in range(3):
            assert (await talk.say("when are you open"))[-1] == "To whom?"
        assert await talk.say("Bob") == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert till.charged == [(5, "Bob")]


async def test_another_answer_than_the_failed_one_is_another_effect(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for said in ("pay", "5"):
            await talk.say(said)
        till.faults["step"] = RuntimeError()
        with pytest.raises(TurnError):
            await talk.say("Bob")
        till.faults.clear()
        assert await talk.say("Eve") == ["Paid 5 to Eve.", "Your receipt is R2."]
        assert till.charged == [(5, "Bob"), (5, "Eve")]


async def test_the_same_task_later_is_another_effect(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for _ in range(2):
            for said in ("pay", "5", "Bob"):
                await talk.say(said)
        assert till.charged == [(5, "Bob"), (5, "Bob")]


GIFT = SoniConfig.model_validate(
    {
        "slots": {"note": {"validator": "noted"}},
        "flows": {
            "gift": {
                "trigger": {"examples": ["gift"]},
                "steps": [{"action": "give"}, {"set": {"note": "thanks"}}, {"say": "Given."}],
            },
            "hours": {"trigger": {"examples": ["hours"]}, "steps": [{"say": "9 to 5."}]},
        },
    }
)


class Giver:
    """Gives at once, and then fails as long as it is told to."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.fails = True

    @property
    def config(self) -> SoniConfig:
        @action
        def give(ctx: Any) -> dict[str, Any]:
            self.given.append(ctx.idempotency_key)
            return {}

        @validator
        def noted(value: str) -> bool:
            if self.fails:
                raise RuntimeError
            return True

        return GIFT.with_functions([give, noted])


@pytest.mark.parametrize("between", [[], ["hours", "hours"]])
async def test_a_message_sent_again_under_its_id_meets_the_effects_it_had(
    between: list[str], store: Store
) -> None:
    giver = Giver()
    async with talking_to(giver.config, store=store) as talk:
        with pytest.raises(TurnError):
            await talk.say("gift", StartFlow(flow_name="gift"), message_id="m1")
        giver.fails = False
        for number, said in enumerate(between):
            await talk.say(said, message_id=f"between{number}")
        assert await talk.say("gift", StartFlow(flow_name="gift"), message_id="m1") == ["Given."]
        assert len(giver.given) == 1
        # The next gift is another one.
        assert await talk.say("gift", StartFlow(flow_name="gift"), message_id="m2") == ["Given."]
        assert len(set(giver.given)) == 2


async def test_a_message_without_an_id_meets_its_effects_if_it_is_sent_again_at_once(
    store: Store,
) -> None:
    giver = Giver()
    async with talking_to(giver.config, store=store) as talk:
        with pytest.raises(TurnError):
            await talk.say("gift", StartFlow(flow_name="gift"))
        giver.fails = False
        assert await talk.say("gift", StartFlow(flow_name="gift")) == ["Given."]
        assert len(giver.given) == 1


async def test_the_ledger_forgets_what_cannot_be_met_again(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for said in ("pay", "5"):
            await talk.say(said)
        flow_id = talk.state["flow_stack"][0]["flow_id"]
        till.faults["step"] = RuntimeError()
        with pytest.raises(TurnError):
            await talk.say("Bob")
        key = f"ann/{flow_id}/action_charge/1"
        async with store.conversation("ann"):
            open_effect = await store.ledger.begin(key, "another digest", "ann")
            await store.ledger.finish(key, "another digest", "ann", {})
        assert open_effect is None  # newly begun beside the one of the failed turn
        await talk.say("cancel")
        async with store.conversation("ann"):
            assert await store.ledger.begin(key, "another digest", "ann") is None


async def test_an_effect_that_ran_into_its_timeout_is_not_known_to_be_undone(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        for said in ("pay", "5"):
            await talk.say(said)
        till.faults["action"] = TimeoutError()
        assert await talk.say("Bob") == ["Not paid: timeout."]
        assert talk.state["metadata"]["error"].startswith("timeout: ")


async def test_an_effect_that_was_cut_off_with_its_event_loop_is_not_repeated(store: Store) -> None:
    begun: list[str] = []
    running = asyncio.Event()

    @action
    async def give(ctx: Any) -> dict[str, Any]:
        begun.append(ctx.idempotency_key)
        running.set()
        await asyncio.Event().wait()
        return {}

    @validator
    def noted(value: str) -> bool:
        return True

    async with talking_to(GIFT.with_functions([give, noted]), store=store) as talk:
        caller = asyncio.create_task(talk.say("gift"))
        await running.wait()
        # As the end of `asyncio.run` does.
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        assert caller.cancelled()
        assert await talk.say("gift") == [
            "I do not know whether gift was done: it was interrupted. "
            "Please check before you try again."
        ]
        assert talk.state["metadata"]["error"].startswith("outcome_unknown")
        assert len(begun) == 1
