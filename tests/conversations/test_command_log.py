"""Decisions and the command log: nothing a user said disappears without a reason."""

import json

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    CorrectSlot,
    Disambiguate,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import Talk, talking_to

CARD = """
slots:
  pin: {prompt: "PIN?", sensitive: true}
  age: {type: integer, prompt: "Age?", sensitive: true}
  city: {prompt: "City?"}
flows: {card: {trigger: {}, steps: [{collect: city}, {collect: pin}, {collect: age}]}}
"""


def _log(talk: Talk) -> list[tuple[str, str, str | None]]:
    turn = talk.state["turn_count"]
    return [
        (entry["command"], entry["result"], entry["reason"])
        for entry in talk.state["command_log"]
        if entry["turn"] == turn
    ]


async def test_an_entry_says_command_args_time_result_reason_turn_and_flow() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        (entry,) = talk.state["command_log"]
        assert entry == {
            "command": "StartFlow",
            "args": {"flow_name": "transfer", "slots": {"amount": 5}, "another": False},
            "timestamp": talk.clock().timestamp(),
            "result": "success",
            "reason": None,
            "turn": 1,
            "flow_id": talk.state["flow_stack"][0]["flow_id"],
        }


async def test_success_rewritten_rejected_and_error_are_told_apart() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("6", SetSlot(slot_name="amount", value=6))
        assert _log(talk) == [("SetSlot", "rewritten", "a correction of a filled slot")]
        await talk.say("lots", CorrectSlot(slot_name="amount", new_value="lots"))
        assert _log(talk) == [("CorrectSlot", "error", "Please give a whole number.")]
        await talk.say("yes", AffirmConfirmation())
        assert _log(talk) == [("AffirmConfirmation", "rejected", "nothing is to be confirmed")]
        await talk.say("stop", CancelFlow())
        assert _log(talk) == [("CancelFlow", "success", None)]


async def test_a_rewritten_command_and_what_it_became_are_both_logged() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("?", Disambiguate(flow_names=("weather", "nothing")))
        assert [entry[:2] for entry in _log(talk)] == [
            ("Disambiguate", "rewritten"),
            ("StartFlow", "success"),
        ]
        (made,) = talk.last.commands
        assert (made["decision"], made["reason"]) == ("rewritten", "only one of them may start now")
        args = {"flow_name": "weather", "slots": {}, "another": False}
        assert made["to"] == [{"command": "StartFlow", "args": args}]


async def test_every_command_gets_a_decision_in_the_order_in_which_it_was_said() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = [
            SetSlot(slot_name="amount", value=5),
            StartFlow(flow_name="nothing"),
            ChitChat(),
            StartFlow(flow_name="transfer"),
        ]
        await talk.say("all of it", *said)
        assert talk.decisions == [
            ("SetSlot", "accepted"),
            ("StartFlow", "rejected"),
            ("ChitChat", "rejected"),
            ("StartFlow", "accepted"),
        ]
        assert [entry[:2] for entry in _log(talk)] == [
            ("StartFlow", "rejected"),
            ("ChitChat", "rejected"),
            ("StartFlow", "success"),
            ("SetSlot", "success"),
        ]


async def test_the_log_keeps_the_newest_and_no_more_than_it_may() -> None:
    yaml = bank("settings: {memory_management: {max_logged_commands: 3}}")
    async with talking_to(yaml, ACTIONS) as talk:
        for number in range(5):
            await talk.say("go", StartFlow(flow_name="transfer", slots={"amount": number}))
        kept = [entry["args"]["slots"]["amount"] for entry in talk.state["command_log"]]
        assert kept == [2, 3, 4]


async def test_sensitive_values_are_masked_everywhere_outside_slots() -> None:
    async with talking_to(CARD) as talk:
        start = StartFlow(flow_name="card", slots={"pin": "1234", "city": "Rome"})
        await talk.say("a card with PIN 1234 in Rome", start)
        await talk.say("pin 9876", CorrectSlot(slot_name="pin", new_value="9876"))
        await talk.say("41", SetSlot(slot_name="age", value=41))
        stored = json.dumps({**talk.state, "flow_slots": None}, default=str)
        for secret in ("1234", "9876", '"41"', ": 41"):
            assert secret not in stored
        messages = [m.content for m in talk.state["messages"] if m.type == "human"]
        assert messages == ["a card with PIN •••• in Rome", "••••", "••••"]


async def test_a_rejected_command_leaks_nothing_either() -> None:
    async with talking_to(CARD) as talk:
        await talk.say("my pin is 1234", SetSlot(slot_name="pin", value="1234"))
        assert talk.decisions == [("SetSlot", "rejected")]
        assert "1234" not in json.dumps(talk.state, default=str)
        assert talk.state["command_log"][0]["args"]["value"] == "••••"


async def test_a_secret_said_in_other_words_hides_the_whole_message() -> None:
    async with talking_to(CARD) as talk:
        slots = {"pin": "1234"}
        said = "my pin is one two three four"
        await talk.say(said, StartFlow(flow_name="card", slots=slots))
        assert talk.state["messages"][0].content == "••••"


async def test_a_command_is_consumed_once_and_not_kept_for_the_next_turn() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        assert (talk.state["commands"], talk.state["nlu_result"]) == ([], None)
        await talk.say("xyzzy", commands=[])
        assert (talk.decisions, _log(talk)) == ([], [])
