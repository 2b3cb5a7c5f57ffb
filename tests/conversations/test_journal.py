"""The journal holds every turn: what was said, understood, done and answered, in a chain."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from soni import TurnError
from soni.commands import ChitChat, SetSlot, StartFlow
from soni.core.storage import JournalEntry, Store
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from tests.conversations.till import Till
from tests.talking import Talk, talking_to


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def entries(talk: Talk) -> list[JournalEntry]:
    found = await talk.runtime.store.journal.entries("ann")
    verify_chain(found)
    return found


async def test_a_turn_is_recorded_with_all_that_it_was(store: Store) -> None:
    async with talking_to(Till().config, store=store) as talk:
        await talk.say("pay", message_id="m1", language="es")
        flow_id = talk.state["flow_stack"][0]["flow_id"]
        (entry,) = await entries(talk)
        assert (entry.conversation_id, entry.seq, entry.turn) == ("ann", 1, 1)
        assert (entry.message_id, entry.status, entry.prev_hash) == ("m1", "ok", "")
        assert entry.at == talk.clock().timestamp()
        timings = entry.data.pop("timings")
        assert set(timings) == {"total", "understanding"}
        assert 0 <= timings["understanding"] <= timings["total"]
        assistant = entry.data["versions"].pop("assistant")
        assert len(assistant) == 16
        idle: dict[str, Any] = {"state": "idle", "stack": [], "step": None, "waiting_for": None}
        assert entry.data == {
            "user_id": "ann",
            "language": "es",
            "message": "pay",
            "source": "local",
            "commands": [
                {
                    "command": "StartFlow",
                    "args": {"flow_name": "pay", "slots": {}, "another": False},
                    "decision": "accepted",
                    "reason": None,
                    "to": [],
                }
            ],
            "actions": [],
            "replies": ["How much?"],
            "ended": [],
            "state": {
                "before": idle,
                "after": {
                    "state": "waiting_for_slot",
                    "stack": [flow_id],
                    "step": "collect_amount",
                    "waiting_for": "amount",
                },
            },
            "slots": {},
            "conversation_slots": {},
            "versions": {"soni": version("soni")},
        }


async def test_decisions_actions_slots_and_endings_are_recorded(store: Store) -> None:
    async with talking_to(Till().config, store=store) as talk:
        await talk.say("pay 5", StartFlow(flow_name="pay"), SetSlot(slot_name="amount", value="5"))
        flow_id = talk.state["flow_stack"][0]["flow_id"]
        await talk.say(
            "Bob", SetSlot(slot_name="payee", value="Bob"), SetSlot(slot_name="x", value=1)
        )
        first, second = await entries(talk)
        assert first.data["source"] == "given"
        assert first.data["slots"] == {flow_id: {"amount": 5}}
        assert [(c["command"], c["decision"]) for c in second.data["commands"]] == [
            ("SetSlot", "accepted"),
            ("SetSlot", "rejected"),
        ]
        assert second.data["commands"][1]["reason"]
        assert second.data["actions"] == [
            {"action": "charge", "inputs": {"amount": 5, "payee": "Bob"}}
        ]
        assert second.data["replies"] == ["Paid 5 to Bob.", "Your receipt is R1."]
        assert second.data["ended"] == [{"flow_name": "pay", "result": "completed"}]
        assert second.data["state"]["before"] == first.data["state"]["after"]


async def test_entries_are_chained_and_numbered_over_failures_and_resets(store: Store) -> None:
    till = Till()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        till.faults["handler"] = TypeError("secret words")
        with pytest.raises(TurnError):
            await talk.say("5", message_id="m2")
        await talk.runtime.reset("ann")
        await talk.say("hm", ChitChat())
        found = await entries(talk)
        assert [(e.seq, e.turn, e.status) for e in found] == [
            (1, 1, "ok"), (2, 2, "failed"), (3, 1, "reset"), (4, 1, "ok"),
        ]  # fmt: skip
        assert [e.prev_hash for e in found[1:]] == [e.hash for e in found[:-1]]
        failed = found[1]
        assert (failed.message_id, failed.at) == ("m2", talk.clock().timestamp())
        assert failed.data["error"] == "TypeError"
        assert failed.data["user_id"] == "ann"
        assert "secret words" not in str(failed.data)


async def test_what_the_application_did_is_recorded_too(store: Store) -> None:
    async with talking_to(Till().config, store=store) as talk:
        await talk.runtime.start_flow("ann", "pay", inputs={"amount": 3})
        (entry,) = await entries(talk)
        assert entry.data["message"] is None
        assert entry.data["commands"][0]["args"]["slots"] == {"amount": 3}
        assert entry.data["replies"] == ["To whom?"]


async def test_an_edited_assistant_has_another_version(store: Store) -> None:
    config = Till().config
    edited = config.model_copy(update={"responses": {"not_understood": "Pardon?"}})
    versions = []
    for assistant in (config, config.model_copy(), edited):
        async with talking_to(assistant, store=open_store("memory")) as talk:
            await talk.say("pay")
            versions.append((await entries(talk))[0].data["versions"]["assistant"])
    assert versions[0] == versions[1] != versions[2]
