"""Small talk and what the assistant does not do: a short reply, then the pending question."""

from typing import Any

import pytest

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    HumanHandoff,
    OutOfScope,
    RepeatLast,
    SetSlot,
    StartFlow,
)
from tests.conversations.shop import ACTIONS, SHOP, shop
from tests.talking import talking_to

BOTH = pytest.mark.parametrize(
    ("digression", "kind", "english", "spanish"),
    [
        (ChitChat(hint="weather"), "chitchat", "I'm here to help.", "Estoy aquí para ayudarte."),
        (
            OutOfScope(topic="cars"),
            "out_of_scope",
            "I cannot help with that.",
            "No puedo ayudarte con eso.",
        ),
    ],
)


@BOTH
async def test_the_reply_then_the_question(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order food")
        assert await talk.say("by the way", digression) == [english, "Which dish?"]
        assert talk.state["last_digression_type"] == kind
        assert (talk.stack, talk.slots) == (["order"], {})


@BOTH
async def test_in_spanish(digression: Any, kind: str, english: str, spanish: str) -> None:
    async with talking_to(shop("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("x", StartFlow(flow_name="order"))
        assert await talk.say("por cierto", digression) == [spanish, "¿Qué plato?"]


@BOTH
async def test_each_turn_in_its_own_language(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("x", digression, language="es-MX") == [spanish]
        assert await talk.say("x", digression, language="en-GB") == [english]
        assert await talk.say("x", digression, language="fr") == [english]


@BOTH
async def test_idle_only_the_reply(digression: Any, kind: str, english: str, spanish: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("by the way", digression) == [english]
        assert talk.state["conversation_state"] == "idle"
        assert await talk.say("order food") == ["Which dish?"]


@BOTH
async def test_at_a_confirm_nothing_is_done_and_yes_still_counts(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        slots = {"dish": "pizza", "size": "large", "gift": False}
        await talk.say("order", StartFlow(flow_name="order", slots=slots))
        assert await talk.say("by the way", digression) == [english, "Order a large pizza?"]
        assert talk.actions == []
        assert await talk.say("yes") == ["Ordered."]


@BOTH
async def test_at_a_list_the_same_page_follows(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("reserve a table")
        page = (await talk.say("more"))[-1]
        assert page == "Which table?\n3. in the garden"
        assert await talk.say("by the way", digression) == [english, page]
        assert await talk.say("3") == ["Kept: in the garden."]


@BOTH
async def test_in_a_called_flow_with_something_sensitive_asked(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("pay my bill")
        assert await talk.say("1234 by the way", digression) == [english, "Your PIN?"]
        assert talk.stack == ["pay", "identify"]
        given = next(iter(digression.dump_args().values()))
        shown = repr(talk.state) + repr(talk.last.commands)
        assert "1234" not in shown
        assert repr(given) not in shown


@BOTH
async def test_at_a_question_of_the_system_it_stays_open(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    asks = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"
    async with talking_to(shop(asks), ACTIONS) as talk:
        await talk.say("order food")
        await talk.say("cancel", CancelFlow())
        said = await talk.say("by the way", digression)
        assert said == [english, "Do you want to cancel order?"]
        assert await talk.say("yes", AffirmConfirmation()) == ["I have cancelled order."]


@BOTH
async def test_the_authors_own_words(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    own = f'responses: {{{kind}: {{en: "Well, {{session.name}}.", es: ["Vaya."]}}}}'
    async with talking_to(shop(own), ACTIONS) as talk:
        hostile = {"name": "{dish} {{ 1 }}"}
        assert await talk.say("x", digression, context=hostile) == ["Well, {dish} {{ 1 }}."]
        assert await talk.say("x", digression, language="es") == ["Vaya."]


@BOTH
async def test_beside_an_answer_both_are_taken(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order food")
        both = [digression, SetSlot(slot_name="dish", value="soup")]
        assert await talk.say("soup, lovely", *both) == [english, "Which size?"]
        assert talk.state["digression_depth"] == 0


@BOTH
async def test_beside_a_start_it_is_dropped(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        said = await talk.say("hi, order food", digression, StartFlow(flow_name="order"))
        assert said == ["Which dish?"]
        assert talk.decisions[0][1] == "rejected"
        assert talk.state["last_digression_type"] is None


@BOTH
async def test_before_a_handoff_it_is_said(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order food")
        said = await talk.say("oh dear, a human please", digression, HumanHandoff())
        assert said == [english, "I am connecting you with a person."]


@BOTH
async def test_repeated_with_the_question(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order food")
        await talk.say("by the way", digression)
        assert await talk.say("pardon?", RepeatLast()) == [english, "Which dish?"]


@BOTH
async def test_the_paused_task_below_stays_where_it_is(
    digression: Any, kind: str, english: str, spanish: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "soup"}))
        await talk.say("pay my bill")
        assert await talk.say("by the way", digression) == [english, "Your PIN?"]
        assert await talk.say("1234") == ["Paid.", "Back to order.", "Which size?"]


@pytest.mark.parametrize(
    ("message", "language", "reply"),
    [
        ("Hello!", "en", "I'm here to help."),
        ("good morning", "en", "I'm here to help."),
        ("thank you", "en", "I'm here to help."),
        ("¡Hola!", "es", "Estoy aquí para ayudarte."),
        ("buenos días", "es", "Estoy aquí para ayudarte."),
        ("gracias", "es", "Estoy aquí para ayudarte."),
    ],
)
async def test_a_greeting_is_understood_offline(message: str, language: str, reply: str) -> None:
    async with talking_to(shop(f"settings: {{language: {language}}}"), ACTIONS) as talk:
        assert await talk.say(message) == [reply]


async def test_a_greeting_before_a_question_is_not_answered_apart() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("Hello, where are you?") == ["In the high street."]
        assert talk.state["digression_depth"] == 1
