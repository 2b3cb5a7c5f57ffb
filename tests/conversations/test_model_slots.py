"""Which slot the words fill that a language model copied."""

from typing import Any

import pytest

from tests.conversations.model_bank import BANK, START, bank
from tests.model_server import Model, commands, slots

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
