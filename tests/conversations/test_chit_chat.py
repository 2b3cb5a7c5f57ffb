"""ChitChat: a short reply, then the pending question."""

from soni.commands import ChitChat, Clarify, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to


async def test_a_short_reply_then_the_pending_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("nice weather today", ChitChat(hint="weather"))
        assert said == ["I'm here to help.", "How much?"]
        assert talk.state["last_digression_type"] == "chitchat"


async def test_at_a_confirm_the_confirmation_follows() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        assert await talk.say("nice", ChitChat()) == ["I'm here to help.", "Send 5 to Bob?"]
        assert talk.actions == []


async def test_idle_a_greeting_is_answered_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("Hello!") == ["I'm here to help."]
        assert talk.state["conversation_state"] == "idle"


async def test_the_reply_is_the_authors() -> None:
    own = 'responses: {chitchat: {en: "Well, well.", es: "Vaya."}}'
    async with talking_to(bank(own), ACTIONS) as talk:
        assert await talk.say("nice", ChitChat()) == ["Well, well."]
        assert await talk.say("bonito", ChitChat(), language="es") == ["Vaya."]


async def test_beside_a_start_it_is_dropped() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("hi, send money", ChitChat(), StartFlow(flow_name="transfer"))
        assert said == ["How much?"]
        assert talk.decisions == [("ChitChat", "rejected"), ("StartFlow", "accepted")]
        assert talk.last.commands[0]["reason"] == "contradicts StartFlow"


async def test_beside_an_answer_both_are_taken() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        both = [ChitChat(), SetSlot(slot_name="amount", value=5)]
        assert await talk.say("lovely, 5", *both) == ["I'm here to help.", "To whom?"]


async def test_thanks_and_a_farewell_lead_to_no_person() -> None:
    patient = "conversation_patterns: {clarification: {max_depth: 2, fallback: handoff}}"
    async with talking_to(bank(patient), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        for courtesy in ("thanks", "bye", "thank you!", "ok bye", "thanks", "goodbye"):
            assert await talk.say(courtesy) == ["I'm here to help.", "How much?"]
        # They do not hide either that somebody is at a loss.
        said = [await talk.say("why?", Clarify()) for _ in range(3)]
        assert said[-1] == ["I am connecting you with a person."]
