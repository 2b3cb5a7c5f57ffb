"""An action that hangs, ends the process or returns no end of data fails by itself."""

import asyncio
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, action
from tests.talking import talking_to

CONFIG = SoniConfig.model_validate(
    {
        "settings": {"runtime": {"action_timeout": 0.05, "max_threads": 1}},
        "flows": {
            "work": {
                "trigger": {"examples": ["work"]},
                "steps": [
                    {"action": "act", "on_error": "sorry"},
                    {"say": "Done.", "jump_to": "end"},
                    {"step": "sorry", "say": "Not done: {_error_type}."},
                ],
            },
            "hours": {
                "trigger": {"examples": ["when are you open"]},
                "steps": [{"say": "From 9 to 5."}],
            },
        },
    }
)


async def ignore_cancellation() -> None:
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue


def leave() -> None:
    raise SystemExit(0)


def return_cycle() -> dict[str, Any]:
    cycle: dict[str, Any] = {}
    cycle["n"] = cycle
    return cycle


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (ignore_cancellation, "timeout"),
        (leave, "SystemExit"),
        (return_cycle, "bad_output"),
        (lambda: {"n": 10**5000}, "bad_output"),
        (lambda: {"n": "x" * 20_000_000}, "bad_output"),
    ],
    ids=["ignores its cancellation", "leaves", "cycle", "digits", "megabytes"],
)
async def test_the_flow_hears_of_it_and_the_conversation_goes_on(
    function: Any, reason: str
) -> None:
    async with talking_to(CONFIG.with_functions([action("act")(function)])) as talk:
        assert await talk.say("work") == [f"Not done: {reason}."]
        assert await talk.say("when are you open") == ["From 9 to 5."]
        entries = await talk.runtime.store.journal.entries("ann")
        assert [entry.status for entry in entries] == ["ok", "ok"]
        assert entries[0].data["actions"][0]["error"]["type"] == reason


async def test_a_runtime_closes_although_an_action_ignores_its_cancellation() -> None:
    begun = asyncio.Event()

    async def act() -> None:
        begun.set()
        await ignore_cancellation()

    runtime = RuntimeLoop(CONFIG.with_functions([action("act")(act)]))
    turn = asyncio.create_task(runtime.turn("work", "ann"))
    await begun.wait()
    await asyncio.wait_for(runtime.abort(), timeout=30)
    with pytest.raises(asyncio.CancelledError):
        await turn
