"""The journal holds every turn: what was said, understood, done and answered, in a chain."""

from datetime import date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from soni import TurnError
from soni.commands import ChitChat, SetSlot, StartFlow
from soni.config.settings import Persistence
from soni.config.version import compute_fingerprint
from soni.core.constants import MASK
from soni.core.storage import JournalEntry, Store
from soni.du import NLUOutput
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from tests.conversations.till import Till
from tests.talking import FrozenClock, Talk, talking_to


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


async def entries(talk: Talk) -> list[JournalEntry]:
    found = await talk.runtime.store.journal.entries("ann")
    verify_chain(found)
    return found


def without_times(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls of actions without how long they took. Each says it."""
    return [
        {key: call[key] for key in call if key != "seconds"}
        for call in calls
        if call["seconds"] >= 0
    ]


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
        idle: dict[str, Any] = {
            "state": "idle",
            "stack": [],
            "step": None,
            "steps": [],
            "waiting_for": None,
        }
        assert entry.data == {
            "user_id": "ann",
            "language": "es",
            "clock": "2026-03-02T10:00:00+00:00",
            "context": {},
            "facts": {},
            "message": "pay",
            "source": "local",
            "confidence": 1.0,
            "commands": [
                {
                    "command": "StartFlow",
                    "args": {"flow_name": "pay", "slots": {}, "another": False},
                    "decision": "accepted",
                    "reason": None,
                    "to": [],
                }
            ],
            "results": [],
            "writes": [],
            "actions": [],
            "steps": [{"flow": "pay", "step": "collect_amount", "to": None}],
            "transitions": ["idle", "understanding", "waiting_for_slot"],
            "replies": ["How much?"],
            "ended": [],
            "events": [
                {"event": "flow_started", "flow_id": flow_id, "flow_name": "pay", "called_by": None}
            ],
            "state": {
                "before": idle,
                "after": {
                    "state": "waiting_for_slot",
                    "stack": [flow_id],
                    "step": "collect_amount",
                    "steps": ["collect_amount"],
                    "waiting_for": "amount",
                },
            },
            "slots": {},
            "conversation_slots": {},
            "versions": {"soni": version("soni")},
        }


class Unsure:
    """A provider that doubts what it heard."""

    def __init__(self, **said: Any) -> None:
        self.said = said

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        return NLUOutput.model_construct(source="unsure", commands=[PAY], **self.said)


PAY = StartFlow(flow_name="pay")


async def test_how_sure_understanding_was_and_why_is_recorded_beside_who_understood(
    store: Store,
) -> None:
    nlu = Unsure(confidence=0.4, reasoning="'pay' may be 'play'")
    async with talking_to(Till().config, store=store, nlu=nlu) as talk:
        await talk.say("pay")
        (entry,) = await entries(talk)
        for kept in (entry.data, talk.state["turn"]):
            assert (kept["source"], kept["confidence"]) == ("unsure", 0.4)
            assert kept["reasoning"] == "'pay' may be 'play'"
        await talk.say("", PAY)
        assert {"confidence", "reasoning"}.isdisjoint((await entries(talk))[1].data)


@pytest.mark.parametrize("sure", [float("nan"), float("inf"), None])
async def test_a_confidence_that_is_no_number_is_not_recorded(sure: Any, store: Store) -> None:
    nlu = Unsure(confidence=sure, reasoning="x" * 5_000)
    async with talking_to(Till().config, store=store, nlu=nlu) as talk:
        assert await talk.say("pay") == ["How much?"]
        (entry,) = await entries(talk)
        assert "confidence" not in entry.data
        assert entry.data["reasoning"] == "x" * 1_000


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
        assert without_times(second.data["actions"]) == [
            {
                "action": "charge",
                "key": f"{flow_id}/action_charge/1",
                "inputs": {"amount": 5, "payee": "Bob"},
                "outputs": {"receipt": "R1"},
            }
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


ERRAND = """
version: "1"
slots:
  pin: {prompt: "Pin?", sensitive: true}
flows:
  errand:
    trigger: {examples: ["errand"]}
    steps:
      - collect: pin
      - {action: look, on_error: next}
      - {step: next, type: action, call: fetch, map_outputs: {token: pin}, on_error: sorry}
      - {say: "Done at {at}.", jump_to: end}
      - {step: sorry, type: say, message: "{_error_type}"}
"""
ERRANDS = """
from soni import ActionContext, ActionError, action

@action
def look(pin: str) -> dict:
    raise ActionError("away", f"nobody takes {pin}")

@action
def fetch(ctx: ActionContext) -> dict:
    ctx.say("One moment.")
    return {"token": "t-hush", "at": 3, "copy": {"of": ["T-HUSH"], "pin": "1"}}
"""


async def test_an_action_is_recorded_with_what_came_of_it_but_no_secret(store: Store) -> None:
    async with talking_to(ERRAND, ERRANDS, store=store) as talk:
        await talk.say("errand")
        assert await talk.say("zz-top") == ["One moment.", "Done at 3."]
        data = (await entries(talk))[-1].data
        flow = data["events"][-1]["flow_id"]
        assert without_times(data["actions"]) == [
            {
                "action": "look",
                "key": f"{flow}/action_look/1",
                "inputs": {"pin": MASK},
                "error": {"type": "away", "message": f"nobody takes {MASK}"},
            },
            {
                "action": "fetch",
                "key": f"{flow}/next/1",
                "inputs": {},
                "outputs": {"token": MASK, "at": 3, "copy": {"of": [MASK], "pin": MASK}},
                "said": ["One moment."],
            },
        ]
        assert data["writes"] == [{"slot": "pin"}, {"slot": "pin"}]
        assert "hush" not in str(data).lower()
        assert "zz-top" not in str(data)


async def test_what_the_caller_said_is_recorded_masked_and_bounded(store: Store) -> None:
    async with talking_to(ERRAND, ERRANDS, store=store) as talk:
        known = {"name": "Ann", "pin": "ab12", "deep": [{"pin": "cd34"}], "on": date(2026, 3, 2)}
        await talk.say("hm", context=known)
        await talk.say("hm", context={"long": "x" * 20_000})
        first, second = await entries(talk)
        assert first.data["context"] == {
            "name": "Ann", "pin": MASK, "deep": [{"pin": MASK}], "on": "2026-03-02",
        }  # fmt: skip
        assert second.data["context"] == {"cut": True}


async def test_a_call_of_the_application_is_recorded_by_its_name(store: Store) -> None:
    async with talking_to(Till().config, store=store) as talk:
        await talk.runtime.start_flow("ann", "pay")
        (entry,) = await entries(talk)
        assert entry.data["facts"] == {"api": "start_flow"}


async def test_a_turn_has_one_moment_however_long_it_takes(store: Store) -> None:
    class Running(FrozenClock):
        def __call__(self) -> datetime:
            self.forward(seconds=1)
            return super().__call__()

    clock = Running()
    async with talking_to(Till().config, store=store, clock=clock) as talk:
        await talk.say("pay")
        (entry,) = await entries(talk)
        assert entry.data["clock"] == "2026-03-02T10:00:01+00:00"
        assert entry.at == datetime.fromisoformat(entry.data["clock"]).timestamp()
        assert talk.state["flow_stack"][0]["started_at"] == entry.at
        assert talk.state["metadata"]["last_activity"] == entry.at


async def test_where_conversations_are_kept_makes_no_other_version(store: Store) -> None:
    config = Till().config
    settings = config.settings.model_copy(update={"persistence": Persistence(backend="sqlite")})
    moved = config.model_copy(update={"settings": settings})
    assert compute_fingerprint(moved) == compute_fingerprint(config)


async def test_a_secret_that_reads_like_a_name_of_ours_hides_no_name(store: Store) -> None:
    async with talking_to(ERRAND, ERRANDS, store=store) as talk:
        for said in ("errand", "a"):
            await talk.say(said)
        data = (await entries(talk))[-1].data
        assert [(event["event"], event["flow_name"]) for event in data["events"][-1:]] == [
            ("flow_completed", "errand")
        ]
        assert data["events"][-1]["flow_id"] in data["state"]["before"]["stack"]
        hidden = f"nobody t{MASK}kes {MASK}"
        assert data["actions"][0]["error"] == {"type": "away", "message": hidden}
        assert [write["slot"] for write in data["writes"]] == ["pin", "pin"]
