"""A slot of type duration with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

PARKING = """
settings: {collection: {max_attempts: 9}}
slots:
  stay:
    type: duration
    description: How long the car stays
    prompt: {en: "How long?", es: "¿Cuánto tiempo?"}
    help: {en: "It decides the price.", es: "De eso depende el precio."}
    examples: [2 hours]
    normalizer: at_least
    validator: whole
    constraints:
      - {if: stay <= hours(4), message: {en: "{stay} is too long.", es: "{stay} es mucho."}}
    default: PT1H30M
    required: false
    ask_before_filling: true
    scope: conversation
  lost: {type: duration, prompt: {en: "Since when?", es: "¿Desde cuándo?"}, sensitive: true}
flows:
  park:
    trigger: {examples: [park]}
    steps:
      - collect: stay
      - collect: lost
      - say: {en: "{stay}, lost {lost}.", es: "{stay}, perdido {lost}."}
"""

FUNCTIONS = """
from datetime import timedelta
from soni import normalizer, validator

@normalizer
def at_least(value):
    return max(value, timedelta(minutes=30))

@validator
def whole(value):
    if value.total_seconds() % 60:
        raise ValueError("Minutes, please.")
    return value != timedelta(hours=3)
"""

START = StartFlow(flow_name="park", slots={"stay": "2 hours"})


async def test_in_english() -> None:
    refused = "Please say how long, such as 2 hours or 1 hour and 30 minutes."
    await hold(PARKING, FUNCTIONS, "en", [
        (START, ["How long?"]),
        ("why?", ["It decides the price.", "How long?"]),
        ("5", [refused, "How long?"]),
        ("1 hour and 1 second", ["Minutes, please.", "How long?"]),
        ("3 hours", ["That value is not possible here.", "How long?"]),
        ("4 hours and 1 minute", ["4 hours and 1 minute is too long.", "How long?"]),
        ("5 minutes", ["Since when?"]),
        ("17 days", ["30 minutes, lost ••••."]),
        ("park", ["Since when?"]),
        ("17 days", ["30 minutes, lost ••••."]),
    ], hidden="17 days")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Di cuánto tiempo; por ejemplo, 2 horas o 1 hora y 30 minutos."
    await hold(PARKING, FUNCTIONS, "es", [
        (START, ["¿Cuánto tiempo?"]),
        ("¿por qué?", ["De eso depende el precio.", "¿Cuánto tiempo?"]),
        ("5", [refused, "¿Cuánto tiempo?"]),
        ("3 horas", ["Ese valor no es posible aquí.", "¿Cuánto tiempo?"]),
        ("4 horas y 1 minuto", ["4 horas y 1 minuto es mucho.", "¿Cuánto tiempo?"]),
        ("hora y media", ["¿Desde cuándo?"]),
        ("17 días", ["1 hora y 30 minutos, perdido ••••."]),
    ], hidden="17 días")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    for language, asked, lost, said in (
        ("en", "How long?", "Since when?", "1 hour and 30 minutes, lost ••••."),
        ("es", "¿Cuánto tiempo?", "¿Desde cuándo?", "1 hora y 30 minutos, perdido ••••."),
    ):
        lines = [("park", [asked]), (SkipSlot(), [lost]), ("PT1H", [said])]
        await hold(PARKING, FUNCTIONS, language, lines)
