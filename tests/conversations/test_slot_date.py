"""A slot of type date with every key, in both languages. Today is Monday, 2 March 2026."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

VISIT = """
settings: {collection: {max_attempts: 9}}
slots:
  day:
    type: date
    description: The day of the visit
    prompt: {en: "Which day?", es: "¿Qué día?"}
    help: {en: "To keep a place.", es: "Para guardarte sitio."}
    examples: [tomorrow, 5 March]
    normalizer: no_weekend
    validator: open_day
    constraints: [{if: day > today(), message: {en: "{day} is too early.", es: "{day} es pronto."}}]
    default: 2026-03-09
    required: false
    ask_before_filling: true
    scope: conversation
  born: {type: date, prompt: {en: "Born?", es: "¿Nacimiento?"}, sensitive: true}
flows:
  visit:
    trigger: {examples: [visit]}
    steps:
      - collect: day
      - collect: born
      - say: {en: "On {day}, born {born}.", es: "El {day}, nacido {born}."}
"""

FUNCTIONS = """
from datetime import timedelta
from soni import normalizer, validator

@normalizer
def no_weekend(value):
    return value + timedelta(days=7 - value.weekday()) if value.weekday() > 4 else value

@validator
def open_day(value):
    if value.month == 8:
        raise ValueError("August is closed.")
    return value.year < 2030
"""

START = StartFlow(flow_name="visit", slots={"day": "tomorrow"})


async def test_in_english() -> None:
    refused = "That is not a date I understand, such as 2026-03-02 or tomorrow."
    await hold(VISIT, FUNCTIONS, "en", [
        (START, ["Which day?"]),
        ("why?", ["To keep a place.", "Which day?"]),
        ("5/3/2026", [refused, "Which day?"]),
        ("5 August 2026", ["August is closed.", "Which day?"]),
        ("2031-01-01", ["That value is not possible here.", "Which day?"]),
        ("today", ["2 March 2026 is too early.", "Which day?"]),
        ("next saturday", ["Born?"]),
        ("1 July 1990", ["On 16 March 2026, born ••••."]),
        ("visit", ["Born?"]),
        ("1990-07-01", ["On 16 March 2026, born ••••."]),
    ], hidden="1990")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "No entiendo esa fecha; por ejemplo, 2026-03-02 o mañana."
    await hold(VISIT, FUNCTIONS, "es", [
        (START, ["¿Qué día?"]),
        ("¿por qué?", ["Para guardarte sitio.", "¿Qué día?"]),
        ("pronto", [refused, "¿Qué día?"]),
        ("1 de enero de 2031", ["Ese valor no es posible aquí.", "¿Qué día?"]),
        ("hoy", ["2 de marzo de 2026 es pronto.", "¿Qué día?"]),
        ("pasado mañana", ["¿Nacimiento?"]),
        ("1 de julio de 1990", ["El 4 de marzo de 2026, nacido ••••."]),
    ], hidden="1990")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    for language, asked, born, said in (
        ("en", "Which day?", "Born?", "On 9 March 2026, born ••••."),
        ("es", "¿Qué día?", "¿Nacimiento?", "El 9 de marzo de 2026, nacido ••••."),
    ):
        lines = [("visit", [asked]), (SkipSlot(), [born]), ("1990-07-01", [said])]
        await hold(VISIT, FUNCTIONS, language, lines)
