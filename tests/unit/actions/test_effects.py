"""Effects: the ledger knows what was done, so that nothing is done twice."""

import asyncio
from datetime import timedelta

import pytest

from soni import ActionError, NeedSlot
from tests.unit.actions.running import Counted, call, failure, runner


async def test_a_known_effect_is_not_repeated() -> None:
    acting = Counted({"paid": 1}, {"paid": 2})
    running = runner(acting)
    assert await running.run(call()) == {"paid": 1}
    assert await running.run(call()) == {"paid": 1}
    assert acting.calls == 1
    assert await running.run(call(key="chat/pay_1/act/2")) == {"paid": 2}


async def test_other_inputs_are_another_effect() -> None:
    acting = Counted({"paid": 1}, {"paid": 2})
    running = runner(acting)
    await running.run(call(inputs={"amount": 1}))
    assert await running.run(call(inputs={"amount": 2})) == {"paid": 2}


async def test_an_input_that_no_slot_could_hold_can_be_given() -> None:
    def later(by: timedelta) -> dict[str, int]:
        return {"days": by.days}

    assert await runner(later).run(call(inputs={"by": timedelta(days=2)})) == {"days": 2}


async def test_a_known_failure_and_a_known_need_are_not_repeated() -> None:
    acting = Counted(ActionError("no_funds", "Too little."), {"paid": 1})
    running = runner(acting)
    for _ in range(2):
        assert await failure(running, call()) == ("no_funds", "Too little.")
    assert acting.calls == 1
    acting = Counted(NeedSlot("zip"), {})
    running = runner(acting)
    for _ in range(2):
        with pytest.raises(NeedSlot, match="'zip'"):
            await running.run(call())
    assert acting.calls == 1


@pytest.mark.parametrize("repeatable", [False, True])
async def test_an_effect_of_unknown_outcome_is_repeated_only_if_that_is_harmless(
    repeatable: bool,
) -> None:
    released = asyncio.Event()
    calls = []

    async def pay() -> dict[str, int]:
        calls.append(1)
        await released.wait()
        return {"paid": len(calls)}

    running = runner(pay, repeatable=repeatable)
    assert (await failure(running, call(timeout=0.01)))[0] == "timeout"
    released.set()
    if repeatable:
        assert await running.run(call()) == {"paid": 2}
    else:
        assert (await failure(running, call()))[0] == "outcome_unknown"
        assert len(calls) <= 1
