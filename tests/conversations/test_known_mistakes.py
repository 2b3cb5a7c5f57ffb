"""Mistakes of earlier systems that belong to no single feature."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import interrupt

from soni import RuntimeLoop, SoniConfig, TurnError, action, validator
from soni.commands import AffirmConfirmation, StartFlow
from tests.conversations.till import Till
from tests.talking import talking_to


def orders() -> tuple[SoniConfig, list[str]]:
    done: list[str] = []

    @action
    def order(what: str) -> dict[str, Any]:
        done.append(what)
        return {}

    flows = {
        name: {
            "trigger": {"examples": [name]},
            "steps": [
                {"confirm": f"Order {name}?"},
                {"action": "order", "inputs": {"what": name}},
                {"say": f"Ordered {name}."},
            ],
        }
        for name in ("tea", "cake")
    }
    return SoniConfig.model_validate({"flows": flows}).with_functions([order]), done


async def test_one_yes_confirms_one_flow() -> None:
    config, done = orders()
    async with talking_to(config) as talk:
        assert await talk.say("tea") == ["Order tea?"]
        assert await talk.say("cake") == ["Order cake?"]
        assert await talk.say("yes") == ["Ordered cake.", "Back to tea.", "Order tea?"]
        assert done == ["cake"]
        assert await talk.say("yes") == ["Ordered tea."]
        assert done == ["cake", "tea"]


async def test_a_yes_said_twice_in_one_message_confirms_one_flow() -> None:
    config, done = orders()
    async with talking_to(config) as talk:
        await talk.say("tea", StartFlow(flow_name="tea"))
        await talk.say("cake", StartFlow(flow_name="cake"))
        said = await talk.say("yes yes", AffirmConfirmation(), AffirmConfirmation())
        assert said == ["Ordered cake.", "Back to tea.", "Order tea?"]
        assert done == ["cake"]


async def test_two_yeses_at_once_confirm_one_flow_each() -> None:
    config, done = orders()
    async with RuntimeLoop(config) as runtime:
        for said in ("tea", "cake"):
            await runtime.process_message(said, user_id="ann")
        await asyncio.gather(*(runtime.process_message("yes", user_id="ann") for _ in range(3)))
        assert done == ["cake", "tea"]


async def test_a_yes_when_nothing_is_asked_does_nothing() -> None:
    config, done = orders()
    async with talking_to(config) as talk:
        assert await talk.say("yes", AffirmConfirmation()) == ["I did not understand that."]
        assert talk.decisions == [("AffirmConfirmation", "rejected")]
        assert done == []


async def test_what_a_user_says_is_never_read_as_a_template() -> None:
    async with talking_to(Till().config) as talk:
        await talk.say("pay")
        await talk.say("5")
        nasty = "{amount} {{ 7 * 7 }} {session.key} %s \\1"
        assert (await talk.say(nasty))[0] == f"Paid 5 to {nasty}."


async def test_an_interrupt_in_an_action_is_the_actions_failure() -> None:
    @action
    async def ask() -> dict[str, Any]:
        return {"answer": interrupt("Well?")}

    flow = {"steps": [{"action": "ask", "on_error": "no"}, {"say": "Never."},
                      {"step": "no", "type": "say", "message": "{_error_type}"}]}  # fmt: skip
    config = SoniConfig.model_validate({"flows": {"f": flow}}).with_functions([ask])
    async with talking_to(config) as talk:
        for _ in range(2):
            assert await talk.say("hi") == ["GraphInterrupt"]


async def test_an_interrupt_in_a_validator_is_an_error_that_says_what_to_do() -> None:
    @validator
    def asks(value: str) -> bool:
        return bool(interrupt("Really?"))

    config = SoniConfig.model_validate(
        {
            "slots": {"name": {"validator": "asks"}},
            "flows": {"f": {"steps": [{"collect": "name", "message": "Name?"}]}},
        }
    ).with_functions([asks])
    async with talking_to(config) as talk:
        await talk.say("hi")
        for _ in range(2):
            with pytest.raises(TurnError, match="ask with a collect step"):
                await talk.say("Ann")
        assert await talk.say("cancel") == ["I have cancelled f."]


async def test_any_langgraph_saver_keeps_conversations(tmp_path: Path) -> None:
    path = str(tmp_path / "foreign.db")
    for said, answer in (("pay", "How much?"), ("5", "To whom?")):
        async with (
            AsyncSqliteSaver.from_conn_string(path) as saver,
            RuntimeLoop(Till().config, checkpointer=saver) as runtime,
        ):
            assert await runtime.process_message(said, user_id="ann") == answer


async def test_any_message_starts_the_only_flow_of_an_assistant_without_triggers() -> None:
    config = SoniConfig.model_validate(
        {"flows": {"greet": {"steps": [{"collect": "name", "message": "Your name?"},
                                       {"say": "Hello, {name}!"}]}}}
    )  # fmt: skip
    async with talking_to(config) as talk:
        for opening in ("hi", "bla bla", "what is this?", "yes"):
            assert (await talk.say(opening))[-1] == "Your name?"
            assert await talk.say("Ann") == ["Hello, Ann!"]
        assert await talk.say("cancel") == ["There is nothing to cancel."]


@pytest.mark.parametrize("most", [20, 400])
async def test_flows_that_never_come_to_an_end_are_stopped_and_the_turn_is_not_lost(
    most: int,
) -> None:
    config = SoniConfig.model_validate(
        {
            "settings": {"runtime": {"max_step_executions": most}},
            "flows": {
                "again": {
                    "trigger": {"examples": ["again"]},
                    "steps": [{"step": "more", "type": "call", "flow": "one", "jump_to": "more"}],
                },
                "one": {"steps": [{"set": {"x": 1}}]},
            },
        }
    )
    async with talking_to(config) as talk:
        assert await talk.say("again") == ["Something went wrong, so I could not finish again."]
        assert talk.state["metadata"]["error"].startswith("loop_detected")
