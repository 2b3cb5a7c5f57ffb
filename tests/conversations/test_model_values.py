"""Values that a language model reads: as they were said, and never invented."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.conversations.model_bank import BANK, START, bank
from tests.model_server import Model, commands, slots
from tests.talking import Talk

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


WAY = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  origin: {type: choice, values: [Oslo, Lima], prompt: "Where from?"}
  destination: {type: choice, values: [Oslo, Lima], prompt: "Where to?"}
  seat: {type: choice, values: [window, aisle], prompt: "Which seat?"}
  guest: {prompt: "Who flies?"}
  departure_date: {type: date, prompt: "When?"}
  return_date: {type: date, prompt: "When back?"}
flows:
  book_flight:
    description: Book a flight
    trigger: {examples: [book a flight]}
    steps: [{collect: origin}, {collect: destination}, {collect: guest}, {collect: seat},
            {collect: departure_date}, {collect: return_date}]
"""


@pytest.mark.parametrize(
    ("message", "copied", "filled"),
    [
        (
            "fly me to lima",
            {"origin": ("lima", "Lima"), "destination": ("lima", "Lima")},
            {"destination": "Lima"},
        ),
        ("a flight to lima", {"origin": ("lima", "Lima")}, {"destination": "Lima"}),
        ("a flight to Oslo or Lima", {"destination": ("Oslo", "Oslo")}, {}),
        (
            "a flight next monday, back on thursday",
            {"departure_date": "next monday", "return_date": "thursday"},
            {"departure_date": "2026-03-09", "return_date": "2026-03-12"},
        ),
        ("I need a flight", {"guest": "a flight", "seat": ("a flight", "aisle")}, {}),
        ("I need a flight by the glass", {"seat": ("by the glass", "window")}, {"seat": "window"}),
        (
            "a flight for Ann from Lima to Oslo",
            {"origin": ("Lima", "Lima"), "destination": ("Oslo", "Oslo"), "guest": "Ann"},
            {"origin": "Lima", "destination": "Oslo", "guest": "Ann"},
        ),
    ],
)
async def test_words_fill_one_slot_each_and_those_that_ask_for_the_flow_none(
    message: str, copied: dict[str, Any], filled: dict[str, Any], model: Model
) -> None:
    async with bank(model, WAY) as talk:
        model.will_say(commands({"type": "StartFlow", "flow_name": "book_flight"}), slots(**copied))
        await talk.say(message)
        assert talk.slots == filled


async def test_of_several_words_for_one_slot_the_longest_count(model: Model) -> None:
    said = [{"slot": "recipient", "said": words} for words in ("my friend Bob", "my friend")]
    async with bank(model) as talk:
        model.will_say(commands(START), {"slots": said})
        await talk.say("hi! money for my friend Bob")
        assert talk.slots == {"recipient": "my friend Bob"}


OPTIONS = """
      - collect: speed
        ui:
          type: quick_replies
          options: [{label: By ship, value: normal}, {label: By plane, value: express}]
"""


@pytest.mark.parametrize("copy", ["By plane", "by plane", "2"])
async def test_the_words_on_an_option_stand_for_its_value(copy: str, model: Model) -> None:
    asks = BANK.replace("\n      - collect: amount", OPTIONS + "      - collect: amount")
    async with bank(model, asks) as talk:
        model.will_say(commands(START), slots(recipient="Anna"))
        assert await talk.say("something for Anna") == ["How fast?\n1. By ship\n2. By plane"]
        model.will_say(commands({"type": "SetSlot", "slot_name": "speed", "value": copy}))
        assert await talk.say("let it fly") == ["How much?"]
        assert talk.slots["speed"] == "express"


AMOUNT = {"type": "SetSlot", "slot_name": "amount"}
UNSAID = "dropped: SetSlot with a value that nobody said"


@asynccontextmanager
async def asked_how_much(model: Model, yaml: str = BANK) -> AsyncIterator[Talk]:
    async with bank(model, yaml) as talk:
        model.will_say(commands(START), slots(recipient="Anna"))
        assert await talk.say("send something to Anna") == ["How much?"]
        yield talk


async def test_an_amount_that_the_model_invents_is_not_taken_and_the_question_stays(
    model: Model,
) -> None:
    async with asked_how_much(model) as talk:
        model.will_say(commands({**AMOUNT, "value": "1000"}))
        assert await talk.say("as much as you can") == ["I did not understand that.", "How much?"]
        assert talk.slots == {"recipient": "Anna"}
        assert talk.state["metadata"].get("error") is None
        assert talk.state["turn"]["reasoning"] == UNSAID
        journal = await talk.runtime.store.journal.entries("ann")
        assert journal[-1].data["reasoning"] == UNSAID
        model.will_say(commands({**AMOUNT, "value": "50"}))
        assert await talk.say("50 then") == ["Send 50 to Anna?"]
        assert "reasoning" not in talk.state["turn"]


@pytest.mark.parametrize(
    ("message", "copy", "reply"),
    [
        ("I'd say fifty, if that is all right with you", "50", "Send 50 to Anna?"),
        ("one thousand, for her two children", "1000", "Send 1000 to Anna?"),
        ("1,000", "1", "Send 1000 to Anna?"),
        ("for her two children", "1000", "How much?"),
        ("fivehundred or so", "500", "How much?"),
        ("fiifty", "fifty", "Send 50 to Anna?"),
        ("Fifty.", "15", "Send 50 to Anna?"),
    ],
)
async def test_a_number_in_other_words_counts_if_the_message_says_the_same(
    message: str, copy: str, reply: str, model: Model
) -> None:
    async with asked_how_much(model) as talk:
        model.will_say(commands({**AMOUNT, "value": copy}))
        assert (await talk.say(message))[-1] == reply


