"""collect: every key of it together, in both languages."""

import pytest

from soni.commands import SkipSlot, StartFlow
from tests.talking import talking_to

HOTEL = """
slots:
  hotel: {type: object, prompt: {en: "Which hotel?", es: "¿Qué hotel?"}}
  nights: {type: integer, prompt: {en: "How many nights?", es: "¿Cuántas noches?"}}
flows:
  stay:
    trigger: {examples: [stay]}
    inputs: ["near?"]
    steps:
      - set:
          hotels:
            - {name: Sol, price: 80.5}
            - {name: Luna, price: 95}
            - {name: Mar, price: 120}
      - step: pick
        type: collect
        slot: hotel
        message: {en: "Which one?", es: "¿Cuál?"}
        from: hotels
        display: "{name} ({price | money})"
        page_size: 2
        max_attempts: 2
        on_invalid: sorry
        on_skip: later
        when: not near
        jump_to: nights
      - {say: {en: "You live near.", es: "Vives cerca."}, jump_to: end}
      - {step: nights, type: collect, slot: nights, force: true}
      - {say: {en: "{nights} in {hotel.name}.", es: "{nights} en {hotel.name}."}, jump_to: end}
      - {step: sorry, say: {en: "None then.", es: "Pues ninguno."}, jump_to: end}
      - {step: later, say: {en: "Later then.", es: "Pues luego."}}
"""

PAGES = {
    "en": (
        "Which one?\n1. Sol ($80.50)\n2. Luna ($95.00)\nSay 'more' to see more.",
        "Which one?\n3. Mar ($120.00)",
    ),
    "es": (
        "¿Cuál?\n1. Sol (80,50 €)\n2. Luna (95,00 €)\nDi 'más' para ver más.",
        "¿Cuál?\n3. Mar (120,00 €)",
    ),
}


@pytest.mark.parametrize(
    ("language", "more", "second_one", "asked", "said"),
    [
        ("en", "more", "the second one", "How many nights?", "2 in Mar."),
        ("es", "más", "la segunda", "¿Cuántas noches?", "2 en Mar."),
    ],
)
async def test_a_list_is_leafed_through_and_an_item_picked(
    language: str, more: str, second_one: str, asked: str, said: str
) -> None:
    first, second = PAGES[language]
    async with talking_to(HOTEL) as talk:
        assert await talk.say("stay", language=language) == [first]
        assert await talk.say(more, language=language) == [second]
        assert await talk.say(more, language=language) == [first]
        assert await talk.say("Mar", language=language) == [asked]
        assert talk.slots["hotel"] == {"name": "Mar", "price": 120}
        assert await talk.say("2", language=language) == [said]
    async with talking_to(HOTEL) as talk:
        await talk.say("stay", language=language)
        assert await talk.say(second_one, language=language) == [asked]
        assert talk.slots["hotel"]["name"] == "Luna"


@pytest.mark.parametrize(
    ("language", "refused", "sorry"),
    [
        ("en", "Please choose one of the list.", "None then."),
        ("es", "Elige uno de la lista.", "Pues ninguno."),
    ],
)
async def test_what_is_not_in_the_list_leads_to_on_invalid_after_max_attempts(
    language: str, refused: str, sorry: str
) -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("stay", language=language)
        assert await talk.say("Ritz", language=language) == [refused, PAGES[language][0]]
        assert await talk.say("9", language=language) == [refused, sorry]


@pytest.mark.parametrize(("language", "later"), [("en", "Later then."), ("es", "Pues luego.")])
async def test_a_skip_leads_to_on_skip(language: str, later: str) -> None:
    async with talking_to(HOTEL) as talk:
        await talk.say("stay", language=language)
        assert await talk.say("-", SkipSlot(), language=language) == [later]


async def test_a_guard_that_does_not_hold_passes_over_the_question_and_its_jump() -> None:
    async with talking_to(HOTEL) as talk:
        start = StartFlow(flow_name="stay", slots={"near": True})
        assert await talk.say("stay", start) == ["You live near."]


@pytest.mark.parametrize(
    ("language", "needed", "asked", "refused"),
    [
        ("en", "I need nights to go on.", "How many nights?", "Please give a whole number."),
        ("es", "Necesito nights para continuar.", "¿Cuántas noches?",
         "Por favor, da un número entero."),
    ],
)  # fmt: skip
async def test_a_forced_question_is_put_although_its_slot_is_filled(
    language: str, needed: str, asked: str, refused: str
) -> None:
    async with talking_to(HOTEL) as talk:
        start = StartFlow(flow_name="stay", slots={"nights": 3})
        await talk.say("stay 3 nights", start, language=language)
        assert await talk.say("1", language=language) == [asked]
        assert await talk.say("-", SkipSlot(), language=language) == [needed, asked]
        assert await talk.say("x", language=language) == [refused, asked]
        assert (await talk.say("4", language=language))[0][:1] == "4"


DRINK = """
slots:
  drink: {type: choice, values: {tea: [té], coffee: [café]}, prompt: {en: "Tea or coffee?",
          es: "¿Té o café?"}}
  sugar: {type: boolean, prompt: {en: "Sugar?", es: "¿Azúcar?"}}
flows:
  drink:
    trigger: {examples: [drink]}
    steps:
      - {step: both, type: collect, slot: [drink, sugar],
         prompt: {en: "What may I bring?", es: "¿Qué te traigo?"}, ui: {type: quick_replies}}
      - say: {en: "{drink}, sugar: {sugar}.", es: "{drink}, azúcar: {sugar}."}
"""


async def test_one_question_for_two_slots_then_the_one_that_is_missing() -> None:
    async with talking_to(DRINK) as talk:
        assert await talk.say("drink") == ["What may I bring?\n1. tea\n2. coffee"]
        assert await talk.say("2") == ["Sugar?"]
        assert await talk.say("no") == ["coffee, sugar: no."]


async def test_one_question_for_two_slots_in_spanish() -> None:
    async with talking_to(DRINK) as talk:
        assert await talk.say("drink", language="es") == ["¿Qué te traigo?\n1. tea\n2. coffee"]
        assert await talk.say("vino", language="es") == [
            "Elige una de estas opciones: tea, coffee.",
            "¿Qué te traigo?\n1. tea\n2. coffee",
        ]
        assert await talk.say("té", language="es") == ["¿Azúcar?"]
        assert await talk.say("sí", language="es") == ["tea, azúcar: sí."]
