"""AffirmConfirmation: yes to the question that is open, and to no other."""

import pytest

from soni.commands import (
    AffirmConfirmation,
    Clarify,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import Talk, talking_to

YES = AffirmConfirmation()
BOTH = {"amount": 50, "recipient": "Bob"}
GIFT = """
slots: {gift: {type: boolean, prompt: "Is it a gift?"}}
flows:
  wrap: {trigger: {examples: [wrap it]}, steps: [{collect: gift}, {say: "Gift: {gift}."}]}
"""


async def _at_the_confirm(talk: Talk) -> None:
    start = StartFlow(flow_name="transfer", slots=BOTH)
    assert await talk.say("send 50 to Bob", start) == ["Send 50 to Bob?"]


async def test_yes_answers_the_pending_confirm() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        assert await talk.say("yes", YES) == ["Sent 50 to Bob."]
        assert talk.actions == [("send", BOTH)]
        assert talk.ended == [("transfer", "completed")]


async def test_on_yes_says_where_a_yes_leads() -> None:
    flows = """
  join:
    trigger: {}
    steps:
      - {confirm: "Join?", on_yes: joined, on_no: left}
      - {step: left, type: say, message: "Never said.", jump_to: end}
      - {step: joined, type: say, message: "Joined."}
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("join", StartFlow(flow_name="join"))
        assert await talk.say("sure") == ["Joined."]


@pytest.mark.parametrize("answer", [YES, DenyConfirmation()])
async def test_with_nothing_to_confirm_it_is_rejected(answer: AffirmConfirmation) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("yes", answer) == ["I did not understand that."]
        assert talk.decisions == [(answer.type, "rejected")]
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("yes", answer)
        assert said == ["I did not understand that.", "How much?"]
        assert talk.last.commands[0]["reason"] == "nothing is to be confirmed"


async def test_yes_and_no_set_a_boolean_slot_that_is_asked() -> None:
    for answer, shown in ((YES, "yes"), (DenyConfirmation(), "no")):
        async with talking_to(GIFT) as talk:
            assert await talk.say("wrap", StartFlow(flow_name="wrap")) == ["Is it a gift?"]
            assert await talk.say("answer", answer) == [f"Gift: {shown}."]
            assert talk.decisions == [(answer.type, "rewritten")]
            becomes = talk.last.commands[0]["to"]
            assert [made["command"] for made in becomes] == ["SetSlot"]


async def test_a_boolean_answer_is_understood_without_given_commands() -> None:
    async with talking_to("settings: {language: es}" + GIFT) as talk:
        await talk.say("wrap it")
        assert await talk.say("sí") == ["Gift: sí."]


async def test_a_boolean_slot_that_is_not_asked_is_not_set_by_a_yes() -> None:
    yaml = GIFT.replace("[{collect: gift}", "[{collect: name, message: Name?}, {collect: gift}")
    async with talking_to(yaml) as talk:
        await talk.say("wrap", StartFlow(flow_name="wrap"))
        assert await talk.say("yes", YES) == ["I did not understand that.", "Name?"]
        assert talk.slots == {}


async def test_one_yes_confirms_one_instance() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        other = {"amount": 7, "recipient": "Eve"}
        start = StartFlow(flow_name="transfer", slots=other, another=True)
        assert await talk.say("and 7 to Eve", start) == ["Send 7 to Eve?"]
        said = await talk.say("yes", YES)
        assert said == ["Sent 7 to Eve.", "Back to transfer.", "Send 50 to Bob?"]
        assert talk.actions == [("send", other)]


async def test_one_yes_confirms_one_of_two_confirms_in_a_row() -> None:
    flows = """
  twice:
    trigger: {}
    steps: [{confirm: "Once?"}, {confirm: "Twice?"}, {say: "Both."}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("twice", StartFlow(flow_name="twice"))
        assert await talk.say("yes yes", YES, YES) == ["Twice?"]
        assert await talk.say("yes", YES) == ["Both."]


async def test_a_change_beside_the_yes_is_made_and_the_confirmation_shown_again() -> None:
    for change in (
        SetSlot(slot_name="amount", value=60),
        CorrectSlot(slot_name="amount", new_value=60),
        StartFlow(flow_name="transfer", slots={"amount": 60}),
    ):
        async with talking_to(BANK, ACTIONS) as talk:
            await _at_the_confirm(talk)
            said = await talk.say("yes, but make it 60", YES, change)
            assert said == ["amount is now 60.", "Send 60 to Bob?"]
            assert talk.decisions[0] == ("AffirmConfirmation", "rejected")
            assert talk.actions == []


async def test_an_invalid_change_beside_the_yes_confirms_nothing_either() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        change = CorrectSlot(slot_name="amount", new_value="lots")
        said = await talk.say("yes, but make it lots", YES, change)
        assert said == ["Please give a whole number.", "Send 50 to Bob?"]


async def test_a_change_of_something_guarded_though_not_shown_confirms_nothing() -> None:
    flows = """
  quick:
    trigger: {}
    steps:
      - collect: amount
      - collect: recipient
      - confirm: "Shall I do it?"
      - {set: {half: "{{ amount / 2 }}"}}
      - {action: send, inputs: {amount: "{{ half }}"}}
      - say: "Sent {half}."
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("quick", StartFlow(flow_name="quick", slots=BOTH))
        said = await talk.say("yes, 60", YES, SetSlot(slot_name="amount", value=60))
        assert said == ["amount is now 60.", "Shall I do it?"]
        assert await talk.say("yes", YES) == ["Sent 30."]


async def test_the_value_that_is_shown_already_said_again_is_no_change() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        said = await talk.say("yes, the 50 euros", YES, SetSlot(slot_name="amount", value="50"))
        assert said == ["Sent 50 to Bob."]


async def test_the_same_slot_of_another_flow_is_no_change_of_what_is_confirmed() -> None:
    flows = "  lend: {trigger: {}, steps: [{collect: amount}, {collect: recipient}]}\n"
    along = [
        [StartFlow(flow_name="lend", slots={"amount": 5})],
        [StartFlow(flow_name="lend"), SetSlot(slot_name="amount", value=5)],
        [StartFlow(flow_name="lend"), SetSlot(slot_name="amount", value=5, flow_name="lend")],
    ]
    for commands in along:
        async with talking_to(bank(flows=flows), ACTIONS) as talk:
            await _at_the_confirm(talk)
            said = await talk.say("yes, and lend 5", YES, *commands)
            assert said == ["Sent 50 to Bob.", "To whom?"]
            assert (talk.stack, talk.slots) == (["lend"], {"amount": 5})


async def test_another_transfer_beside_the_yes_is_no_change_either() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        other = StartFlow(flow_name="transfer", slots={"amount": 7}, another=True)
        said = await talk.say("yes, and another 7", YES, other)
        assert said == ["Sent 50 to Bob.", "To whom?"]
        assert talk.slots == {"amount": 7}


async def test_a_question_beside_the_yes_is_answered_after_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        said = await talk.say("yes, what else can you do?", YES, Clarify())
        able = "transfer (I send money to somebody), balance, weather"
        assert said == ["Sent 50 to Bob.", f"I can help with: {able}."]


async def test_yes_and_no_together_are_a_no() -> None:
    for both in ((YES, DenyConfirmation()), (DenyConfirmation(), YES)):
        async with talking_to(BANK, ACTIONS) as talk:
            await _at_the_confirm(talk)
            assert await talk.say("yes no", *both) == ["What would you like to change?"]
            assert ("AffirmConfirmation", "rejected") in talk.decisions
            assert talk.actions == []


async def test_a_yes_after_an_interruption_answers_the_confirm_that_came_back() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_the_confirm(talk)
        await talk.say("weather?", StartFlow(flow_name="weather"))
        # Meanwhile the city is asked, so a yes means nothing.
        assert await talk.say("yes", YES) == ["I did not understand that.", "Which city?"]
        said = await talk.say("Rome", SetSlot(slot_name="city", value="Rome"))
        assert said == ["It is sunny in Rome.", "Back to transfer.", "Send 50 to Bob?"]
        assert await talk.say("yes", YES) == ["Sent 50 to Bob."]
