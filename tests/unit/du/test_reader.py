"""What strangers say: in one breath, with slips, from the end, and with half of it left out."""

import pytest

from soni.commands import (
    AffirmConfirmation,
    ChitChat,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    SetSlot,
    StartFlow,
)
from soni.du.context import Task
from tests.unit.du.ferry import BADGE, FERRY, GIFT, answer, confirming, read


@pytest.mark.parametrize(
    ("message", "slots"),
    [
        ("pay Ann 25 from my travel wallet", {"friend": "Ann", "amount": "25", "wallet": "travel"}),
        ("send 700 to ann", {"friend": "ann", "amount": "700"}),
    ],
)
async def test_whom_and_how_much_do_not_hide_what_is_wanted(
    message: str, slots: dict[str, str]
) -> None:
    assert await read(message) == [StartFlow(flow_name="pay_friend", slots=slots)]


async def test_a_number_of_a_thing_is_not_an_amount() -> None:
    [start] = await read("please lock my badge ending 1234")

    assert start == StartFlow(flow_name="lock_badge", slots={"badge": "1234"})


async def test_an_example_with_a_value_gives_the_value() -> None:
    assert await read("sail to Bergen") == [
        StartFlow(flow_name="book_ferry", slots={"port_to": "Bergen"})
    ]


async def test_who_was_not_meant_is_replaced() -> None:
    [change] = await confirming("no not ann, bob", GIFT, friend="Ann", amount=25)

    assert change == CorrectSlot(slot_name="friend", new_value="bob")


async def test_two_changes_are_two() -> None:
    commands = await confirming(
        "oh sorry it should be from calais, and on march 10",
        FERRY,
        port_from="Dover",
        port_to="Bergen",
        sail_on="2026-03-09",
        back_on="2026-03-12",
    )

    changed = {c.slot_name: c.new_value for c in commands if isinstance(c, CorrectSlot)}
    assert changed == {"port_from": "Calais", "sail_on": "on march 10"}


async def test_a_yes_in_other_words_changes_nothing() -> None:
    assert await confirming("alright, send it", GIFT, friend="Ann", amount=25) == [
        AffirmConfirmation()
    ]


async def test_something_else_is_asked_of_the_flow_that_ended() -> None:
    ended = Task(flow="tell_credit", slots={"wallet": "daily"})

    assert await read("and travel?", others=(ended,)) == [
        StartFlow(flow_name="tell_credit", slots={"wallet": "travel"})
    ]


async def test_two_values_of_one_flow_tell_which_it_is() -> None:
    assert await read("ok calais then, from dover") == [
        StartFlow(flow_name="book_ferry", slots={"port_from": "Dover", "port_to": "Calais"})
    ]


@pytest.mark.parametrize("message", ["whats a badge", "how much does a ferry cost?"])
async def test_a_question_about_a_thing_is_no_wish_for_it(message: str) -> None:
    assert await read(message) == [Clarify(topic=message)]


async def test_one_person_is_not_a_call_for_a_person() -> None:
    commands = await read("book a ferry to bergen tomorrow, 1 person")

    assert not any(isinstance(command, HumanHandoff) for command in commands)


@pytest.mark.parametrize(
    "message",
    ["how many bags can a person take?", "I don't want to talk to an agent, just show my credit"],
)
async def test_who_is_not_wanted_is_not_called(message: str) -> None:
    commands = await read(message)

    assert not any(isinstance(command, HumanHandoff) for command in commands)


@pytest.mark.parametrize(
    "message", ["can a person help me?", "could an agent call me", "get me an agent"]
)
async def test_a_person_is_called(message: str) -> None:
    assert await read(message) == [HumanHandoff()]


async def test_what_comes_after_what_was_done_is_what_is_wanted() -> None:
    commands = await read("i booked a ferry with you but my badge is gone")

    assert commands == [StartFlow(flow_name="lock_badge")]


async def test_a_hesitation_is_no_correction() -> None:
    commands = await answer("hmm bergen sounds nice", FERRY, "port_to", port_from="Dover")

    assert commands == [SetSlot(slot_name="port_to", value="Bergen")]


async def test_asking_whether_there_are_any_is_wanting_one() -> None:
    [start] = await read("are there any ferries from dover to bergen?")

    assert start.flow_name == "book_ferry"


async def test_a_number_alone_starts_nothing() -> None:
    commands = await answer("42", BADGE, "badge")

    assert not any(isinstance(command, StartFlow) for command in commands)


async def test_spanish_is_understood_in_other_forms_of_the_words() -> None:
    [start] = await read("es que perdí la placa ayer", language="es")

    assert start.flow_name == "lock_badge"


@pytest.mark.parametrize("message", ["yes no", "yes, not yet", "yes, the amount is wrong"])
async def test_a_yes_that_takes_itself_back_agrees_to_nothing(message: str) -> None:
    commands = await confirming(message, GIFT, friend="Ann", amount=25)
    assert AffirmConfirmation() not in commands


async def test_what_the_assistant_has_an_answer_to_is_not_foreign() -> None:
    known = ("May I take the car to another country?",)
    assert await read("can i take it to france", known_questions=known) == [
        Clarify(topic="can i take it to france")
    ]


@pytest.mark.parametrize("message", ["blorp the frimble", "asdf qwer zxcv", "ñam, ñam"])
async def test_noise_is_no_small_talk(message: str) -> None:
    assert ChitChat() not in await read(message)


async def test_who_said_one_thing_but_meant_another_means_the_other() -> None:
    said = await answer("I said Bob but meant Rob", GIFT, "wallet", friend="Bob", amount=20)
    assert said == [CorrectSlot(slot_name="friend", new_value="Rob")]


async def test_the_difference_between_two_things_is_asked_and_neither_chosen() -> None:
    said = await answer(
        "what's the difference between travel and daily?", GIFT, "wallet", friend="Bob", amount=20
    )
    assert [type(one) for one in said] == [Clarify]
