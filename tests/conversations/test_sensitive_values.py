"""A sensitive value is stored in its slot and nowhere else."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog

from soni import TurnError
from soni.commands import AffirmConfirmation, CorrectSlot, SetSlot, StartFlow
from soni.core.constants import MASK
from soni.du import NLUOutput
from soni.persistence import open_store
from tests.talking import Talk, assistant, talking_to

SECRET = "hunter22"

ASSISTANT = """
version: "1"
settings: {flow_management: {max_stack_depth: 1, on_limit_reached: ask_user}}
slots:
  pin: {prompt: "Your pin?", sensitive: true, validator: long}
  door: {prompt: "Which door?"}
  note: {}
flows:
  unlock:
    trigger: {examples: ["unlock"]}
    steps:
      - collect: pin
      - set: {copy: "{{ pin }}", note: "{{ 'pin ' + pin }}"}
      - collect: door
      - {step: sure, type: confirm, message: "Open {door} with {pin}?"}
      - {action: turn_key, inputs: {key: "{{ pin }}", label: "{{ 'key ' + pin }}"}, on_error: sorry}
      - {say: "Open.", jump_to: end}
      - {step: sorry, type: say, message: "Failed: {_error_message}"}
  hours:
    trigger: {examples: ["hours"]}
    steps: [{collect: day, message: "Which day?"}]
"""

FUNCTIONS = """
from soni import action, validator

@validator
def long(value):
    if value == "boom":
        raise TypeError(value)
    if len(value) < 5:
        raise ValueError(f"{value} is too short")
    return True

@action
def turn_key(key: str, label: str, door: str) -> dict:
    if door == "cellar":
        raise LookupError(f"{key} does not fit")
    return {}
