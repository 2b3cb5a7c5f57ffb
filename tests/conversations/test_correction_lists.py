"""Corrections of what a list was made of: what was derived from the item picked goes with it."""

import pytest

from soni.commands import CorrectSlot, StartFlow
from tests.talking import talking_to

TRIP = """
slots:
  city: {prompt: Where to?}
  flight: {type: object, prompt: Which flight?}
  name: {prompt: Your name?}
actions:
  search: {inputs: [city], outputs: [flights], repeatable: true}
  quote: {inputs: [flight], outputs: [price], repeatable: true}
flows:
  fly:
    trigger: {examples: [fly]}
    steps:
      - collect: city
      - action: search
      - {collect: flight, from: flights, display: "{code} at {fare}", page_size: 2}
      - set: {code: "{{ flight.code }}"}
      - action: quote
      - collect: name
      - {confirm: "{code} for {price}, {name}?"}
"""

SEARCH = """
from soni import action

@action
def search(city):
    return {"flights": [{"code": city[0] + str(n), "fare": len(city) * n} for n in (1, 2, 3)]}

@action
def quote(flight):
    return {"price": flight["fare"] + 1}
"""

PAGE = "Which flight?\n1. L1 at 4\n2. L2 at 8\nSay 'more' to see more."


async def test_what_was_derived_from_an_item_that_is_gone_is_derived_from_the_new_one() -> None:
    async with talking_to(TRIP, SEARCH) as talk:
        for said in ("fly", "Rome", "2"):
            await talk.say(said)
        assert await talk.say("Ann") == ["R2 for 9, Ann?"]
        to_lima = CorrectSlot(slot_name="city", new_value="Lima")
        assert await talk.say("Lima", to_lima) == ["city is now Lima.", PAGE]
        assert await talk.say("1") == ["L1 for 5, Ann?"]


async def test_a_list_that_is_made_anew_is_shown_from_its_first_page() -> None:
    async with talking_to(TRIP, SEARCH) as talk:
        for said in ("fly", "Rome"):
            await talk.say(said)
        assert await talk.say("more") == ["Which flight?\n3. R3 at 12"]
        to_lima = CorrectSlot(slot_name="city", new_value="Lima")
        assert await talk.say("Lima", to_lima) == ["city is now Lima.", PAGE]


async def test_a_corrected_item_is_acknowledged_as_the_list_shows_it() -> None:
    async with talking_to(TRIP, SEARCH) as talk:
        for said in ("fly", "Rome", "2", "Ann"):
            await talk.say(said)
        other = CorrectSlot(slot_name="flight", new_value="R1")
        assert await talk.say("R1", other) == ["flight is now R1 at 4.", "R1 for 5, Ann?"]


@pytest.mark.parametrize("kind", ["buttons", "quick_replies", "carousel"])
async def test_numbers_are_those_of_the_list_whatever_is_shown_beside_it(kind: str) -> None:
    cards = ", cards: [{title: '{code}'}]" if kind == "carousel" else ""
    shown = TRIP.replace("page_size: 2}", f"page_size: 2, ui: {{type: {kind}{cards}}}}}")
    for pages, number, code in ((0, "2", "R2"), (1, "1", "R1"), (1, "3", "R3")):
        async with talking_to(shown, SEARCH) as talk:
            await talk.say("to Rome", StartFlow(flow_name="fly", slots={"city": "Rome"}))
            for _ in range(pages):
                await talk.say("more")
            await talk.say(number)
            assert talk.slots["code"] == code


async def test_what_a_called_flow_asked_for_can_be_corrected_in_words() -> None:
    caller = """
  trip:
    trigger: {examples: [trip]}
    steps:
      - {call: pick, outputs: {flight: chosen}}
      - confirm: "{chosen.code}?"
  pick:
    inputs: [city]
    outputs: [flight]
    steps:
      - collect: city
      - action: search
      - {collect: flight, from: flights}
"""
    async with talking_to(TRIP + caller, SEARCH) as talk:
        for said in ("trip", "Rome"):
            await talk.say(said)
        assert await talk.say("2") == ["R2?"]
        said_again = await talk.say("change the flight to R3")
        assert said_again[-1] == "R3?"
