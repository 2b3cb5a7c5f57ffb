"""What an application can do beside sending messages: look, start, release, reset."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError, action
from soni.commands import HumanHandoff, SetSlot, StartFlow
from soni.core.errors import NotAllowedError
from soni.core.state import create_initial_state
from soni.persistence import open_store
from tests.conversations.till import Till
from tests.talking import assistant, talking_to

SHOP = """
version: "1"
slots:
  amount: {type: integer, prompt: "How much?"}
  session_key: {}
flows:
  pay:
    trigger: {examples: ["pay"]}
    steps:
      - collect: amount
      - say: "{amount} for {session.name}."
  vip:
    trigger: {examples: ["vip"], condition: "session.level == 'gold'"}
    steps: [{say: "Welcome to the lounge."}]
  audit:
    steps: [{say: "Audited."}]
"""


async def test_a_turn_that_asks_no_model_and_no_function_needs_no_thread_beside_its_own() -> None:
    before = set(threading.enumerate())
    async with talking_to(SHOP) as ann:
        assert await ann.say("pay", StartFlow(flow_name="pay")) == ["How much?"]
        assert await ann.say("5", SetSlot(slot_name="amount", value=5)) == ["5 for ."]
        assert set(threading.enumerate()) == before


async def test_a_reply_is_its_messages_joined_by_newlines() -> None:
    async with RuntimeLoop(Till().config) as runtime:
        said = [await runtime.process_message(text, user_id="ann") for text in ("pay", "x", "5")]
        assert said == ["How much?", "Please give a whole number.\nHow much?", "To whom?"]


async def test_a_turn_holds_messages_commands_with_decisions_state_and_timings() -> None:
    async with RuntimeLoop(Till().config) as runtime:
        turn = await runtime.turn("pay", user_id="ann", message_id="m1")
        assert turn.messages == ["How much?"]
        assert [(c["command"], c["decision"]) for c in turn.commands] == [("StartFlow", "accepted")]
        assert turn.state["waiting_for_slot"] == "amount"
        assert set(turn.timings) == {"total", "understanding"}
        assert (turn.conversation_id, turn.number, turn.message_id) == ("ann", 1, "m1")


async def test_the_conversation_is_the_users_unless_it_is_named() -> None:
    async with RuntimeLoop(Till().config) as runtime:
        await runtime.turn("pay", user_id="ann")
        await runtime.turn("when are you open", user_id="ann", conversation_id="web-7")
        assert (await runtime.get_state("ann"))["waiting_for_slot"] == "amount"
        assert (await runtime.get_state("web-7"))["waiting_for_slot"] is None
        assert await runtime.store.journal.conversations() == ["ann", "web-7"]


async def test_two_users_may_share_one_conversation_and_actions_know_who_speaks() -> None:
    seen: list[Any] = []

    @action
    def note(ctx: Any) -> dict[str, Any]:
        seen.append((ctx.user_id, ctx.conversation_id))
        return {}

    flows = {"log": {"trigger": {"examples": ["log"]}, "steps": [{"action": "note"}]}}
    config = SoniConfig.model_validate({"flows": flows}).with_functions([note])
    async with RuntimeLoop(config) as runtime:
        for user in ("ann", "bob"):
            await runtime.turn("log", user_id=user, conversation_id="room")
    assert seen == [("ann", "room"), ("bob", "room")]


async def test_what_the_caller_knows_is_readable_as_session_in_that_turn_only() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("vip") == ["I did not understand that."]
        assert await talk.say("vip", context={"level": "gold"}) == ["Welcome to the lounge."]
        assert (await talk.say("vip"))[0] == "I did not understand that."
        await talk.say("pay")
        assert await talk.say("5", context={"name": "Ann"}) == ["5 for Ann."]
        assert "gold" not in str(talk.state)


async def test_understanding_cannot_write_the_session() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say(
            "pay", StartFlow(flow_name="pay", slots={"session": {"level": "gold"}}),
            SetSlot(slot_name="session", value={"level": "gold"}),
            SetSlot(slot_name="session.level", value="gold"),
        )  # fmt: skip
        assert [d for _, d in talk.decisions] == ["accepted", "rejected", "rejected"]
        assert talk.slots == {}
        assert await talk.say("5") == ["5 for ."]


async def test_the_language_is_the_assistants_until_the_caller_names_one() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("bla bla") == ["I did not understand that."]
        assert (await talk.say("bla bla", language="es"))[0] == "No lo he entendido."
        assert (await talk.say("bla bla"))[0] == "No lo he entendido."


async def test_the_application_may_start_any_flow_with_inputs() -> None:
    async with talking_to(SHOP) as talk:
        turn = await talk.runtime.start_flow("ann", "audit")
        assert turn.messages == ["Audited."]
        turn = await talk.runtime.start_flow("ann", "vip")  # conditions are for users
        assert turn.messages == ["Welcome to the lounge."]
        turn = await talk.runtime.start_flow("ann", "pay", inputs={"amount": "7"})
        assert turn.messages == ["7 for ."]
        turn = await talk.runtime.start_flow("ann", "pay", inputs={"amount": "x"})
        assert turn.messages[-1] == "How much?"
        turn = await talk.runtime.start_flow("bob", "pay", conversation_id="web")
        assert (await talk.runtime.get_state("web"))["waiting_for_slot"] == "amount"


async def test_a_flow_that_does_not_exist_cannot_be_started() -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(NotAllowedError, match="no such flow; available: pay, vip, audit"):
            await talk.runtime.start_flow("ann", "play")
        assert await talk.runtime.get_state("ann") == create_initial_state()


async def test_release_gives_the_conversation_back_with_its_question() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay")
        assert await talk.say("agent", HumanHandoff()) == ["I am connecting you with a person."]
        assert await talk.say("5") == []
        with pytest.raises(NotAllowedError, match="release it first"):
            await talk.runtime.start_flow("ann", "audit")
        assert (await talk.runtime.release("ann")).messages == ["How much?"]
        assert await talk.say("5") == ["5 for ."]
        with pytest.raises(NotAllowedError, match="'ann': it is not handed off"):
            await talk.runtime.release("ann")
        statuses = [e.status for e in await talk.runtime.store.journal.entries("ann")]
        assert statuses == ["ok"] * 5


async def test_of_two_releases_at_once_one_is_told_that_it_came_too_late() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay")
        await talk.say("agent", HumanHandoff())
        first, second = await asyncio.gather(
            talk.runtime.release("ann"), talk.runtime.release("ann"), return_exceptions=True
        )
        assert not isinstance(first, BaseException)
        assert first.messages == ["How much?"]
        assert isinstance(second, NotAllowedError)


async def test_reset_forgets_the_conversation_but_not_its_journal() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay")
        await talk.runtime.reset("ann")
        assert await talk.runtime.get_state("ann") == create_initial_state()
        assert await talk.say("5") == ["I did not understand that."]
        assert talk.state["turn_count"] == 1
        statuses = [e.status for e in await talk.runtime.store.journal.entries("ann")]
        assert statuses == ["ok", "reset", "ok"]
        await talk.runtime.reset("nobody")


async def test_a_conversation_that_cannot_be_read_can_be_reset(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with talking_to(SHOP, store=open_store("sqlite", str(path))) as talk:
        await talk.say("pay")
        with sqlite3.connect(path) as file:
            file.execute("UPDATE checkpoints SET checkpoint = x'c1'")
        with pytest.raises(TurnError, match="Reset the conversation"):
            await talk.say("5")
        await talk.runtime.reset("ann")
        assert await talk.say("pay") == ["How much?"]


async def test_two_assistants_in_one_process_do_not_see_each_others_functions() -> None:
    yaml = """
    version: "1"
    flows: {go: {steps: [{action: work}, {say: "{done}"}]}}
    """
    functions = "from soni import action\n@action\ndef work() -> dict: return {{'done': '{}'}}"
    first, second = (assistant(yaml, functions.format(name)) for name in ("one", "two"))
    async with talking_to(first) as one, talking_to(second) as two:
        assert (await one.say("go"), await two.say("go")) == (["one"], ["two"])
    with pytest.raises(Exception, match="work"):
        assistant(yaml)


async def test_a_runtime_keeps_its_conversations_where_the_settings_say(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(SHOP + "settings: {persistence: {backend: sqlite}}\n")
    for said, answer in (("pay", "How much?"), ("5", "5 for .")):
        async with RuntimeLoop(SoniConfig.load(tmp_path)) as runtime:
            assert await runtime.process_message(said, user_id="ann") == answer
    assert (tmp_path / ".soni" / "conversations.db").is_file()