"""


def stored(path: Path) -> dict[str, str]:
    """All rows of all tables but the checkpoints, table by table."""
    with closing(sqlite3.connect(path)) as file:
        tables = [
            name
            for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in ("checkpoints", "writes")
        ]
        return {name: str(file.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}


def beside_the_slots(state: Any) -> str:
    rest = {key: value for key, value in state.items() if key != "flow_slots"}
    return json.dumps(rest, default=lambda message: message.model_dump())


async def check(talk: Talk, path: Path) -> None:
    state = await talk.runtime.get_state("ann")
    assert SECRET not in beside_the_slots(state).lower()
    for table, rows in stored(path).items():
        assert SECRET not in rows.lower(), table


@pytest.mark.parametrize("door", ["front", "cellar"])
async def test_a_secret_is_in_its_slot_and_after_its_task_not_in_the_file_at_all(
    door: str, tmp_path: Path
) -> None:
    path = tmp_path / "talk.db"
    with structlog.testing.capture_logs() as logs:
        async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
            await talk.say("unlock")
            assert await talk.say(SECRET) == ["Which door?"]
            assert talk.slots["pin"] == SECRET
            await check(talk, path)
            assert await talk.say(door) == [f"Open {door} with {MASK}?"]
            await check(talk, path)
            said = await talk.say("yes")
            assert said == (["Open."] if door == "front" else [f"Failed: {MASK} does not fit"])
            assert talk.actions == [
                ("turn_key", {"key": MASK, "label": f"key {MASK}", "door": door})
            ]
            await check(talk, path)
    assert SECRET.encode() not in path.read_bytes()
    assert not (tmp_path / "talk.db-wal").exists()
    assert SECRET not in str(logs)


async def test_the_message_that_holds_a_secret_is_stored_without_it(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        await talk.say(
            f"unlock with {SECRET.upper()}", StartFlow(flow_name="unlock", slots={"pin": SECRET})
        )
        assert talk.slots["pin"] == SECRET
        assert talk.state["messages"][0].content == f"unlock with {MASK}"
        assert talk.last is not None
        assert talk.last.commands[0]["args"]["slots"] == {"pin": MASK}
        await check(talk, path)
        await talk.say("make it Hunter223", CorrectSlot(slot_name="pin", new_value="Hunter223"))
        assert talk.state["messages"][-3].content == f"make it {MASK}"
        await check(talk, path)


async def test_a_secret_that_was_read_out_of_other_words_hides_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        spelled = "unlock with hunter, twice two"
        await talk.say(spelled, StartFlow(flow_name="unlock", slots={"pin": SECRET}))
        assert talk.state["messages"][0].content == MASK
        assert "twice two" not in str(stored(path))


class Explaining:
    """A provider that quotes the user in its reasons."""

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        asked = context.waiting_for_slot is not None
        said = {} if asked or SECRET not in user_message else {"pin": SECRET}
        command = (
            SetSlot(slot_name="pin", value=user_message)
            if asked
            else StartFlow(flow_name="unlock", slots=said)
        )
        return NLUOutput(commands=[command], reasoning=f"they said {user_message.upper()}")


@pytest.mark.parametrize(
    ("messages", "reason"),
    [(["unlock", SECRET], MASK), ([f"unlock with {SECRET}"], f"they said UNLOCK WITH {MASK}")],
)
async def test_the_reason_for_a_reading_quotes_no_secret(
    messages: list[str], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "talk.db"
    store = open_store("sqlite", str(path))
    async with talking_to(ASSISTANT, FUNCTIONS, store=store, nlu=Explaining()) as talk:
        for message in messages:
            await talk.say(message)
        assert talk.slots["pin"] == SECRET
        assert talk.state["turn"]["reasoning"] == reason
        await check(talk, path)


async def test_a_secret_whose_command_was_rejected_is_masked_as_well(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        await talk.say(f"my pin is {SECRET}", SetSlot(slot_name="pin", value=SECRET))
        assert talk.decisions == [("SetSlot", "rejected")]
        assert talk.state["messages"][0].content == f"my pin is {MASK}"
        await check(talk, path)


async def test_the_answer_to_a_sensitive_question_is_masked_whatever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        await talk.say("unlock")
        await talk.say(SECRET, commands=[])  # nothing was understood
        assert talk.state["messages"][-3].content == MASK
        await check(talk, path)


TOGETHER = ASSISTANT.replace(
    "- collect: pin\n", '- {collect: [door, pin], message: "Which door, and your pin?"}\n'
)


async def test_the_answer_to_a_question_that_also_asks_for_a_secret_is_masked(
    tmp_path: Path,
) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(TOGETHER, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        assert await talk.say("unlock") == ["Which door, and your pin?"]
        said = f"front {SECRET}"
        assert await talk.say(said, SetSlot(slot_name="door", value="front")) == ["Your pin?"]
        assert talk.state["messages"][-2].content == MASK
        await check(talk, path)


async def test_once_the_secret_is_known_the_rest_of_the_answer_is_kept_as_it_is() -> None:
    async with talking_to(TOGETHER, FUNCTIONS) as talk:
        await talk.say("unlock")
        await talk.say(SECRET, SetSlot(slot_name="pin", value=SECRET))
        await talk.say("front", SetSlot(slot_name="door", value="front"))
        assert talk.state["messages"][-2].content == "front"


async def test_a_refused_secret_is_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        await talk.say("unlock")
        assert await talk.say("abcd") == [f"{MASK} is too short", "Your pin?"]
        assert "abcd" not in beside_the_slots(talk.state)
        assert "abcd" not in str(stored(path))


async def test_a_failed_turn_records_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    with structlog.testing.capture_logs() as logs:
        async with talking_to(ASSISTANT, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
            await talk.say("unlock")
            with pytest.raises(TurnError):
                await talk.say("boom")
            assert "boom" not in str(stored(path))
    assert logs
    assert "boom" not in str(logs)


async def test_no_secret_is_shown_to_understanding_or_kept_for_a_later_yes() -> None:
    seen: list[str] = []

    class Watching:
        async def understand(self, user_message: str, history: Any, context: Any) -> Any:
            seen.append(f"{context!r} {history!r}")
            raise RuntimeError

    async with talking_to(ASSISTANT, FUNCTIONS, nlu=Watching()) as talk:
        await talk.say("hours", StartFlow(flow_name="hours"))
        asked = await talk.say(
            f"unlock {SECRET}", StartFlow(flow_name="unlock", slots={"pin": SECRET})
        )
        assert asked == ["I can keep only 1 open at once. Shall I cancel hours and start unlock?"]
        assert SECRET not in beside_the_slots(talk.state)
        await talk.say("hm")
        assert await talk.say("yes", AffirmConfirmation()) == ["Your pin?"]
        await talk.say(SECRET, SetSlot(slot_name="pin", value=SECRET))
        assert talk.slots["pin"] == SECRET
        await talk.say("hm")
    assert len(seen) == 2
    assert SECRET not in str(seen)


async def test_what_quotes_a_secret_is_not_told_of_a_task_that_waits_or_has_ended() -> None:
    seen: list[Any] = []

    class Watching:
        async def understand(self, user_message: str, history: Any, context: Any) -> Any:
            seen.append(context.others)
            return NLUOutput()

    two = ASSISTANT.replace("max_stack_depth: 1", "max_stack_depth: 2")
    async with talking_to(two, FUNCTIONS, nlu=Watching()) as talk:
        unlock = StartFlow(flow_name="unlock", slots={"pin": SECRET})
        assert await talk.say("unlock", unlock) == ["Which door?"]
        await talk.say("hours", StartFlow(flow_name="hours"))
        await talk.say("hm")
        await talk.say("monday", SetSlot(slot_name="day", value="monday"))
        await talk.say("front", SetSlot(slot_name="door", value="front"))
        assert await talk.say("yes", AffirmConfirmation()) == ["Open."]
        await talk.say("hm")
    (waiting,), (ended, *_) = seen
    assert waiting.slots == {"copy": MASK, "note": f"pin {MASK}"}
    assert ended.slots == {"door": "front", "note": f"pin {MASK}"}


async def test_what_understanding_says_of_a_secret_is_not_kept(tmp_path: Path) -> None:
    class Talkative:
        async def understand(self, user_message: str, history: Any, context: Any) -> Any:
            said = [SetSlot(slot_name="pin", value=SECRET)] if SECRET in user_message else []
            return NLUOutput(commands=said, reasoning=f"heard {user_message}")

    path = tmp_path / "talk.db"
    store = open_store("sqlite", str(path))
    async with talking_to(ASSISTANT, FUNCTIONS, store=store, nlu=Talkative()) as talk:
        await talk.say("hm")
        assert talk.state["turn"]["reasoning"] == "heard hm"
        await talk.say(f"my pin is {SECRET}")
        await check(talk, path)
        await talk.say("unlock", StartFlow(flow_name="unlock"))
        await talk.say(SECRET.upper())
        await check(talk, path)


async def test_a_sensitive_value_of_the_conversation_is_masked_in_the_journal(
    tmp_path: Path,
) -> None:
    shared = ASSISTANT.replace("sensitive: true", "sensitive: true, scope: conversation")
    path = tmp_path / "talk.db"
    async with talking_to(shared, FUNCTIONS, store=open_store("sqlite", str(path))) as talk:
        await talk.say("unlock")
        await talk.say(SECRET)
        assert talk.state["conversation_slots"] == {"pin": SECRET}
        (_, entry) = await talk.runtime.store.journal.entries("ann")
        assert entry.data["conversation_slots"] == {"pin": MASK}
        assert SECRET not in str(stored(path))


CALLED = """
slots: {card: {prompt: "Which card?", sensitive: true}, note: {}}
actions: {post: {outputs: [done]}}
flows:
  pay:
    trigger: {examples: [pay]}
    steps: [{collect: card}, {call: letter, inputs: {note: "{{ 'paid with ' + card }}"}}]
  letter:
    inputs: [note]
    steps:
      - {action: post, on_error: sorry}
      - {say: Sent., jump_to: end}
      - {step: sorry, say: "Failed: {_error_message}"}
"""
UNPOSTED = """
from soni import action

@action
async def post(note: str) -> dict:
    raise LookupError(f"nobody reads '{note}'")
"""


async def test_a_failure_that_quotes_a_secret_of_the_flow_that_called_is_told_without_it() -> None:
    async with talking_to(assistant(CALLED, UNPOSTED)) as talk:
        (reply,) = await talk.say("pay", StartFlow(flow_name="pay", slots={"card": SECRET}))
        assert reply.startswith("Failed: ")
        assert f"'paid with {MASK}'" in reply
