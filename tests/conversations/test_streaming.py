"""Messages stream while the turn runs: typed events, in the order in which they are said."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError, action
from soni.commands import Clarify, Disambiguate, HumanHandoff, RepeatLast, SetSlot, StartFlow
from soni.persistence import open_store
from soni.runtime.turn import MessageEvent, TurnEvent
from tests.conversations.till import Till
from tests.talking import FrozenClock

SEARCH = SoniConfig.model_validate(
    {
        "settings": {"limits": {"max_message_chars": 60}},
        "responses": {"welcome": "Welcome."},
        "slots": {"size": {"type": "choice", "values": ["s", "m"], "prompt": "Which size?"}},
        "flows": {
            "search": {
                "trigger": {"examples": ["search"]},
                "steps": [{"say": "All right."}, {"action": "look"}, {"say": "Found {found}."}],
            },
            "buy": {
                "trigger": {"examples": ["buy"]},
                "steps": [{"collect": "size"}, {"say": "Bought."}],
            },
        },
    }
)


def searching(function: Callable[..., Any]) -> SoniConfig:
    return SEARCH.with_functions([action("look")(function)])


async def test_what_is_said_before_an_action_arrives_before_it_runs() -> None:
    go = asyncio.Event()

    async def look() -> dict[str, Any]:
        await go.wait()
        return {"found": 3}

    async with RuntimeLoop(searching(look)) as runtime:
        events = runtime.stream("search", user_id="ann")
        assert await anext(events) == MessageEvent("Welcome.")
        assert await anext(events) == MessageEvent("All right.")
        assert not go.is_set()
        go.set()
        rest = [event async for event in events]
    assert rest[0] == MessageEvent("Found 3.")
    assert isinstance(rest[1], TurnEvent)
    assert rest[1].turn.messages == ["Welcome.", "All right.", "Found 3."]
    assert len(rest) == 2


async def test_what_an_action_says_arrives_while_it_runs() -> None:
    go = asyncio.Event()

    async def look(ctx: Any) -> dict[str, Any]:
        ctx.say("Looking...")
        await go.wait()
        ctx.say("Nearly there...")
        return {"found": 1}

    async with RuntimeLoop(searching(look)) as runtime:
        events = runtime.stream("search", user_id="ann")
        said = ["Welcome.", "All right.", "Looking..."]
        assert [await anext(events) for _ in said] == [MessageEvent(text) for text in said]
        go.set()
        turn = (await texts_and_turn(events))[1]
    assert turn.messages == [*said, "Nearly there...", "Found 1."]
    assert turn.state["last_response"] == "\n".join(turn.messages)


async def test_what_a_sync_action_says_arrives_while_its_thread_runs() -> None:
    go = threading.Event()

    def look(ctx: Any) -> dict[str, Any]:
        ctx.say("Looking...")
        # Only somebody who has heard that lets it go on.
        return {"found": "it" if go.wait(timeout=10) else "nothing in time"}

    async with RuntimeLoop(searching(look)) as runtime:
        said = []
        async for event in runtime.stream("search", user_id="ann"):
            if isinstance(event, MessageEvent):
                said.append(event.text)
                if event.text == "Looking...":
                    go.set()
    assert said == ["Welcome.", "All right.", "Looking...", "Found it."]


async def test_an_action_that_outlived_its_timeout_is_not_heard_any_more() -> None:
    config = SoniConfig.model_validate(
        {
            "flows": {
                "search": {
                    "steps": [
                        {"action": "look", "timeout": 0.05, "on_error": "give_up"},
                        {"step": "give_up", "type": "action", "call": "give_up"},
                        {"say": "Too slow."},
                    ]
                }
            }
        }
    )
    go, over = threading.Event(), threading.Event()

    @action
    def look(ctx: Any) -> dict[str, Any]:
        go.wait(timeout=10)
        ctx.say("Here I am!")
        over.set()
        return {}

    @action
    def give_up(ctx: Any) -> dict[str, Any]:
        go.set()  # the first action speaks while this one runs
        over.wait(timeout=10)
        return {}

    async with RuntimeLoop(config.with_functions([look, give_up])) as runtime:
        texts, turn = await texts_and_turn(runtime.stream("hi"))
    assert texts == turn.messages == ["Too slow."]


async def test_an_action_that_says_no_text_fails_like_any_other() -> None:
    async def look(ctx: Any) -> dict[str, Any]:
        ctx.say(7)
        return {}

    async with RuntimeLoop(searching(look)) as runtime:
        turn = await runtime.turn("search", user_id="ann")
        assert turn.messages[-1] == "Something went wrong, so I could not finish search."
        assert turn.state["metadata"]["error"] == "TypeError: say() takes a text, not int"


async def texts_and_turn(events: AsyncIterator[Any]) -> tuple[list[str], Any]:
    seen = [event async for event in events]
    assert isinstance(seen[-1], TurnEvent)
    assert all(isinstance(event, MessageEvent) for event in seen[:-1])
    return [event.text for event in seen[:-1]], seen[-1].turn


@pytest.mark.parametrize("last", [
    [StartFlow(flow_name="search")],
    [SetSlot(slot_name="size", value="m")],
    [SetSlot(slot_name="size", value="xxl")],
    [Clarify()],
    [Clarify(topic="life")],
    [RepeatLast()],
    [Disambiguate(flow_names=["search", "buy"])],
    [HumanHandoff()],
    [],
    None,
])  # fmt: skip
async def test_exactly_the_messages_of_the_turn_are_streamed(last: Any) -> None:
    async def look(ctx: Any) -> dict[str, Any]:
        ctx.say("Looking...")
        return {"found": 1}

    async with RuntimeLoop(searching(look)) as runtime:
        for commands in ([StartFlow(flow_name="buy")], last):
            said = "x" * 61 if commands is None else "whatever"
            events = runtime.stream(said, user_id="ann", commands=commands)
            texts, turn = await texts_and_turn(events)
            assert texts == turn.messages
            assert texts


async def test_a_stream_that_is_left_early_does_not_end_the_turn() -> None:
    go = asyncio.Event()

    async def look() -> dict[str, Any]:
        await go.wait()
        return {"found": 2}

    async with RuntimeLoop(searching(look)) as runtime:
        async for event in runtime.stream("search", user_id="ann"):
            assert event == MessageEvent("Welcome.")
            break
        go.set()
        assert await runtime.process_message("hello", user_id="ann")
        state = await runtime.get_state("ann")
        assert "Found 2." in [str(message.content) for message in state["messages"]]
        assert state["turn_count"] == 2


async def test_a_turn_that_fails_ends_its_stream_with_the_failure() -> None:
    till = Till()
    till.faults["step"] = RuntimeError("no stamp")
    async with RuntimeLoop(till.config, clock=FrozenClock()) as runtime:
        for text in ("pay", "5"):
            await runtime.process_message(text, user_id="ann")
        events = runtime.stream("Bob", user_id="ann")
        with pytest.raises(TurnError, match="no stamp"):
            await anext(events)


@pytest.mark.parametrize("how", ["process_message", "stream"])
async def test_a_failure_that_nobody_waits_for_disturbs_nobody(how: str) -> None:
    complaints: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: complaints.append(about))
    till = Till()
    async with RuntimeLoop(till.config) as runtime:
        for text in ("pay", "5"):
            await runtime.process_message(text, user_id="ann")
        till.faults["step"] = RuntimeError()
        sent = runtime.stream("Bob", user_id="ann")
        caller: asyncio.Future[Any] = asyncio.ensure_future(
            anext(sent) if how == "stream" else runtime.process_message("Bob", user_id="ann")
        )
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.wait([caller])
        await sent.aclose()
        assert await runtime.process_message("cancel", user_id="ann") == "I have cancelled pay."
    entries = await runtime.store.journal.entries("ann")
    assert [entry.status for entry in entries] == ["ok", "ok", "failed", "ok"]
    gc.collect()
    assert complaints == []


async def test_a_repeated_message_streams_the_recorded_answer(tmp_path: Path) -> None:
    async def look() -> dict[str, Any]:
        return {"found": 1}

    store = open_store("sqlite", str(tmp_path / "talk.db"))
    async with RuntimeLoop(searching(look), store=store) as runtime:
        first = await texts_and_turn(runtime.stream("search", user_id="ann", message_id="m1"))
        again = await texts_and_turn(runtime.stream("search", user_id="ann", message_id="m1"))
        assert again[0] == first[0] == ["Welcome.", "All right.", "Found 1."]
        assert (first[1].repeated, again[1].repeated) == (False, True)
