"""CorrectSlot: written like any value, acknowledged, then back exactly as far as needed."""

import pytest

from soni.commands import CorrectSlot, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

BOTH = {"amount": 50, "recipient": "Bob"}


def _correct(slot: str, value: object, flow: str | None = None) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value, flow_name=flow)


async def test_at_a_collect_the_correction_is_acknowledged_and_the_question_follows() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        said = await talk.say("make it 60", _correct("amount", "60"))
        assert said == ["amount is now 60.", "To whom?"]
        assert talk.slots == {"amount": 60}


async def test_a_change_is_understood_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots=BOTH))
        said = await talk.say("change the amount to 60")
        assert said == ["amount is now 60.", "Send 60 to Bob?"]


async def test_at_a_pending_confirm_it_is_shown_again() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        said = await talk.say("no, to Eve", _correct("recipient", "Eve"))
        assert said == ["recipient is now Eve.", "Send 50 to Eve?"]
        assert talk.actions == []


async def test_two_corrections_in_one_message_are_both_made() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        two = [_correct("recipient", "Eve"), _correct("amount", 0)]
        said = await talk.say("0 to Eve", *two)
        assert said == ["recipient is now Eve.", "amount is now 0.", "Send 0 to Eve?"]


async def test_a_slot_that_was_never_filled_is_simply_filled() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("to Eve", _correct("recipient", "Eve")) == ["How much?"]
        assert talk.slots == {"recipient": "Eve"}


async def test_an_invalid_correction_keeps_the_old_value_says_why_and_asks_again() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        said = await talk.say("make it lots", _correct("amount", "lots"))
        assert said == ["Please give a whole number.", "Send 50 to Bob?"]
        assert talk.slots == BOTH
        assert talk.state["command_log"][-1]["result"] == "error"


async def test_invalid_corrections_are_no_attempts_at_the_question() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 1}}"), ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        for _ in range(2):
            said = await talk.say("make it lots", _correct("amount", "lots"))
            assert said == ["Please give a whole number.", "To whom?"]


async def test_without_a_new_value_the_correction_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        said = await talk.say("change it", _correct("amount", None))
        assert said == ["I did not understand that.", "To whom?"]


async def test_the_same_value_changes_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        said = await talk.say("make it 50", _correct("amount", "50"))
        assert said == ["Send 50 to Bob?"]


async def test_a_slot_of_a_paused_task_is_corrected_there() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("the amount should be 60", _correct("amount", 60))
        assert said == ["amount is now 60.", "Which city?"]
        said = await talk.say("Rome", SetSlot(slot_name="city", value="Rome"))
        assert said == ["It is sunny in Rome.", "Back to transfer.", "Send 60 to Bob?"]


async def test_of_two_instances_only_the_one_on_top_is_corrected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        other = {"amount": 7, "recipient": "Eve"}
        await talk.say("7 to Eve", StartFlow(flow_name="transfer", slots=other, another=True))
        said = await talk.say("make it 8", _correct("amount", 8))
        assert said == ["amount is now 8.", "Send 8 to Eve?"]
        lower, upper = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert talk.state["flow_slots"] == {lower: BOTH, upper: {**other, "amount": 8}}


async def test_a_flow_name_says_which_task_is_meant() -> None:
    flows = "  lend: {trigger: {}, steps: [{collect: amount}, {collect: recipient}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        await talk.say("lend 5", StartFlow(flow_name="lend", slots={"amount": 5}))
        said = await talk.say("transfer 60", _correct("amount", 60, "transfer"))
        assert said == ["amount is now 60.", "To whom?"]
        assert talk.slots == {"amount": 5}


async def test_acknowledge_false_says_nothing_of_it() -> None:
    quiet = "conversation_patterns: {correction: {acknowledge: false}}"
    async with talking_to(bank(quiet), ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        assert await talk.say("make it 60", _correct("amount", 60)) == ["Send 60 to Bob?"]


@pytest.mark.parametrize("command", ["correct", "set"])
async def test_disabled_corrections_change_nothing(command: str) -> None:
    off = "conversation_patterns: {correction: {enabled: false}}"
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        change = (
            _correct("amount", 60)
            if command == "correct"
            else SetSlot(slot_name="amount", value=60)
        )
        said = await talk.say("make it 60", change)
        assert said == ["amount cannot be changed any more.", "Send 50 to Bob?"]
        assert talk.slots == BOTH


async def test_a_sensitive_value_is_acknowledged_masked() -> None:
    yaml = """
slots: {pin: {prompt: "PIN?", sensitive: true}, city: {prompt: "City?"}}
flows: {card: {trigger: {}, steps: [{collect: pin}, {collect: city}]}}
"""
    async with talking_to(yaml) as talk:
        await talk.say("card 1234", StartFlow(flow_name="card", slots={"pin": "1234"}))
        said = await talk.say("the pin is 9876", _correct("pin", "9876"))
        assert said == ["pin is now ••••.", "City?"]
        kept = str({**talk.state, "flow_slots": None})
        assert "9876" not in kept and "1234" not in kept
        assert talk.slots == {"pin": "9876"}


async def test_a_conversation_scoped_slot_is_corrected_for_the_flow_that_reads_it() -> None:
    yaml = """
slots:
  name: {prompt: "Name?", scope: conversation}
  city: {prompt: "City?"}
flows:
  meet: {trigger: {}, steps: [{collect: name}]}
  badge:
    trigger: {}
    steps:
      - set: {text: "{{ upper(name) }}"}
      - collect: city
      - confirm: "Print {text} from {city}?"
"""
    async with talking_to(yaml) as talk:
        await talk.say("I am Ann", StartFlow(flow_name="meet", slots={"name": "Ann"}))
        await talk.say("badge", StartFlow(flow_name="badge", slots={"city": "Rome"}))
        said = await talk.say("my name is Eve", _correct("name", "Eve"))
        assert said == ["name is now Eve.", "Print EVE from Rome?"]


async def test_spanish_is_acknowledged_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("send 50 to Bob", StartFlow(flow_name="transfer", slots=BOTH))
        said = await talk.say("cambia amount a 60")
        assert said == ["amount ahora es 60.", "Send 60 to Bob?"]
