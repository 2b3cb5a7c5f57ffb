"""Timeout: what was left open for too long is abandoned; the message is handled as idle."""

from soni.commands import AffirmConfirmation, Disambiguate, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to


async def test_open_tasks_are_archived_as_abandoned_and_the_message_is_handled_as_idle() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("weather", StartFlow(flow_name="weather"))
        talk.clock.forward(minutes=31)
        assert await talk.say("what is my balance") == ["Which account?"]
        assert talk.stack == ["balance"]
        assert sorted(talk.ended) == [("transfer", "abandoned"), ("weather", "abandoned")]
        archived = talk.state["metadata"]["completed_flows"]
        assert {flow["flow_state"] for flow in archived} == {"abandoned"}
        assert list(talk.state["flow_slots"].values()) == [{}]


async def test_an_answer_that_comes_too_late_answers_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        talk.clock.forward(minutes=31)
        assert await talk.say("yes", AffirmConfirmation()) == ["I did not understand that."]
        assert (talk.actions, talk.stack) == ([], [])
        assert talk.state["conversation_state"] == "idle"


async def test_until_the_timeout_everything_stays() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        talk.clock.forward(minutes=30)
        assert await talk.say("5", SetSlot(slot_name="amount", value=5)) == ["To whom?"]


async def test_each_message_starts_the_time_anew() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        talk.clock.forward(minutes=20)
        await talk.say("5", SetSlot(slot_name="amount", value=5))
        talk.clock.forward(minutes=20)
        said = await talk.say("Bob", SetSlot(slot_name="recipient", value="Bob"))
        assert said == ["Send 5 to Bob?"]


async def test_the_timeout_is_a_setting() -> None:
    yaml = bank("settings: {conversation: {session_timeout: 60}}")
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        talk.clock.forward(seconds=61)
        assert await talk.say("hello") == ["I'm here to help."]
        assert talk.ended == [("transfer", "abandoned")]


async def test_a_question_of_the_system_is_forgotten_too() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("how is it?", Disambiguate(flow_names=("balance", "weather")))
        talk.clock.forward(minutes=31)
        assert await talk.say("the first one") == ["I did not understand that."]


async def test_conversation_slots_and_what_was_completed_stay() -> None:
    yaml = bank().replace("  city: {", "  city: {scope: conversation, ")
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("weather", StartFlow(flow_name="weather", slots={"city": "Rome"}))
        talk.clock.forward(days=3)
        said = await talk.say("weather", StartFlow(flow_name="weather"))
        assert said == ["It is sunny in Rome."]
        done = [flow["flow_state"] for flow in talk.state["metadata"]["completed_flows"]]
        assert done == ["completed", "completed"]
