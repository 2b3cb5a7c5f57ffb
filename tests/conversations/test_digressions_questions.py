"""Questions about what is being asked, answered from the configuration; the question follows."""

import pytest

from soni.commands import (
    AffirmConfirmation,
    Clarify,
    DenyConfirmation,
    Disambiguate,
    SetSlot,
    StartFlow,
)
from tests.conversations.shop import ACTIONS, SHOP, shop
from tests.talking import Talk, talking_to

CAN_DO = "I can help with: order (Order something to eat), pay, reserve (Keep a table for you)."


async def at_size(talk: Talk, dish: str = "pizza") -> None:
    said = await talk.say("order", StartFlow(flow_name="order", slots={"dish": dish}))
    assert said == ["Which size?"]


async def at_confirm(talk: Talk) -> None:
    slots = {"dish": "pizza", "size": "large", "gift": False}
    said = await talk.say("order", StartFlow(flow_name="order", slots=slots))
    assert said == ["Order a large pizza?"]


@pytest.mark.parametrize(
    "message",
    ["why do you need that?", "Why?", "why do you ask", "what for?", "and why is that?",
     "why do you need the size?", "but why do you want to know my size"],
)  # fmt: skip
async def test_why_is_answered_by_help_alone(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        assert await talk.say(message) == ["We cut the pizza to size.", "Which size?"]
        assert (talk.stack, talk.slots) == (["order"], {"dish": "pizza"})


@pytest.mark.parametrize(
    "message",
    ["what are the options?", "What options are there?", "which options do I have?", "which?",
     "what can I choose?", "which sizes are there?", "what are my choices"],
)  # fmt: skip
async def test_options_of_a_choice(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        assert await talk.say(message) == ["You can choose: small, large.", "Which size?"]


@pytest.mark.parametrize("message", ["help", "Help me!", "size?", "what is the size?"])
async def test_help_and_the_slots_name_say_all_there_is(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        topic = [] if message == "help" else [Clarify(topic=message)]
        said = await talk.say(message, *topic)
        assert said == ["We cut the pizza to size.", "You can choose: small, large.", "Which size?"]


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("which sizes are there?", "You can choose: small, large."),
        ("what sizes do you have?", "You can choose: small, large."),
        ("why do you need the size?", "We cut the  to size."),
    ],
)
async def test_a_question_about_another_slot_is_answered_about_that_one(
    message: str, answer: str
) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("order food") == ["Which dish?"]
        said = await talk.say(message)
        assert (said[-2], said[-1]) == (answer, "Which dish?")
        assert (talk.stack, talk.slots) == (["order"], {})


async def test_at_a_confirm_the_options_of_a_slot_are_not_yes_and_no() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        said = await talk.say("which sizes are there?")
        assert said == ["You can choose: small, large.", "Order a large pizza?"]
        assert talk.actions == []


@pytest.mark.parametrize("message", ["what are the options?", "which?"])
async def test_options_of_a_yes_no_question_are_yes_and_no(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("order", StartFlow(flow_name="order", slots={"dish": "x", "size": "small"}))
        assert await talk.say(message) == ["You can choose: Yes, No.", "Is it a gift?"]
        assert await talk.say("yes") == ["Order a small x?"]
        assert await talk.say(message) == ["You can choose: Yes, No.", "Order a small x?"]
        assert talk.actions == []


async def test_options_of_a_list_are_its_items_and_the_page_follows() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        page = "Which table?\n1. by the window\n2. near the bar\nSay 'more' to see more."
        assert await talk.say("reserve a table") == [page]
        items = "You can choose: by the window, near the bar, in the garden."
        assert await talk.say("what are the options?") == [items, page]
        assert await talk.say("why do you need that?") == [items, page]
        assert await talk.say("the second one") == ["Kept: near the bar."]


async def test_of_a_very_long_list_the_first_items_are_said() -> None:
    many = ACTIONS.replace(
        '["by the window", "near the bar", "in the garden"]', "list('abcdefgh'*4)"
    )
    async with talking_to(SHOP, many) as talk:
        await talk.say("reserve a table")
        said = await talk.say("what are the options?")
        letters = [*("abcdefgh" * 4)[:20], "…"]
        assert said[0] == f"You can choose: {', '.join(letters)}."


async def test_asked_what_to_change_the_options_are_what_the_confirmation_shows() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        assert await talk.say("no") == ["What would you like to change?"]
        said = await talk.say("what are the options?")
        assert said == ["You can choose: dish, size.", "What would you like to change?"]
        assert await talk.say("the size") == ["Which size?"]


async def test_at_a_confirm_a_question_changes_nothing_and_yes_still_counts() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        said = await talk.say("what is this?")
        assert said == ["Order something to eat", "Order a large pizza?"]
        assert talk.actions == []
        assert await talk.say("yes") == ["Ordered."]


async def test_in_a_called_flow_its_own_words_answer() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say("pay my bill") == ["Your PIN?"]
        assert talk.stack == ["pay", "identify"]
        assert await talk.say("why?") == ["It proves that it is you.", "Your PIN?"]
        said = await talk.say("what is this?", Clarify(topic="what is this?"))
        assert said == ["Make sure that it is really you", "Your PIN?"]
        assert talk.stack == ["pay", "identify"]


@pytest.mark.parametrize(
    "message", ["what can you do?", "What else can you do?", "how can you help me?"]
)
async def test_what_the_assistant_can_do_is_said_anywhere(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say(message) == [CAN_DO]
        await at_size(talk)
        assert await talk.say(message) == [CAN_DO, "Which size?"]


@pytest.mark.parametrize("message", ["help", "what are the options?", "I need help"])
async def test_idle_help_and_options_are_what_the_assistant_can_do(message: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        assert await talk.say(message) == [CAN_DO]
        assert await talk.say("?", Clarify()) == [CAN_DO]


async def test_only_what_may_start_now_is_said() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        said = await talk.say("what can you do?", context={"adult": True})
        assert said == [CAN_DO[:-1] + ", join."]


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("¿por qué lo necesitas?", "Cortamos la pizza a medida."),
        ("por que", "Cortamos la pizza a medida."),
        ("¿qué opciones hay?", "Puedes elegir: small, large."),
        ("¿cuáles son las opciones?", "Puedes elegir: small, large."),
        ("¿qué puedo elegir?", "Puedes elegir: small, large."),
        ("¿dónde están?", "En la calle mayor."),
    ],
)
async def test_in_spanish(message: str, answer: str) -> None:
    async with talking_to(shop("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("x", StartFlow(flow_name="order", slots={"dish": "pizza"}))
        assert await talk.say(message) == [answer, "¿Qué tamaño?"]


async def test_what_it_can_do_in_spanish() -> None:
    async with talking_to(shop("settings: {language: es}"), ACTIONS) as talk:
        able = CAN_DO.removeprefix("I can help with: ")
        for message in ("¿qué puedes hacer?", "ayuda", "¿qué opciones hay?"):
            assert await talk.say(message) == [f"Puedo ayudarte con: {able}"]


@pytest.mark.parametrize(
    "dish", ["{size}", "{{ 1 + 1 }}", "{session.name}", "{", "%s {0}", "{dish.__class__}"]
)
async def test_a_hostile_value_in_help_is_said_as_it_is(dish: str) -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk, dish)
        assert await talk.say("why?") == [f"We cut the {dish} to size.", "Which size?"]


async def test_hostile_items_of_a_list_are_said_as_they_are() -> None:
    hostile = ACTIONS.replace('"near the bar"', '"{table} {session}"')
    async with talking_to(SHOP, hostile) as talk:
        await talk.say("reserve a table")
        said = await talk.say("what are the options?")
        assert said[0] == "You can choose: by the window, {table} {session}, in the garden."


async def test_a_question_beside_a_yes_is_answered_and_nothing_is_done() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        said = await talk.say("yes, and where are you?")
        assert said == ["In the high street.", "Order a large pizza?"]
        assert talk.decisions == [("AffirmConfirmation", "rejected"), ("Clarify", "accepted")]
        assert await talk.say("yes") == ["Ordered."]


async def test_no_and_a_question_in_one_message() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        said = await talk.say("no, where are you?")
        assert said == ["In the high street.", "What would you like to change?"]
        assert talk.actions == []


async def test_an_answer_and_a_question_in_one_message() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        said = await talk.say("large, and why do you ask?")
        assert said == ["We cut the pizza to size.", "Is it a gift?"]
        assert talk.slots["size"] == "large"


async def test_a_question_beside_a_correction_at_a_confirm() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        both = [SetSlot(slot_name="size", value="small"), Clarify(topic="where are you?")]
        said = await talk.say("make it small, and where are you?", *both)
        assert said == ["size is now small.", "In the high street.", "Order a small pizza?"]


async def test_two_questions_in_one_message_are_both_answered() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        both = [Clarify(topic="why?"), Clarify(topic="where are you?")]
        said = await talk.say("why, and where are you?", *both)
        assert said == ["We cut the pizza to size.", "In the high street.", "Which size?"]
        assert talk.state["digression_depth"] == 2


async def test_a_question_inside_a_question() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_confirm(talk)
        assert await talk.say("where are you?") == ["In the high street.", "Order a large pizza?"]
        assert await talk.say("what are the options?") == [
            "You can choose: Yes, No.",
            "Order a large pizza?",
        ]
        assert talk.state["digression_depth"] == 2
        assert talk.stack == ["order"]
        assert await talk.say("ok") == ["Ordered."]


async def test_a_question_at_a_question_of_the_system() -> None:
    asks = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"
    async with talking_to(shop(asks), ACTIONS) as talk:
        await at_size(talk)
        assert await talk.say("cancel") == ["Do you want to cancel order?"]
        said = await talk.say("what are the options?")
        assert said == ["You can choose: Yes, No.", "Do you want to cancel order?"]
        assert await talk.say("no", DenyConfirmation()) == ["Which size?"]


async def test_a_question_about_flows_to_choose_from() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        asked = await talk.say("table food", Disambiguate(flow_names=["order", "reserve"]))
        assert asked == ["Which one do you mean: 1. order, 2. reserve?"]
        said = await talk.say("what are the options?")
        assert said == ["You can choose: order, reserve.", *asked]


async def test_a_question_with_a_sensitive_slot_asked_leaks_nothing() -> None:
    # So long that no hash or time of the journal has it by chance.
    secret = "90817263544536"
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("pay my bill")
        said = await talk.say(f"is {secret} the right one?")
        assert said == ["I have no answer to that.", "Your PIN?"]
        assert talk.decisions == [("Clarify", "accepted")]
        journal = await talk.runtime.store.journal.entries("ann")
        assert secret not in repr(talk.state) + repr(journal) + repr(talk.last.commands)
        assert talk.last.commands[0]["args"] == {"topic": "••••"}


async def test_beside_a_sensitive_answer_the_question_is_answered_and_nothing_leaks() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await talk.say("pay my bill")
        said = await talk.say("1234, and why do you need it?")
        assert said == ["It proves that it is you.", "Paid."]
        assert "1234" not in repr(talk.state) + repr(talk.last.commands)


async def test_yes_is_no_answer_to_a_question_that_was_only_repeated_by_a_digression() -> None:
    async with talking_to(SHOP, ACTIONS) as talk:
        await at_size(talk)
        await talk.say("where are you?")
        said = await talk.say("yes", AffirmConfirmation())
        assert said == ["I did not understand that.", "Which size?"]
