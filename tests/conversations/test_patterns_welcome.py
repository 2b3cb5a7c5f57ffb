"""Start: responses.welcome, if defined, opens a new conversation."""

from soni.commands import HumanHandoff, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

WELCOME = 'responses: {welcome: {en: "Welcome!", es: "¡Hola!"}}'


async def test_welcome_opens_a_new_conversation_and_only_that() -> None:
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        assert await talk.say("send money") == ["Welcome!", "How much?"]
        assert await talk.say("5") == ["To whom?"]
        other = await talk.runtime.turn("hello", "bob", language="es")
        assert other.messages == ["¡Hola!", "Estoy aquí para ayudarte."]


async def test_without_one_nothing_is_said() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("send money") == ["How much?"]


async def test_it_comes_before_whatever_the_first_message_leads_to() -> None:
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        assert await talk.say("xyzzy") == ["Welcome!", "I did not understand that."]
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        said = await talk.say("a person!", HumanHandoff())
        assert said == ["Welcome!", "I am connecting you with a person."]


async def test_the_application_opens_a_conversation_with_it_too() -> None:
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        turn = await talk.runtime.start_flow("ann", "weather")
        assert turn.messages == ["Welcome!", "Which city?"]


async def test_after_a_reset_the_conversation_is_new() -> None:
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.runtime.reset("ann")
        assert await talk.say("hello") == ["Welcome!", "I'm here to help."]


async def test_a_timeout_does_not_make_it_new() -> None:
    async with talking_to(bank(WELCOME), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        talk.clock.forward(days=1)
        assert await talk.say("hello") == ["I'm here to help."]
