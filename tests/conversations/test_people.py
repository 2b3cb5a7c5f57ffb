"""People may see what is stored about them and have it erased, and nothing is kept for ever."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError
from soni.commands import SetSlot, StartFlow
from soni.core.constants import MASK
from soni.core.storage import Removal
from soni.persistence.journal import verify_chain
from tests.talking import FrozenClock, assistant

ASSISTANT = """
version: "1"
settings:
  persistence: {backend: sqlite, url: kept.db, retention: 30d}
slots:
  item: {prompt: "Which item?"}
  pin: {prompt: "Your pin?", sensitive: true}
  city: {prompt: "Which city?", scope: conversation}
actions:
  order: {inputs: [item], outputs: [number]}
flows:
  buy:
    trigger: {examples: [buy]}
    steps:
      - collect: city
      - collect: item
      - action: order
      - collect: pin
      - say: "Ordered {item}, {number}."
"""
ACTIONS = """
from soni import action

@action
def order(item: str) -> dict:
    return {"number": "no-" + item}
"""


@asynccontextmanager
async def running(folder: Path, clock: Any = None) -> AsyncIterator[RuntimeLoop]:
    place = ASSISTANT.replace("kept.db", str(folder / "kept.db"))
    (folder / "soni.yaml").write_text(place)
    (folder / "actions.py").write_text(ACTIONS)
    async with RuntimeLoop(SoniConfig.load(folder), clock=clock or FrozenClock()) as runtime:
        yield runtime


async def buy(
    runtime: RuntimeLoop, user: str, conversation: str | None = None, time: str = "first"
) -> None:
    """As far as the question for the pin."""
    for number, (text, commands) in enumerate(
        [
            ("buy", [StartFlow(flow_name="buy")]),
            (f"{user}ville", [SetSlot(slot_name="city", value=f"{user}ville")]),
            (f"{user}lamp", [SetSlot(slot_name="item", value=f"{user}lamp")]),
        ]
    ):
        message_id = f"{user}-{time}-{number}"
        await runtime.turn(text, user, conversation, message_id, commands=commands)


def found_in(folder: Path, *words: str) -> list[str]:
    """Which of the words is in any byte of the store's files, the log included."""
    kept = [file.read_bytes() for file in folder.glob("kept.db*")]
    return [word for word in words if any(word.encode() in content for content in kept)]


