"""OutOfScope: a short reply, then the pending question."""

from soni.commands import OutOfScope, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to


async def test_a_short_reply_then_the_pending_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("sell my car", OutOfScope(topic="cars"))
        assert said == ["I cannot help with that.", "How much?"]
        assert talk.state["last_digression_type"] == "out_of_scope"


async def test_idle_only_the_reply() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("sell my car", OutOfScope()) == ["I cannot help with that."]
        assert talk.state["conversation_state"] == "idle"


async def test_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        assert await talk.say("vende mi coche", OutOfScope()) == ["No puedo ayudarte con eso."]


async def test_beside_a_start_it_is_dropped() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = [OutOfScope(), StartFlow(flow_name="weather")]
        assert await talk.say("sell my car, and the weather?", *both) == ["Which city?"]
        assert talk.decisions == [("OutOfScope", "rejected"), ("StartFlow", "accepted")]
