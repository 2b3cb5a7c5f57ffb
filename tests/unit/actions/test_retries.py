"""Trying a failed action again."""

import asyncio

import pytest

from soni import ActionError, NeedSlot
from soni.steps.action import Retry
from tests.unit.actions.running import Counted, call, failure, runner


async def test_a_failed_call_is_tried_again_up_to_max_attempts() -> None:
    acting = Counted(ActionError("busy"), ActionError("busy"), {"n": 1})
    assert await runner(acting).run(call(retry=Retry(max_attempts=3, delay=0))) == {"n": 1}
    assert acting.calls == 3
    acting = Counted(ActionError("first"), ActionError("second"), {"n": 1})
    given = call(retry=Retry(max_attempts=2, delay=0))
    assert (await failure(runner(acting), given))[0] == "second"
    assert acting.calls == 2


async def test_without_retry_an_action_is_called_once() -> None:
    acting = Counted(ActionError("busy"), {"n": 1})
    assert (await failure(runner(acting), call()))[0] == "busy"
    assert acting.calls == 1


async def test_each_delay_is_backoff_times_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    given = call(retry=Retry(max_attempts=4, delay=0.5, backoff=3))
    await failure(runner(Counted(ActionError("busy"))), given)
    assert slept == [0.5, 1.5, 4.5]


async def test_retry_on_names_the_errors_worth_another_try() -> None:
    acting = Counted(ActionError("busy"), ActionError("broken"), {"n": 1})
    given = call(retry=Retry(max_attempts=5, delay=0, retry_on=("busy", "timeout")))
    assert (await failure(runner(acting), given))[0] == "broken"
    assert acting.calls == 2


async def test_a_needed_slot_is_no_failure_and_is_not_tried_again() -> None:
    acting = Counted(NeedSlot("zip"))
    with pytest.raises(NeedSlot) as caught:
        await runner(acting).run(call(retry=Retry(delay=0)))
    assert (caught.value.slot_name, acting.calls) == ("zip", 1)


@pytest.mark.parametrize(
    "first", [ActionError("bank_silent", outcome_known=False), ActionError("timeout")]
)
@pytest.mark.parametrize("repeatable", [False, True])
async def test_an_attempt_of_unknown_outcome_stays_in_doubt_whatever_the_next_one_says(
    first: ActionError, repeatable: bool
) -> None:
    running = runner(Counted(first, ActionError("no_funds")), repeatable=repeatable)
    with pytest.raises(ActionError) as caught:
        await running.run(call(retry=Retry(max_attempts=2, delay=0)))
    # What is harmless to do again has the outcome of the last attempt.
    assert (caught.value.type, caught.value.outcome_known) == ("no_funds", repeatable)
    assert len(await running.list_open()) == (0 if repeatable else 1)
