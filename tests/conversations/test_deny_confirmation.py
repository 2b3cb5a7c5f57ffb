"""DenyConfirmation: never falls through to what was asked about."""

import pytest

from soni.commands import (
    AffirmConfirmation,
    ChitChat,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import Talk, talking_to

YES, NO = AffirmConfirmation(), DenyConfirmation()
BOTH = {"amount": 50, "recipient": "Bob"}
WHAT = "What would you like to change?"
ON_NO = BANK.replace(
    'message: "Send {amount} to {recipient}?"}',
    'message: "Send {amount} to {recipient}?", on_no: kept}',
).replace(
    '- say: "Sent {amount} to {recipient}."',
    '- {say: "Sent {amount} to {recipient}.", jump_to: end}\n'
    '      - {step: kept, type: say, message: "Then not."}',
)


async def _at_the_confirm(talk: Talk) -> None:
    start = StartFlow(flow_name="transfer", slots=BOTH)
    assert await talk.say("send 50 to Bob", start) == ["Send 50 to Bob?"]


async def test_a_bare_no_asks_what_to_change_and_does_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("no") == [WHAT]
        assert (talk.actions, talk.stack) == ([], ["transfer"])
        assert talk.state["conversation_state"] == "confirming"


async def test_a_second_no_cancels() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("no", NO)
        assert await talk.say("no", NO) == ["I have cancelled transfer."]
        assert (talk.actions, talk.ended) == ([], [("transfer", "cancelled")])


async def test_a_second_no_resumes_the_task_below() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("weather?", StartFlow(flow_name="weather"))
        await _at_the_confirm(talk)
        await talk.say("no", NO)
        said = await talk.say("no", NO)
        assert said == ["I have cancelled transfer.", "Back to weather.", "Which city?"]


async def test_a_yes_to_what_to_change_is_asked_again() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("no", NO)
        assert await talk.say("yes", YES) == [WHAT]
        assert talk.actions == []
        # It was no answer, so the next no is still the second one.
        assert await talk.say("no", NO) == ["I have cancelled transfer."]


async def test_a_digression_leaves_the_question_what_to_change_open() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("no", NO)
        assert await talk.say("hello", ChitChat()) == ["I'm here to help.", WHAT]
        assert await talk.say("no", NO) == ["I have cancelled transfer."]


async def test_what_to_change_is_answered_by_a_new_value() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("no", NO)
        change = CorrectSlot(slot_name="amount", new_value=60)
        assert await talk.say("60", change) == ["amount is now 60.", "Send 60 to Bob?"]
        # The confirmation is a new one: a no asks again instead of cancelling.
        assert await talk.say("no", NO) == [WHAT]


async def test_what_to_change_is_answered_by_the_name_of_a_slot() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("no")
        assert await talk.say("the amount") == ["How much?"]
        assert await talk.say("60") == ["Send 60 to Bob?"]


async def test_what_to_change_is_answered_by_a_slot_that_was_still_empty() -> None:
    yaml = bank(
        flows="""
  note_it:
    trigger: {}
    inputs: ["note?"]
    steps: [{collect: amount}, {confirm: "{amount} with <{note}>?"}]
"""
    )
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("note", StartFlow(flow_name="note_it", slots={"amount": 5}))
        await talk.say("no", NO)
        said = await talk.say("add a note", SetSlot(slot_name="note", value="hi"))
        assert said == ["5 with <hi>?"]


async def test_on_no_says_where_a_no_leads() -> None:
    async with talking_to(ON_NO, ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("no", NO) == ["Then not."]
        assert (talk.actions, talk.ended) == ([], [("transfer", "completed")])


async def test_on_no_cancel_flow_cancels_at_once() -> None:
    yaml = BANK.replace('{recipient}?"}', '{recipient}?", on_no: cancel_flow}')
    async with talking_to(yaml, ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("no", NO) == ["I have cancelled transfer."]


async def test_with_slot_to_change_that_slot_is_asked_then_the_confirmation() -> None:
    for yaml in (BANK, ON_NO):
        async with talking_to(yaml, ACTIONS) as talk:
            await _at_the_confirm(talk)
            no = DenyConfirmation(slot_to_change="amount")
            assert await talk.say("no, change the amount", no) == ["How much?"]
            assert talk.slots == {"recipient": "Bob"}
            said = await talk.say("0", SetSlot(slot_name="amount", value=0))
            assert said == ["Send 0 to Bob?"]
            assert talk.actions == []


async def test_an_unknown_slot_to_change_is_a_bare_no() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        no = DenyConfirmation(slot_to_change="colour")
        assert await talk.say("no, another colour", no) == [WHAT]
        assert talk.decisions == [("DenyConfirmation", "rewritten")]


async def test_a_slot_of_a_task_below_is_not_what_was_to_be_confirmed() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("Rome?", StartFlow(flow_name="weather"))
        await _at_the_confirm(talk)
        no = DenyConfirmation(slot_to_change="city")
        assert await talk.say("no, another city", no) == [WHAT]


@pytest.mark.parametrize(
    "change",
    [CorrectSlot(slot_name="amount", new_value=60), SetSlot(slot_name="amount", value="60")],
)
async def test_deny_plus_a_new_value_updates_and_confirms_again(change: SetSlot) -> None:
    for yaml in (BANK, ON_NO):
        async with talking_to(yaml, ACTIONS) as talk:
            await _at_the_confirm(talk)
            said = await talk.say("no, 60", NO, change)
            assert said == ["amount is now 60.", "Send 60 to Bob?"]
            assert talk.decisions[0] == ("DenyConfirmation", "rewritten")


async def test_deny_plus_an_invalid_value_says_why_and_confirms_again() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        change = CorrectSlot(slot_name="amount", new_value="lots")
        said = await talk.say("no, lots", NO, change)
        assert said == ["Please give a whole number.", "Send 50 to Bob?"]
        assert talk.slots == BOTH


async def test_deny_plus_slot_and_its_value_asks_nothing_twice() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        no = DenyConfirmation(slot_to_change="amount")
        said = await talk.say("no, the amount is 60", no, SetSlot(slot_name="amount", value=60))
        assert said == ["amount is now 60.", "Send 60 to Bob?"]


async def test_deny_plus_the_value_that_is_shown_is_a_bare_no() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("no, not 50", NO, SetSlot(slot_name="amount", value=50)) == [WHAT]


async def test_a_no_beside_another_wish_is_still_a_no() -> None:
    async with talking_to(ON_NO, ACTIONS) as talk:
        await _at_the_confirm(talk)
        wish = StartFlow(flow_name="weather", slots={"city": "Rome"})
        said = await talk.say("no, but is it sunny in Rome?", NO, wish)
        assert said == ["Then not.", "It is sunny in Rome."]


async def test_a_no_beside_a_skip_of_something_shown_shows_the_confirmation_again() -> None:
    yaml = BANK.replace('{prompt: "To whom?"}', '{prompt: "To whom?", required: false}')
    async with talking_to(yaml, ACTIONS) as talk:
        await _at_the_confirm(talk)
        said = await talk.say("no, to nobody", NO, SkipSlot(slot_name="recipient"))
        assert said == ["Send 50 to ?"]


async def test_spanish_no_is_answered_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("no, gracias") == ["¿Qué quieres cambiar?"]
        assert await talk.say("no") == ["He cancelado transfer."]
