"""The state stays as large as it is, however long the conversation becomes."""

import json
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig, action
from soni.core.storage import Store
from soni.persistence import open_store
from tests.talking import Talk, talking_to

SHOP: dict[str, Any] = {
    "settings": {
        "memory_management": {
            "max_completed_flows": 3,
            "max_history_messages": 8,
            "max_trace_events": 5,
            "max_logged_commands": 4,
        }
    },
    "slots": {
        "size": {"type": "choice", "values": ["s", "m"], "prompt": "Which size?"},
        "customer": {"scope": "conversation"},
    },
    "flows": {
        "buy": {
            "trigger": {"examples": ["buy"]},
            "outputs": ["price"],
            "steps": [
                {"collect": "size"},
                {"set": {"customer": "Ann"}},
                {"step": "sure", "type": "confirm", "message": "Buy one in {size}?"},
                {"action": "order"},
                {"say": "Ordered."},
                {"say": "It costs {price}."},
            ],
        },
        "hours": {"trigger": {"examples": ["hours"]}, "steps": [{"say": "9 to 5."}]},
    },
}


@action
def order(size: str) -> dict[str, Any]:
    return {"price": 10}


def shop(**memory: int) -> SoniConfig:
    settings = SHOP["settings"]["memory_management"]
    config = {**SHOP, "settings": {"memory_management": {**settings, **memory}}}
    return SoniConfig.model_validate(config).with_functions([order])


async def buy(talk: Talk) -> None:
    """A task with all that makes a state grow: refusals, corrections, an interruption, a no."""
    for said in ("buy", "xl", "m", "hours", "change the size to s", "what?", "yes"):
        await talk.say(said)


def measure(state: Any) -> dict[str, int]:
    return {
        key: len(json.dumps(value, default=lambda message: message.model_dump()))
        for key, value in state.items()
    }


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def test_a_long_conversation_has_no_larger_state_than_a_short_one(store: Store) -> None:
    async with talking_to(shop(), store=store) as talk:
        for _ in range(3):
            await buy(talk)
        early = measure(talk.state)
        for _ in range(12):
            await buy(talk)
        late = measure(talk.state)
        # Numbers of turns and ids of messages have a digit more; nothing else is added.
        assert {key: late[key] - early[key] for key in late if late[key] > early[key] + 20} == {}


async def test_each_list_keeps_its_newest_entries(store: Store) -> None:
    async with talking_to(shop(), store=store) as talk:
        for _ in range(5):
            await buy(talk)
        state = talk.state
        turn = state["turn_count"]
        assert len(state["messages"]) == 8
        assert [m.id for m in state["messages"]][-3:] == [
            f"{turn}-user", f"{turn}-bot-0", f"{turn}-bot-1",
        ]  # fmt: skip
        assert [entry["turn"] for entry in state["command_log"]][-1] == turn
        assert len(state["command_log"]) == 4
        assert [event["event"] for event in state["trace"]][-1] == "flow_completed"
        assert len(state["trace"]) == 5
        archive = state["metadata"]["completed_flows"]
        assert [flow["flow_name"] for flow in archive] == ["buy", "hours", "buy"]
        assert archive[-1]["completed_at"] >= archive[0]["completed_at"]
        assert state["flow_slots"] == {}
        assert state["conversation_slots"] == {"customer": "Ann"}


async def test_nothing_is_kept_where_nothing_is_wanted() -> None:
    none = shop(
        max_completed_flows=0, max_history_messages=0, max_trace_events=0, max_logged_commands=0
    )
    async with talking_to(none) as talk:
        await buy(talk)
        assert talk.last is not None
        assert talk.last.messages == ["Ordered.", "It costs 10."]
        assert talk.ended == [("buy", "completed")]
        assert talk.state["messages"] == talk.state["trace"] == talk.state["command_log"] == []
        assert talk.state["metadata"]["completed_flows"] == []


async def test_one_turn_with_more_messages_than_are_kept_keeps_its_last() -> None:
    async with talking_to(shop(max_history_messages=2)) as talk:
        await buy(talk)
        assert [m.content for m in talk.state["messages"]] == ["Ordered.", "It costs 10."]


async def test_an_open_task_does_not_grow_with_what_is_said_beside_it(store: Store) -> None:
    async with talking_to(shop(), store=store) as talk:
        await talk.say("buy")
        await talk.say("m")
        for _ in range(3):
            await talk.say("change the size to s")
            await talk.say("change the size to m")
        early = measure(talk.state["flow_stack"][0])
        for _ in range(6):
            await talk.say("change the size to s")
            await talk.say("change the size to m")
        late = measure(talk.state["flow_stack"][0])
        assert {key: late[key] - early[key] for key in late if late[key] > early[key] + 4} == {}


async def test_only_the_newest_checkpoint_is_kept(store: Store) -> None:
    async with talking_to(shop(), store=store) as talk:
        for _ in range(3):
            await buy(talk)
        thread: Any = {"configurable": {"thread_id": "ann"}}
        assert len([each async for each in store.checkpointer.alist(thread)]) == 1
