"""collect with `from`: items to press, words that choose by a rule, leafing to and fro."""

import pytest

from soni.commands import SetSlot, StartFlow
from soni.core.errors import NotAllowedError
from tests.talking import Talk, talking_to

PLAIN = """
slots:
  flight: {type: object, prompt: {en: "Which flight?", es: "¿Qué vuelo?"}}
actions:
  search: {outputs: [flights], repeatable: true}
flows:
  fly:
    trigger: {examples: [fly]}
    steps:
      - action: search
      - collect: flight
        from: flights
        display: "{airline} at {leaves}"
        page_size: 2
        rules:
          cheapest: {smallest: price}
          más barato: {smallest: price}
          most expensive: {largest: price}
          earliest: {smallest: leaves}
          shortest: {smallest: "price / 0"}
      - say: "You fly with {flight.airline}."
"""
ACTIONS = """
from soni import action

@action
def search() -> dict:
    return {"flights": [
        {"airline": "Iberia", "leaves": "10:00", "price": 90},
        {"airline": "Vueling", "leaves": "08:30", "price": 50},
        {"airline": "Ryanair", "leaves": "21:15", "price": 120},
    ]}
"""
FLY = StartFlow(flow_name="fly")
CARD = '{title: "{airline}", text: "{price} euros", image: "https://air/{airline}.png"}'
BUTTONS = PLAIN.replace("page_size: 2", "page_size: 2\n        ui: {type: buttons}")
CARDS = BUTTONS.replace("{type: buttons}", f"{{type: carousel, cards: [{CARD}]}}")
FIRST_PAGE = "Which flight?\n1. Iberia at 10:00\n2. Vueling at 08:30\nSay 'more' to see more."
SECOND_PAGE = "Which flight?\n3. Ryanair at 21:15"


def pick(words: object) -> SetSlot:
    return SetSlot(slot_name="flight", value=words)


def shown(talk: Talk) -> dict[str, object]:
    return talk.state["replies"][-1]["ui"]


@pytest.mark.parametrize(
    ("words", "airline"),
    [
        ("cheapest", "Vueling"),
        ("the cheapest one", "Vueling"),
        ("The cheapest flight, please", "Vueling"),
        ("el más barato", "Vueling"),
        ("most expensive", "Ryanair"),
        ("the earliest", "Vueling"),
    ],
)
async def test_a_word_chooses_by_the_authors_rule(words: str, airline: str) -> None:
    async with talking_to(PLAIN, ACTIONS) as talk:
        await talk.say("fly", FLY)
        assert await talk.say(words, pick(words)) == [f"You fly with {airline}."]


@pytest.mark.parametrize("words", ["fastest", "cheap", "cheapest or earliest", "shortest"])
async def test_without_one_rule_that_says_so_nothing_is_chosen(words: str) -> None:
    async with talking_to(PLAIN, ACTIONS) as talk:
        await talk.say("fly", FLY)
        said = await talk.say(words, pick(words))
        assert said[-1] == FIRST_PAGE
        assert "flight" not in talk.slots


async def test_leafing_goes_to_and_fro() -> None:
    async with talking_to(PLAIN, ACTIONS) as talk:
        assert await talk.say("fly", FLY) == [FIRST_PAGE]
        assert await talk.say("more", pick("more")) == [SECOND_PAGE]
        assert await talk.say("back", pick("back")) == [FIRST_PAGE]
        assert await talk.say("previous", pick("previous")) == [SECOND_PAGE]
        [page] = await talk.say("atrás", pick("atrás"), language="es")
        assert page.startswith("¿Qué vuelo?\n1. Iberia at 10:00\n2. Vueling at 08:30\n")


@pytest.mark.parametrize("assistant", [BUTTONS, CARDS])
async def test_those_who_see_text_only_read_the_same_page(assistant: str) -> None:
    async with talking_to(assistant, ACTIONS) as talk:
        assert await talk.say("fly", FLY) == [FIRST_PAGE]
        assert await talk.say("3", pick("3")) == ["You fly with Ryanair."]


async def test_the_items_of_the_page_are_buttons() -> None:
    async with talking_to(BUTTONS, ACTIONS) as talk:
        await talk.say("fly", FLY)
        assert shown(talk) == {
            "type": "buttons",
            "message": "Which flight?",
            "options": [
                {"label": "Iberia at 10:00", "value": 1},
                {"label": "Vueling at 08:30", "value": 2},
                {"label": "More", "value": "more"},
            ],
        }


async def test_a_button_picks_its_item() -> None:
    async with talking_to(BUTTONS, ACTIONS) as talk:
        await talk.say("fly", FLY)
        turn = await talk.runtime.press("ann", "Vueling at 08:30")
        assert turn.messages == ["You fly with Vueling."]


async def test_more_is_pressed_and_only_the_page_that_is_shown_can_be() -> None:
    async with talking_to(BUTTONS, ACTIONS) as talk:
        await talk.say("fly", FLY)
        assert (await talk.runtime.press("ann", "More")).messages == [SECOND_PAGE]
        with pytest.raises(NotAllowedError) as error:
            await talk.runtime.press("ann", "Iberia at 10:00")
        assert str(error.value) == (
            "'Iberia at 10:00' was not offered; last offered: Ryanair at 21:15"
        )
        turn = await talk.runtime.press("ann", "Ryanair at 21:15")
        assert turn.messages == ["You fly with Ryanair."]


async def test_a_carousel_shows_a_card_for_each_item() -> None:
    async with talking_to(CARDS, ACTIONS) as talk:
        await talk.say("fly", FLY)
        assert shown(talk) == {
            "type": "carousel",
            "message": "Which flight?",
            "options": [{"label": "More", "value": "more"}],
            "cards": [
                {
                    "title": "Iberia",
                    "text": "90 euros",
                    "image": "https://air/Iberia.png",
                    "options": [{"label": "Iberia at 10:00", "value": 1}],
                },
                {
                    "title": "Vueling",
                    "text": "50 euros",
                    "image": "https://air/Vueling.png",
                    "options": [{"label": "Vueling at 08:30", "value": 2}],
                },
            ],
        }
        turn = await talk.runtime.press("ann", "Iberia at 10:00")
        assert turn.messages == ["You fly with Iberia."]


async def test_in_spanish() -> None:
    async with talking_to(BUTTONS, ACTIONS) as talk:
        assert await talk.say("volar", FLY, language="es") == [
            "¿Qué vuelo?\n1. Iberia at 10:00\n2. Vueling at 08:30\nDi 'más' para ver más."
        ]
        assert (await talk.runtime.press("ann", "Más")).messages == [
            "¿Qué vuelo?\n3. Ryanair at 21:15"
        ]


async def test_numbers_on_offer_are_meant_themselves_when_pressed() -> None:
    rooms = """
    flows:
      stay:
        trigger: {examples: [stay]}
        steps:
          - set: {rooms: [3, 1, 2]}
          - {collect: room, message: Which room?, from: rooms, ui: {type: quick_replies}}
          - say: "Room {room}."
    """
    async with talking_to(rooms) as talk:
        await talk.say("stay", StartFlow(flow_name="stay"))
        assert (await talk.runtime.press("ann", "1")).messages == ["Room 1."]


async def test_a_hostile_item_stays_text() -> None:
    hostile = ACTIONS.replace('"Iberia"', '"{flight} {{ 1 }} <b>"')
    async with talking_to(CARDS, hostile) as talk:
        await talk.say("fly", FLY)
        [first, _] = shown(talk)["cards"]
        assert first["title"] == "{flight} {{ 1 }} <b>"
