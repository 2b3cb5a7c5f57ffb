"""A sensitive value inside of another one is recorded nowhere, though the user may read it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from soni.commands import CorrectSlot, SetSlot, StartFlow
from soni.core.constants import MASK
from soni.persistence import open_store
from tests.talking import Talk, talking_to

SECRET = "hunter22"

ASSISTANT = """
version: "1"
slots:
  pin: {prompt: "Your pin?", sensitive: true}
  token: {sensitive: true}
  door: {prompt: "Which door?"}
  code: {scope: conversation}
  tag: {}
actions:
  make_tag: {inputs: [pin], outputs: [tag, token]}
flows:
  unlock:
    trigger: {examples: ["unlock"]}
    steps:
      - collect: pin
      - set: {code: "{{ 'T-' + pin }}"}
      - action: make_tag
      - say: "Your code is {code}, your tag {tag}."
      - collect: door
      - say: "Open, {tag}."
  remind:
    trigger: {examples: ["remind"]}
    steps: [{say: "It was {code}."}]
"""
FUNCTIONS = """
from soni import ActionContext, action

@action
def make_tag(pin: str, ctx: ActionContext) -> dict:
    ctx.say(f"Making {pin} ...")
    return {"tag": f"<{pin.upper()}>", "token": f"token-of-{pin}"}
"""


async def record_of(talk: Talk) -> str:
    """Everything that is on record beside the slots of open tasks."""
    stored = await talk.runtime.get_state("ann")
    rest = {key: value for key, value in stored.items() if key != "flow_slots"}
    rest["conversation_slots"] = None
    entries = await talk.runtime.store.journal.entries("ann")
    state = json.dumps(rest, default=lambda message: message.model_dump())
    return (state + json.dumps([each.data for each in entries])).lower()


async def test_what_the_user_reads_is_recorded_without_the_secret() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock"))
        assert await talk.say(SECRET, SetSlot(slot_name="pin", value=SECRET)) == [
            f"Making {SECRET} ...",
            f"Your code is T-{SECRET}, your tag <{SECRET.upper()}>.",
            "Which door?",
        ]
        assert SECRET not in await record_of(talk)
        (_, entry) = await talk.runtime.store.journal.entries("ann")
        assert entry.data["replies"][1] == f"Your code is T-{MASK}, your tag <{MASK}>."
        assert entry.data["conversation_slots"] == {"code": f"T-{MASK}"}
        (action,) = entry.data["actions"]
        assert (action["said"], action["outputs"]["tag"]) == ([f"Making {MASK} ..."], f"<{MASK}>")
        assert talk.state["messages"][-2].content == f"Your code is T-{MASK}, your tag <{MASK}>."


async def test_a_secret_that_the_user_says_again_is_masked() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock", slots={"pin": SECRET}))
        await talk.say(f"is {SECRET.title()} right?", commands=[])
        assert talk.state["messages"][-3].content == f"is {MASK} right?"
        assert SECRET not in await record_of(talk)


async def test_what_quotes_a_secret_is_masked_when_the_secret_is_gone() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock", slots={"pin": SECRET}))
        await talk.say("front", SetSlot(slot_name="door", value="front"))
        assert talk.state["flow_slots"] == {}
        for _ in range(2):
            said = await talk.say("remind", StartFlow(flow_name="remind"))
            assert said == [f"It was T-{SECRET}."]
            assert SECRET not in await record_of(talk)
        last = (await talk.runtime.store.journal.entries("ann"))[-1]
        assert last.data["replies"] == [f"It was {MASK}."]


async def test_a_short_secret_hides_no_other_words() -> None:
    async with talking_to(ASSISTANT, FUNCTIONS) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock", slots={"pin": "1"}))
        await talk.say("door 15, the 1st", SetSlot(slot_name="door", value="15"))
        assert talk.state["messages"][-2].content == "door 15, the 1st"
        entry = (await talk.runtime.store.journal.entries("ann"))[0]
        assert entry.data["replies"][1] == f"Your code is T-{MASK}, your tag <{MASK}>."


def found_in(folder: Path, word: str = SECRET) -> bool:
    kept = [file.read_bytes().lower() for file in folder.iterdir()]
    return any(word.encode() in content for content in kept)


async def wait_until_gone(folder: Path, word: str = SECRET) -> None:
    """The log is emptied just after the turn, so that no answer waits for it."""
    for _ in range(200):
        if not found_in(folder, word):
            return
        await asyncio.sleep(0.01)
    assert not found_in(folder, word)


PLAIN = ASSISTANT.replace("      - set: {code: \"{{ 'T-' + pin }}\"}\n", "").replace("{code}", "-")


async def finish(talk: Talk) -> None:
    await talk.say("front", SetSlot(slot_name="door", value="front"))


async def correct(talk: Talk) -> None:
    await talk.say("no, 1234567", CorrectSlot(slot_name="pin", new_value="1234567"))


async def reset(talk: Talk) -> None:
    await talk.runtime.reset("ann")


async def erase(talk: Talk) -> None:
    await talk.runtime.erase("ann")


@pytest.mark.parametrize("way", [finish, correct, reset, erase])
async def test_a_secret_that_is_over_is_in_no_byte_while_the_store_is_open(
    way: Any, tmp_path: Path
) -> None:
    plain = PLAIN.replace("outputs: [tag, token]", "outputs: [tag, token], repeatable: true")
    store = open_store("sqlite", str(tmp_path / "talk.db"))
    async with talking_to(plain, FUNCTIONS, store=store) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock", slots={"pin": SECRET}))
        assert found_in(tmp_path)
        await way(talk)
        await wait_until_gone(tmp_path)


JOINING = PLAIN.replace(
    'version: "1"', 'version: "1"\nsettings: {conversation: {while_busy: join}}'
)


async def test_a_secret_message_that_waited_is_in_no_byte_afterwards(tmp_path: Path) -> None:
    store = open_store("sqlite", str(tmp_path / "talk.db"))
    async with talking_to(JOINING, FUNCTIONS, store=store) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock"))
        await store.inbox.receive("ann", "m1", text=f"it is {SECRET}")
        assert found_in(tmp_path)
        await talk.runtime.turn("never mind, cancel", "ann", message_id="m2")
        await wait_until_gone(tmp_path)


async def test_a_secret_result_of_an_action_is_in_no_byte_afterwards(tmp_path: Path) -> None:
    store = open_store("sqlite", str(tmp_path / "talk.db"))
    async with talking_to(PLAIN, FUNCTIONS, store=store) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock", slots={"pin": SECRET}))
        await finish(talk)
        await wait_until_gone(tmp_path, "token-of")