async def test_an_erased_person_is_in_no_byte_of_the_store(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        await buy(runtime, "zelda")
        await buy(runtime, "link")
        await buy(runtime, "zelda", "zelda-at-work")
        assert found_in(tmp_path, "zeldalamp", "zelda-first-0") != []
        removed = await runtime.erase("zelda")
        assert removed == Removal(conversations=2, states=2, entries=6, messages=6)
        assert found_in(tmp_path, "zelda") == []
        assert found_in(tmp_path, "linklamp") == ["linklamp"]
        assert await runtime.erase("zelda") == Removal()
    assert found_in(tmp_path, "zelda") == []


async def test_what_is_left_of_an_erased_person_says_that_and_when(tmp_path: Path) -> None:
    clock = FrozenClock()
    async with running(tmp_path, clock) as runtime:
        await buy(runtime, "zelda")
        await runtime.erase("zelda")
        (name,) = await runtime.store.journal.conversations()
        assert name.startswith("erased-")
        entries = await runtime.store.journal.entries(name)
        verify_chain(entries)
        assert [(each.status, each.data) for each in entries] == [
            ("erased", {"erased_at": clock.now.timestamp(), "entries": 3})
        ]


async def test_a_person_who_comes_back_begins_anew_and_does_nothing_twice(tmp_path: Path) -> None:
    """A service that was asked once must not take the new order for the old one."""
    async with running(tmp_path) as runtime:
        await buy(runtime, "zelda")
        before = (await runtime.get_state("zelda"))["flow_stack"][0]["flow_id"]
        await runtime.erase("zelda")
        assert (await runtime.get_state("zelda"))["turn_count"] == 0
        await buy(runtime, "zelda")
        assert (await runtime.get_state("zelda"))["flow_stack"][0]["flow_id"] != before


async def test_a_turn_under_way_is_not_written_back(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        await buy(runtime, "zelda")
        store, entered = runtime.store, asyncio.Event()

        async def hold() -> None:
            async with store.conversation("zelda"):
                entered.set()
                await asyncio.sleep(0.05)
                assert await store.journal.entries("zelda") != []

        holder = asyncio.create_task(hold())
        await entered.wait()
        removed = await runtime.erase("zelda")
        await holder
        assert removed.conversations == 1
        assert found_in(tmp_path, "zelda") == []


async def test_of_a_shared_conversation_the_others_keep_what_they_said(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        await buy(runtime, "link", "club")
        await runtime.turn("cancel", "zelda", "club", "zelda-x")
        await runtime.turn("hello", "link", "club")
        removed = await runtime.erase("zelda")
        assert (removed.conversations, removed.entries) == (1, 1)
        assert found_in(tmp_path, "zelda") == []
        entries = await runtime.store.journal.entries("club")
        verify_chain(entries)
        assert [each.status for each in entries] == ["ok", "ok", "ok", "erased", "ok"]
        assert [each.data["user_id"] for each in entries if each.status == "ok"] == ["link"] * 4
        await runtime.turn("buy", "link", "club", commands=[StartFlow(flow_name="buy")])
        verify_chain(await runtime.store.journal.entries("club"))
        assert (await runtime.erase("link")).entries == 6
        assert found_in(tmp_path, "link") == []


async def test_a_shared_conversation_under_the_persons_own_id_gets_another(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        await runtime.turn("hello", "link", "zelda")
        await buy(runtime, "zelda")
        await runtime.erase("zelda")
        assert found_in(tmp_path, "zelda") == []
        (name,) = await runtime.store.journal.conversations()
        verify_chain(await runtime.store.journal.entries(name))
        exported = await runtime.export("link")
        assert [each["conversation_id"] for each in exported["conversations"]] == [name]


async def test_a_person_whose_turns_all_failed_is_erased_too(tmp_path: Path) -> None:
    ticking = FrozenClock()
    times = [RuntimeError("the clock is broken"), *[ticking.now] * 9]

    def clock() -> datetime:
        time = times.pop(0)
        if isinstance(time, Exception):
            raise time
        return time

    async with running(tmp_path, clock) as runtime:
        with pytest.raises(TurnError):
            await runtime.turn("buy", "zelda", "elsewhere")
        assert (await runtime.erase("zelda")).entries == 1
        assert found_in(tmp_path, "zelda", "elsewhere") == []


async def test_an_export_tells_what_was_said_done_and_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        await buy(runtime, "zelda")
        await runtime.turn("4711", "zelda", commands=[SetSlot(slot_name="pin", value="4711")])
        await buy(runtime, "zelda", time="second")
        await buy(runtime, "link")
        exported = await runtime.export("zelda")
        assert (await runtime.export("ganon"))["conversations"] == []
    text = json.dumps(exported)
    assert "link" not in text and "4711" not in text
    (conversation,) = exported["conversations"]
    turns = conversation["turns"]
    assert [each["message"] for each in turns[:3]] == ["buy", "zeldaville", "zeldalamp"]
    assert turns[0]["replies"] == ["Which city?"]
    assert turns[2]["actions"][0]["outputs"] == {"number": "no-zeldalamp"}
    assert turns[3]["replies"] == ["Ordered zeldalamp, no-zeldalamp."]
    assert conversation["state"]["conversation_slots"] == {"city": "zeldaville"}
    (flow,) = conversation["state"]["open_flows"]
    assert (flow["flow"], flow["slots"]["item"]) == ("buy", "zeldalamp")


async def test_an_export_masks_a_sensitive_value_of_an_open_task(tmp_path: Path) -> None:
    async with running(tmp_path) as runtime:
        slots = {"city": "x", "pin": "4711"}
        await runtime.turn("buy", "zelda", commands=[StartFlow(flow_name="buy", slots=slots)])
        exported = await runtime.export("zelda")
    (conversation,) = exported["conversations"]
    assert conversation["state"]["open_flows"][0]["slots"]["pin"] == MASK
    assert "4711" not in json.dumps(exported)


async def test_old_conversations_go_and_newer_ones_stay_whole(tmp_path: Path) -> None:
    clock = FrozenClock()
    async with running(tmp_path, clock) as runtime:
        await buy(runtime, "zelda")
        await buy(runtime, "link")
        clock.forward(days=20)
        await runtime.turn("hello", "link")
        assert await runtime.apply_retention() == Removal()
        clock.forward(days=11)
        removed = await runtime.apply_retention()
        assert (removed.conversations, removed.states, removed.entries) == (1, 1, 6)
        assert found_in(tmp_path, "zelda", 'linklamp"]') == []
        entries = await runtime.store.journal.entries("link")
        assert [each.seq for each in entries] == [4]
        verify_chain(entries)
        assert (await runtime.get_state("link"))["turn_count"] == 4


KEEPS_ALL = """
version: "1"
flows: {hi: {trigger: {examples: [hi]}, steps: [{say: Hello.}]}}
"""


async def test_without_a_retention_everything_is_kept() -> None:
    clock = FrozenClock()
    async with RuntimeLoop(assistant(KEEPS_ALL), clock=clock) as runtime:
        await runtime.turn("hi", "ann")
        clock.forward(days=4000)
        assert await runtime.apply_retention() == Removal()
        assert len(await runtime.store.journal.entries("ann")) == 1
