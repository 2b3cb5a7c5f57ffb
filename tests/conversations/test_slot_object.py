"""A slot of type object with every key, in both languages: an application hands it over."""

from typing import Any

from soni.commands import SetSlot, SkipSlot, StartFlow
from tests.conversations.transcript import hold

TRIP = """
settings: {collection: {max_attempts: 9}}
slots:
  place:
    type: object
    description: Where it goes to
    prompt: {en: "Where to?", es: "¿A dónde?"}
    help: {en: "Press it on the map.", es: "Púlsalo en el mapa."}
    examples: ["city: Rome"]
    normalizer: titled
    validator: on_earth
    constraints:
      - {if: place.nights < 8, message: {en: "{place} is too long.", es: "{place} es mucho."}}
    default: {city: Home, nights: 0}
    required: false
    ask_before_filling: true
    scope: conversation
  card: {type: object, prompt: {en: "Which card?", es: "¿Qué tarjeta?"}, sensitive: true}
flows:
  travel:
    trigger: {examples: [travel]}
    steps:
      - collect: place
      - collect: card
      - say: {en: "{place.city} ({place}), {card.number}.", es: "{place.city} ({place}), {card}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def titled(value):
    return {**value, "city": value["city"].title()}

@validator
def on_earth(value):
    if value["city"] == "Moon":
        raise ValueError("Not to the moon.")
    return value["nights"] >= 0
"""

START = StartFlow(flow_name="travel", slots={"place": {"city": "Rome", "nights": 2}})


def place(city: str, nights: Any) -> SetSlot:
    return SetSlot(slot_name="place", value={"city": city, "nights": nights})


CARD = SetSlot(slot_name="card", value={"number": "4111-1111"})


async def test_in_english() -> None:
    await hold(TRIP, FUNCTIONS, "en", [
        (START, ["Where to?"]),
        ("why?", ["Press it on the map.", "Where to?"]),
        ("Rome", ["Named values are needed here, such as city: Madrid.", "Where to?"]),
        (place("moon", 1), ["Not to the moon.", "Where to?"]),
        (place("rome", -1), ["That value is not possible here.", "Where to?"]),
        (place("rome", 8), ["city: Rome, nights: 8 is too long.", "Where to?"]),
        (place("rome", 2.5), ["Which card?"]),
        (CARD, ["Rome (city: Rome, nights: 2.5), ••••."]),
        ("travel", ["Which card?"]),
        (CARD, ["Rome (city: Rome, nights: 2.5), ••••."]),
    ], hidden="4111")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(TRIP, FUNCTIONS, "es", [
        (START, ["¿A dónde?"]),
        ("¿por qué?", ["Púlsalo en el mapa.", "¿A dónde?"]),
        ("Roma", ["Aquí hacen falta valores con nombre, como city: Madrid.", "¿A dónde?"]),
        (place("roma", -1), ["Ese valor no es posible aquí.", "¿A dónde?"]),
        (place("roma", 8), ["city: Roma, nights: 8 es mucho.", "¿A dónde?"]),
        (place("roma", 2.5), ["¿Qué tarjeta?"]),
        (CARD, ["Roma (city: Roma, nights: 2,5), ••••."]),
    ], hidden="4111")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    await hold(TRIP, FUNCTIONS, "en", [
        ("travel", ["Where to?"]),
        (SkipSlot(), ["Which card?"]),
        (CARD, ["Home (city: Home, nights: 0), ••••."]),
    ])  # fmt: skip
