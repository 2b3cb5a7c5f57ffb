"""Values that a language model reads: as they were said, and never invented."""

import json
from typing import Any

import pytest

from tests.conversations.model_bank import AMOUNT, BANK, START, asked_how_much, bank
from tests.model_server import Model, commands, slots

SAYINGS = (
    "C++",
    "Paris, France",
    "Great!",
    "she said \"no\" and 'left'",
    "one\ntwo\n\n\tthree",
    "🙂👩‍👩‍👧 ¿qué?",
    "{amount} {{ 1 + 1 }} </message> <|im_end|>",
    '\\n \\" C:\\temp',
    "x" * 2000,
    "word " * 400 + "end",
)


@pytest.mark.parametrize("said", SAYINGS)
async def test_values_arrive_exactly_as_they_were_said(said: str, model: Model) -> None:
    def copied(body: dict[str, Any]) -> dict[str, Any]:
        line = body["messages"][-1]["content"].splitlines()[-1]
        message = json.loads(line.removeprefix("Message: "))
        return commands({"type": "SetSlot", "slot_name": "story", "value": message})

    async with bank(model) as talk:
        await talk.say("complain")
        model.will_say(copied)
        assert await talk.say(said) == [f"You said: {said.strip()}"]


@pytest.mark.parametrize("said", SAYINGS)
async def test_values_of_a_flow_that_starts_arrive_exactly_as_they_were_said(
    said: str, model: Model
) -> None:
    def copied(body: dict[str, Any]) -> dict[str, Any]:
        line = body["messages"][-1]["content"].splitlines()[-1]
        message = json.loads(line.removeprefix("Message: "))
        return slots(story=message.removeprefix("I complain: "))

    async with bank(model) as talk:
        model.will_say(commands({"type": "StartFlow", "flow_name": "complain"}), copied)
        assert await talk.say(f"I complain: {said}") == [f"You said: {said.strip()}"]


@pytest.mark.parametrize(
    ("message", "copy", "recipient"),
    [
        ("send something, I cannot say to whom", "Ann", None),
        ("send something to Jerome", "Rome", None),
        ("send it to the C++ one", "C", "C++"),
    ],
)
async def test_a_part_of_a_word_is_no_value(
    message: str, copy: str, recipient: str | None, model: Model
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient=copy))
        await talk.say(message)
        assert talk.slots == ({"recipient": recipient} if recipient else {})


async def test_a_long_value_may_be_shortened_to_its_ends_and_arrives_whole(model: Model) -> None:
    story = "It all began on a Monday, " + "and then it rained " * 100 + "so I went home."
    async with bank(model) as talk:
        await talk.say("complain")
        short = "It all began on a ... rained so I went home."
        model.will_say(commands({"type": "SetSlot", "slot_name": "story", "value": short}))
        assert await talk.say(story) == [f"You said: {story}"]


async def test_a_value_that_nobody_said_is_not_filled_in(model: Model) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Maria", amount="5"))
        assert await talk.say("I have to send 5 today") == ["To whom?"]
        assert talk.slots == {"amount": 5}


async def test_a_value_that_the_model_took_from_elsewhere_is_read_from_the_message(
    model: Model,
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Bob", amount="50"))
        assert await talk.say("send 50 to Bob") == ["Send 50 to Bob?"]
        model.will_say(commands({"type": "CorrectSlot", "slot_name": "amount", "new_value": "50"}))
        assert (await talk.say("no, make it 60"))[-1] == "Send 60 to Bob?"


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("no wait, only 60", "Send 60 to Bob?"),
        ("no, 50 is wrong", "How much?"),
        ("no, not that much", "How much?"),
    ],
)
async def test_who_says_what_is_wrong_and_how_it_should_be_is_not_asked_for_it(
    message: str, reply: str, model: Model
) -> None:
    async with bank(model) as talk:
        model.will_say(commands(START), slots(recipient="Bob", amount="50"))
        assert await talk.say("send 50 to Bob") == ["Send 50 to Bob?"]
        model.will_say(commands({"type": "DenyConfirmation", "slot_to_change": "amount"}))
        assert (await talk.say(message))[-1] == reply


async def test_words_that_a_slot_cannot_read_are_refused_aloud_only_where_it_was_asked_for(
    model: Model,
) -> None:
    async with bank(model) as talk:
        assert await talk.say("send money") == ["To whom?"]
        everywhere = [
            {"type": "SetSlot", "slot_name": name, "value": "my aunt Ann"}
            for name in ("recipient", "amount")
        ]
        model.will_say(commands(*everywhere))
        assert await talk.say("my aunt Ann") == ["How much?"]
        model.will_say(commands({**AMOUNT, "value": "a lot"}))
        assert await talk.say("a lot") == ["Please give a number.", "How much?"]


@pytest.mark.parametrize(("said", "speed"), [("fifty", None), ("fifty, and quickly", "express")])
async def test_a_choice_nobody_was_asked_for_needs_words_of_its_own(
    said: str, speed: str | None, model: Model
) -> None:
    asks = BANK.replace("- collect: amount", "- collect: amount\n      - collect: speed")
    async with asked_how_much(model, asks) as talk:
        express = {"type": "SetSlot", "slot_name": "speed", "value": "express"}
        model.will_say(commands({**AMOUNT, "value": "fifty"}, express))
        await talk.say(said)
        assert (talk.slots["amount"], talk.slots.get("speed")) == (50, speed)


@pytest.mark.parametrize(
    ("message", "copy", "recipient"),
    [
        ("my freind Stéfan", "my friend Stefan", "my freind Stéfan"),
        ("it is for maria-josé.", "Maria José", "maria-josé"),
        ("O’Brian", "OBrian", "O’Brian"),  # noqa: RUF001
        ("somebody that I know", "Anna", None),
        ("send it home", "Rome", None),
        ("number 453", "number 454", None),
    ],
)
async def test_a_name_is_taken_as_the_person_spelled_it_and_never_as_the_model_would(
    message: str, copy: str, recipient: str | None, model: Model
) -> None:
    async with bank(model) as talk:
        await talk.say("send money")
        model.will_say(commands({"type": "SetSlot", "slot_name": "recipient", "value": copy}))
        question = (await talk.say(message))[-1]
        assert talk.slots == ({"recipient": recipient} if recipient else {})
        assert question == ("How much?" if recipient else "To whom?")


async def test_a_value_that_nobody_said_fills_no_slot(model: Model) -> None:
    async with bank(model) as talk:
        await talk.runtime.turn(
            "", "ann", commands=[{"type": "StartFlow", "flow_name": "transfer"}]
        )
        model.will_say(
            commands(
                {"type": "SetSlot", "slot_name": "recipient", "value": "Bob Smith"},
                {"type": "SetSlot", "slot_name": "amount", "value": "4"},
            )
        )
        await talk.say("to Anna, 453 euros")
        assert talk.slots == {"amount": 453}
