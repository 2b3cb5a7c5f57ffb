"""Running the functions of an assistant: what they are given, and what becomes of it."""

import asyncio
import threading
from datetime import date
from typing import Any

import pytest

from soni import ActionError
from soni.steps.action import Retry
from tests.unit.actions.running import Counted, call, failure, runner


async def test_an_action_may_be_async() -> None:
    async def double(n: int) -> dict[str, int]:
        await asyncio.sleep(0)
        return {"m": n * 2}

    assert await runner(double).run(call(inputs={"n": 4})) == {"m": 8}


async def test_a_sync_action_never_blocks_the_event_loop() -> None:
    released = threading.Event()

    def waiting() -> dict[str, bool]:
        return {"released": released.wait(timeout=20)}

    running = asyncio.create_task(runner(waiting).run(call()))
    await asyncio.sleep(0)
    # Only a loop that is not blocked gets here before the action is done.
    released.set()
    assert await running == {"released": True}


async def test_an_action_gets_its_inputs_typed_and_its_own_defaults() -> None:
    def book(day: date, seats: int = 2) -> dict[str, Any]:
        return {"booked": f"{day:%d/%m} {seats}"}

    assert await runner(book).run(call(inputs={"day": date(2026, 3, 2)})) == {"booked": "02/03 2"}


async def test_an_optional_input_that_is_unset_is_null_where_the_function_has_no_default() -> None:
    def note(text: str | None, tone: str = "kind") -> dict[str, Any]:
        return {"noted": [text, tone]}

    taking = runner(note, inputs=["text?", "tone?"])
    assert await taking.run(call()) == {"noted": [None, "kind"]}
    assert await taking.run(call(key="k", inputs={"text": ""})) == {"noted": ["", "kind"]}


async def test_ctx_tells_about_the_conversation() -> None:
    def about(ctx: Any) -> dict[str, Any]:
        ctx.logger.info("called")
        ctx.say("One moment.")
        return {
            "who": [ctx.user_id, ctx.conversation_id, ctx.flow_id, ctx.idempotency_key],
            "slots": dict(ctx.slots),
            "plan": ctx.session["plan"],
        }

    said: list[str] = []
    given = call(slots={"n": 1}, session={"plan": "gold"}, say=said.append)
    assert await runner(about).run(given) == {
        "who": ["ann", "chat", "pay_1", "chat/pay_1/act/1"],
        "slots": {"n": 1},
        "plan": "gold",
    }
    assert said == ["One moment."]


async def test_the_slots_in_ctx_are_read_only() -> None:
    def meddling(ctx: Any) -> None:
        ctx.slots["n"] = 2

    assert (await failure(runner(meddling), call(slots={"n": 1})))[0] == "TypeError"


async def test_what_a_function_does_to_its_arguments_is_not_done_to_the_slots() -> None:
    seen: list[Any] = []

    def greedy(items: list[str], ctx: Any) -> dict[str, Any]:
        seen.append(list(items))
        items.append("mine")
        ctx.slots["items"].append("mine too")
        raise ActionError("greed")

    items = ["a"]
    given = call(inputs={"items": items}, slots={"items": items}, retry=Retry(delay=0))
    assert (await failure(runner(greedy), given))[0] == "greed"
    assert items == ["a"]
    assert seen == [["a"], ["a"], ["a"]]


async def test_without_a_contract_everything_returned_is_an_output() -> None:
    def find() -> dict[Any, Any]:
        return {"day": date(2026, 3, 2), "stops": ("Oslo",), 1: 0}

    assert await runner(find).run(call()) == {"day": "2026-03-02", "stops": ["Oslo"], "1": 0}


@pytest.mark.parametrize(
    ("returned", "outputs"),
    [
        ({"price": 8, "debug": object()}, {"price": 8}),
        ({"price": None}, {"price": None}),
        (8, {"price": 8}),
        ("", {"price": ""}),
        (False, {"price": False}),
        ([1, 2], {"price": [1, 2]}),
        (None, {"price": None}),
    ],
)
async def test_a_contract_says_which_outputs_count_and_a_single_one_needs_no_name(
    returned: Any, outputs: dict[str, Any]
) -> None:
    assert await runner(Counted(returned), outputs=["price"]).run(call()) == outputs


async def test_an_action_may_return_nothing() -> None:
    assert await runner(Counted(None)).run(call()) == {}


@pytest.mark.parametrize(
    ("returned", "contract", "reason"),
    [
        ([1], {}, "'act' returned list, no dict"),
        ({"a": 1}, {"outputs": ["a", "b", "c"]}, "'act' did not return b, c"),
        ({"a": object()}, {}, "a object cannot be stored in a slot"),
        ({"a": float("nan")}, {}, "nan cannot be stored in a slot"),
    ],
)
async def test_a_result_that_cannot_be_used_is_a_failure_and_is_not_tried_again(
    returned: Any, contract: dict[str, Any], reason: str
) -> None:
    acting = Counted(returned)
    given = call(retry=Retry(delay=0))
    assert await failure(runner(acting, **contract), given) == ("bad_output", reason)
    # It succeeded: what it did must not be done again.
    assert acting.calls == 1


async def test_an_action_error_keeps_its_type_and_message() -> None:
    acting = Counted(ActionError("no_seats", "The flight is full."))
    assert await failure(runner(acting), call()) == ("no_seats", "The flight is full.")
    acting = Counted(ActionError("no_seats"))
    assert await failure(runner(acting), call()) == ("no_seats", "no_seats")


async def test_any_other_exception_is_a_failure_named_after_it() -> None:
    acting = Counted(ConnectionError("host is away"))
    assert await failure(runner(acting), call()) == ("ConnectionError", "host is away")


async def test_a_sync_action_that_runs_out_of_items_fails_like_any_other() -> None:
    def first() -> dict[str, Any]:
        return {"flight": next(iter([]))}

    assert await failure(runner(first), call()) == ("RuntimeError", "first raised StopIteration")


async def test_an_unknown_action_is_a_failure() -> None:
    given = call(action="gone")
    assert await failure(runner(Counted(None)), given) == (
        "unknown_action",
        "no action is named 'gone'",
    )


async def test_an_action_that_takes_too_long_fails_with_timeout() -> None:
    async def endless() -> None:
        await asyncio.Event().wait()

    assert await failure(runner(endless), call(timeout=0.01)) == (
        "timeout",
        "no answer within 0.01 seconds",
    )


async def test_the_timeout_of_the_settings_counts_where_the_step_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def endless() -> None:
        await asyncio.Event().wait()

    monkeypatch.setenv("SONI_SETTINGS__RUNTIME__ACTION_TIMEOUT", "0.01")
    assert (await failure(runner(endless), call()))[0] == "timeout"