VISIT = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  day: {type: date, prompt: "Which day?"}
flows:
  visit:
    description: Come to see us
    trigger: {examples: [visit]}
    steps: [{collect: day}, {say: "See you on {day}."}]
"""


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("tomorrow, if you like", "See you on 3 March 2026."),
        ("tomorrow or next friday", "Which day?"),
        ("whenever you like", "Which day?"),
    ],
)
async def test_a_day_that_the_model_has_worked_out_is_read_from_the_message(
    message: str, reply: str, model: Model
) -> None:
    async with bank(model, VISIT) as talk:
        assert await talk.say("visit") == ["Which day?"]
        model.will_say(commands({"type": "SetSlot", "slot_name": "day", "value": "2024-05-07"}))
        assert (await talk.say(message))[-1] == reply


@pytest.mark.parametrize(
    ("message", "copy", "reply"),
    [
        ("Tuesday", "Thursday", "See you on 3 March 2026."),
        ("tuesday, I think", "Thursday", "See you on 3 March 2026."),
        ("thurzday", "Thursday", "See you on 5 March 2026."),
    ],
)
async def test_the_day_is_the_one_that_was_said_and_not_one_that_is_spelled_alike(
    message: str, copy: str, reply: str, model: Model
) -> None:
    async with bank(model, VISIT) as talk:
        await talk.say("visit")
        model.will_say(commands({"type": "SetSlot", "slot_name": "day", "value": copy}))
        assert (await talk.say(message))[-1] == reply


async def test_a_number_that_was_asked_about_can_be_meant_without_being_said(model: Model) -> None:
    yaml = BANK.replace('prompt: "How much?"', 'prompt: "How much? The most is 500."')
    async with bank(model, yaml) as talk:
        model.will_say(commands(START), slots(recipient="Anna"))
        await talk.say("send something to Anna")
        model.will_say(commands({**AMOUNT, "value": "500"}))
        assert await talk.say("as much as you can") == ["Send 500 to Anna?"]


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


TRIP = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  departure_date: {type: date, prompt: "When do you leave?", description: Day of departure}
  return_date: {type: date, prompt: "When do you come back?", description: Day of the way back}
  passengers: {type: integer, prompt: "How many of you?", description: How many people fly}
  mail: {type: email, prompt: "Your address?"}
  flight: {type: object}
flows:
  trip:
    description: Book a trip
    trigger: {examples: [book a trip]}
    steps:
      - collect: departure_date
      - collect: return_date
      - collect: passengers
      - set: {flights: [{name: Sol Air}, {name: Nordavia}]}
      - {collect: flight, from: flights, display: "{name}", message: "Which flight?"}
      - collect: mail
      - say: "{flight.name} for {passengers}, back on {return_date}."
"""


def told(slot: str, value: str) -> dict[str, Any]:
    return commands({"type": "SetSlot", "slot_name": slot, "value": value})


async def test_what_the_offline_rules_know_is_known_beside_a_model(model: Model) -> None:
    async with bank(model, TRIP) as talk:
        model.will_say(commands({"type": "StartFlow", "flow_name": "trip"}), slots(mail="a trip"))
        # What is no address is not told to be none before one was asked for.
        assert await talk.say("I want a trip") == ["When do you leave?"]
        model.will_say(told("departure_date", "next friday"))
        assert await talk.say("next friday") == ["When do you come back?"]
        model.will_say(told("return_date", "sunday"))
        assert await talk.say("on sunday") == ["How many of you?"]
        assert talk.slots["return_date"] > talk.slots["departure_date"]
        model.will_say(told("passengers", "1"))
        assert (await talk.say("just me"))[-1].startswith("Which flight?")
        asked = len(model.asked)
        # The model is not asked: whoever sees a list says the place, or the words of an item.
        assert await talk.say("the second one") == ["Your address?"]
        assert len(model.asked) == asked
        assert talk.slots["flight"] == {"name": "Nordavia"}


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("The red bag never arrived.", "You said: The red bag never arrived."),
        ("who reads this?", "Tell me more."),
    ],
)
async def test_who_was_asked_to_tell_something_and_asks_nothing_has_told_it(
    said: str, reply: str, model: Model
) -> None:
    async with bank(model) as talk:
        assert await talk.say("complain") == ["Tell me more."]
        model.will_say(commands({"type": "Clarify"}))
        assert (await talk.say(said))[-1] == reply


ROOMS = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  more: {type: boolean, prompt: "Another room?"}
flows:
  book:
    description: Book rooms
    trigger: {examples: [book a room]}
    steps:
      - set: {reference: TR1}
      - collect: more
      - confirm: "Book {reference}?"
"""


@pytest.mark.parametrize(("said", "more"), [("no, that's all for now", False), ("who knows", None)])
async def test_a_yes_or_no_question_that_is_answered_is_not_left_out(
    said: str, more: bool | None, model: Model
) -> None:
    async with bank(model, ROOMS) as talk:
        assert await talk.say("book a room") == ["Another room?"]
        model.will_say(commands({"type": "SkipSlot"}))
        await talk.say(said)
        assert talk.slots.get("more") is more


async def test_what_no_step_asks_for_is_not_asked_for_again(model: Model) -> None:
    async with bank(model, ROOMS) as talk:
        await talk.say("book a room")
        assert await talk.say("no") == ["Book TR1?"]
        model.will_say(commands({"type": "DenyConfirmation"}))
        await talk.say("hmm no, keep it as it is")
        assert "slot_to_change" not in str(model.schema())
