"""SetSlot: a value the user gave, asked for or not."""

import pytest

from soni.commands import ResumeFlow, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to


def _set(slot: str, value: object, flow: str | None = None) -> SetSlot:
    return SetSlot(slot_name=slot, value=value, flow_name=flow)


async def test_the_asked_slot_is_written_and_the_flow_goes_on() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("50", _set("amount", "50")) == ["To whom?"]
        assert talk.slots == {"amount": 50}


async def test_the_answer_to_a_question_fills_the_asked_slot_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("50") == ["To whom?"]
        assert await talk.say("Bob") == ["Send 50 to Bob?"]
        assert await talk.say("yes") == ["Sent 50 to Bob."]
        assert talk.actions == [("send", {"amount": 50, "recipient": "Bob"})]


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [("integer", 0, "0"), ("boolean", False, "no"), ("string", "", ""), ("number", 0.0, "0")],
)
async def test_zero_no_and_the_empty_text_are_values(kind: str, value: object, shown: str) -> None:
    yaml = f"""
slots: {{it: {{type: {kind}, prompt: "It?"}}}}
flows:
  ask: {{trigger: {{}}, steps: [{{collect: it}}, {{say: "It is <{{it}}>."}}]}}
"""
    async with talking_to(yaml) as talk:
        assert await talk.say("ask", StartFlow(flow_name="ask")) == ["It?"]
        assert await talk.say("it", _set("it", value)) == [f"It is <{shown}>."]


async def test_a_slot_that_comes_later_is_kept_until_its_step() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("to Bob", _set("recipient", "Bob")) == ["How much?"]
        assert await talk.say("50", _set("amount", 50)) == ["Send 50 to Bob?"]


async def test_a_different_value_for_a_filled_slot_not_being_asked_is_a_correction() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        said = await talk.say("60, sorry", _set("amount", 60))
        assert said == ["amount is now 60.", "To whom?"]
        assert talk.state["command_log"][-1]["result"] == "rewritten"


async def test_a_different_falsy_value_is_a_correction_too() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        assert await talk.say("0", _set("amount", 0)) == ["amount is now 0.", "To whom?"]
        assert await talk.say("5", _set("amount", 5)) == ["amount is now 5.", "To whom?"]


@pytest.mark.parametrize("same", [50, "50", 50.0, " 50 "])
async def test_the_same_value_said_again_is_no_correction(same: object) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        assert await talk.say("50", _set("amount", same)) == ["To whom?"]
        assert talk.slots == {"amount": 50}


async def test_the_value_before_a_normalizer_is_not_taken_for_another_value() -> None:
    yaml = """
slots: {name: {prompt: "Name?", normalizer: title}, age: {type: integer, prompt: "Age?"}}
flows: {ask: {trigger: {}, steps: [{collect: name}, {collect: age}]}}
"""
    actions = """
from soni import normalizer
@normalizer
def title(name: str) -> str:
    return name.title()
"""
    async with talking_to(yaml, actions) as talk:
        await talk.say("ask", StartFlow(flow_name="ask", slots={"name": "ann"}))
        assert await talk.say("ann", _set("name", "ann")) == ["Age?"]
        assert talk.slots == {"name": "Ann"}


async def test_without_a_value_there_is_nothing_to_set() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("hm", _set("amount", None))
        assert said == ["I did not understand that.", "How much?"]
        assert (talk.decisions, talk.slots) == ([("SetSlot", "rejected")], {})


async def test_a_slot_that_no_open_flow_has_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("Rome", _set("city", "Rome"))
        assert said == ["I did not understand that.", "How much?"]
        assert talk.last.commands[0]["reason"] == "no open flow has slot 'city'"


async def test_idle_a_value_is_not_understood() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("50", _set("amount", 50)) == ["I did not understand that."]


async def test_a_value_may_name_its_flow() -> None:
    flows = "  lend: {trigger: {}, steps: [{collect: amount}, {collect: recipient}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("send 50", StartFlow(flow_name="transfer", slots={"amount": 50}))
        await talk.say("lend", StartFlow(flow_name="lend"))
        said = await talk.say("send 60 instead", _set("amount", 60, "transfer"))
        assert said == ["amount is now 60.", "How much?"]
        lower, upper = (flow["flow_id"] for flow in talk.state["flow_stack"])
        assert talk.state["flow_slots"] == {lower: {"amount": 60}, upper: {}}


async def test_a_value_for_a_flow_that_is_not_open_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("50", _set("amount", 50, "weather"))
        assert said == ["I did not understand that.", "How much?"]
        assert talk.slots == {}


async def test_a_value_that_names_another_flow_than_the_one_started_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        start = StartFlow(flow_name="transfer")
        said = await talk.say("send 50", start, _set("amount", 50, "balance"))
        assert said == ["How much?"]
        assert talk.decisions == [("StartFlow", "accepted"), ("SetSlot", "rejected")]


async def test_a_value_for_a_paused_task_waits_there_for_its_return() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("the amount is 50", _set("amount", 50))
        assert said == ["Which city?"]
        said = await talk.say("back", ResumeFlow())
        assert said == ["Back to transfer.", "To whom?"]


async def test_confidence_is_carried_and_logged() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("50?", SetSlot(slot_name="amount", value=50, confidence=0.4))
        assert talk.state["command_log"][-1]["args"]["confidence"] == 0.4
