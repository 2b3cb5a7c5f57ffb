"""collect from a list: an item by number, ordinal or text, page by page, stored whole."""

import pytest

from soni.commands import CorrectSlot, DenyConfirmation, SetSlot
from tests.talking import talking_to

FLIGHTS = """
slots:
  city: {prompt: Where to?}
  flight: {type: object, prompt: Which flight?}
actions:
  search: {inputs: [city], outputs: [flights], repeatable: true}
flows:
  fly:
    trigger: {examples: [fly]}
    steps:
      - collect: city
      - action: search
      - {collect: flight, from: flights, display: "{airline} at {time}", page_size: 2}
      - {confirm: "{flight.airline} for {flight.price}?"}
      - say: "Booked {flight.airline}."
"""

SEARCH = """
from soni import action

@action
def search(city):
    flights = [
        {"airline": "Iberia", "time": "10:00", "price": 120},
        {"airline": "Vueling", "time": "12:30", "price": 90},
        {"airline": "Ryanair", "time": "18:00", "price": 40},
    ]
    return {"flights": flights if city != "Oslo" else flights[1:]}
"""

FIRST_PAGE = "Which flight?\n1. Iberia at 10:00\n2. Vueling at 12:30\nSay 'more' to see more."
SECOND_PAGE = "Which flight?\n3. Ryanair at 18:00"


@pytest.mark.parametrize(
    ("said", "airline"),
    [
        ("1", "Iberia"),
        ("number 2", "Vueling"),
        ("3", "Ryanair"),
        ("the second one", "Vueling"),
        ("first", "Iberia"),
        ("the last one", "Vueling"),
        ("Vueling", "Vueling"),
        ("iberia at 10:00", "Iberia"),
        ("10:00", "Iberia"),
        ("the 10 am one", "Iberia"),
        ("the 6 pm one", "Ryanair"),
    ],
)
async def test_an_item_is_picked_by_number_ordinal_or_text(said: str, airline: str) -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        assert await talk.say("Rome") == [FIRST_PAGE]
        answer = await talk.say(said)
        assert answer[-1].startswith(airline), answer


async def test_a_time_is_not_found_in_a_part_of_another() -> None:
    early = SEARCH.replace("12:30", "7:10 am")
    async with talking_to(FLIGHTS, early) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        for said in ("10 am", "the 10 AM one", "10:00"):
            pick = SetSlot(slot_name="flight", value=said)
            assert await talk.say(said, pick) == ["Iberia for 120?"]
            await talk.say("no, another flight", DenyConfirmation(slot_to_change="flight"))
        refused = await talk.say("9 am", SetSlot(slot_name="flight", value="9 am"))
        assert refused[0] == "Please choose one of the list."


async def test_the_whole_item_is_stored() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        assert await talk.say("2") == ["Vueling for 90?"]
        assert talk.slots["flight"] == {"airline": "Vueling", "time": "12:30", "price": 90}


async def test_more_shows_the_next_page_and_then_the_first_again() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        assert await talk.say("more") == [SECOND_PAGE]
        assert await talk.say("more") == [FIRST_PAGE]
        await talk.say("more")
        assert await talk.say("the first one") == ["Ryanair for 40?"]


async def test_what_is_not_in_the_list_is_refused_and_counted() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        assert await talk.say("Lufthansa") == ["Please choose one of the list.", FIRST_PAGE]
        assert await talk.say("7") == ["Please choose one of the list.", FIRST_PAGE]
        answer = await talk.say("Qantas")
        assert answer == ["Please choose one of the list.", "I am connecting you with a person."]


async def test_an_item_that_the_recomputed_list_has_no_more_is_asked_again() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        assert await talk.say("1") == ["Iberia for 120?"]
        change = CorrectSlot(slot_name="city", new_value="Oslo")
        assert await talk.say("to Oslo", change) == [
            "city is now Oslo.",
            "Which flight?\n1. Vueling at 12:30\n2. Ryanair at 18:00",
        ]
        assert await talk.say("1") == ["Vueling for 90?"]


async def test_an_item_that_the_recomputed_list_still_has_stays() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        await talk.say("2")
        change = CorrectSlot(slot_name="city", new_value="Oslo")
        assert await talk.say("to Oslo", change) == ["city is now Oslo.", "Vueling for 90?"]


async def test_a_picked_item_is_corrected_by_another_of_the_list() -> None:
    async with talking_to(FLIGHTS, SEARCH) as talk:
        await talk.say("fly")
        await talk.say("Rome")
        await talk.say("2")
        change = CorrectSlot(slot_name="flight", new_value="ryanair")
        answer = await talk.say("no, Ryanair", change)
        assert answer[-1] == "Ryanair for 40?"


async def test_an_empty_list_is_a_failure() -> None:
    async with talking_to(
        """
        slots:
          pick: {prompt: Which?}
        flows:
          choose:
            trigger: {examples: [choose]}
            on_error: sorry
            steps:
              - set: {things: []}
              - {collect: pick, from: things}
              - {say: never, jump_to: end}
              - {step: sorry, say: "{_error_type}"}
        """
    ) as talk:
        assert await talk.say("choose") == ["no_options"]


async def test_plain_values_are_picked_and_shown_as_they_are() -> None:
    async with talking_to(
        """
        flows:
          choose:
            trigger: {examples: [choose]}
            steps:
              - set: {sizes: [small, medium, large]}
              - {collect: size, message: Which size?, from: sizes}
              - say: "{size}"
        """
    ) as talk:
        assert await talk.say("choose") == ["Which size?\n1. small\n2. medium\n3. large"]
        assert await talk.say("the third one") == ["large"]
