"""Invalid value: the reason, then the question; after max_attempts, a person."""

from soni.commands import DenyConfirmation, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

LOTS = SetSlot(slot_name="amount", value="lots")
GOODBYE = "I am connecting you with a person."


async def test_the_reason_then_the_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("lots") == ["Please give a whole number.", "How much?"]
        assert talk.slots == {}
        logged = talk.state["command_log"][-1]
        assert (logged["result"], logged["reason"]) == ("error", "Please give a whole number.")


async def test_for_a_choice_its_values_are_said() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("the moon")
        assert said == ["Please choose one of: main, savings.", "Which account?"]
        assert await talk.say("current") == ["There are 100 euros in main."]


async def test_a_validators_words_are_the_reason() -> None:
    yaml = """
slots: {code: {prompt: "Code?", validator: known}}
flows: {enter: {trigger: {}, steps: [{collect: code}, {say: "Welcome."}]}}
"""
    actions = """
from soni import validator
@validator
def known(code: str) -> bool:
    if code == "old":
        raise ValueError("That code has expired.")
    return code == "good"
"""
    async with talking_to(yaml, actions) as talk:
        await talk.say("enter", StartFlow(flow_name="enter"))
        assert await talk.say("old") == ["That code has expired.", "Code?"]
        assert await talk.say("bad") == ["That value is not possible here.", "Code?"]
        assert await talk.say("good") == ["Welcome."]


async def test_after_max_attempts_a_person_takes_over() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(2):
            assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]
        reason = "no valid value for amount after 3 attempts"
        assert talk.state["metadata"]["handoff"]["reason"] == reason


async def test_the_steps_own_max_attempts_counts_before_the_settings() -> None:
    flows = """
  strict:
    trigger: {}
    steps: [{collect: amount, max_attempts: 1}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("strict", StartFlow(flow_name="strict"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]


async def test_a_good_value_starts_the_count_anew() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 2}}"), ACTIONS) as talk:
        await talk.say("to Bob", StartFlow(flow_name="transfer", slots={"recipient": "Bob"}))
        await talk.say("lots", LOTS)
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        change = DenyConfirmation(slot_to_change="amount")
        assert await talk.say("no, the amount", change) == ["How much?"]
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]


async def test_after_a_release_the_count_starts_anew() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 1}}"), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", GOODBYE]
        assert (await talk.runtime.release("ann")).messages == ["How much?"]
        assert await talk.say("5") == ["To whom?"]


async def test_without_anybody_to_hand_over_to_it_goes_on_asking() -> None:
    off = """
settings: {collection: {max_attempts: 1}}
conversation_patterns: {human_handoff: {enabled: false}}
"""
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for _ in range(3):
            assert await talk.say("lots", LOTS) == ["Please give a whole number.", "How much?"]


async def test_a_value_for_a_later_question_counts_no_attempt_at_this_one() -> None:
    flows = "  card: {trigger: {}, steps: [{collect: recipient}, {collect: amount}]}\n"
    yaml = bank("settings: {collection: {max_attempts: 1}}", flows)
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("card", StartFlow(flow_name="card"))
        assert await talk.say("lots", LOTS) == ["Please give a whole number.", "To whom?"]


async def test_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("balance", StartFlow(flow_name="balance"))
        said = await talk.say("la luna")
        assert said == ["Elige una de estas opciones: main, savings.", "Which account?"]
