"""A slot of type time with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

TABLE = """
settings: {collection: {max_attempts: 9}}
slots:
  at:
    type: time
    description: When the table is wanted
    prompt: {en: "What time?", es: "¿A qué hora?"}
    help: {en: "To keep a table.", es: "Para guardarte mesa."}
    examples: ["17:30", 5 pm]
    normalizer: quarter
    validator: cooking
    constraints: [{if: at > opens, message: {en: "{at} is too early.", es: "{at} es pronto."}}]
    default: "20:00"
    required: false
    ask_before_filling: true
    scope: conversation
  opens: {type: time}
  alarm: {type: time, prompt: {en: "Alarm?", es: "¿Alarma?"}, sensitive: true}
flows:
  dine:
    trigger: {examples: [dine]}
    steps:
      - set: {opens: "12:00"}
      - collect: at
      - collect: alarm
      - say: {en: "At {at}, alarm {alarm}.", es: "A las {at}, alarma {alarm}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def quarter(value):
    return value.replace(minute=value.minute // 15 * 15)

@validator
def cooking(value):
    if value.hour == 16:
        raise ValueError("The cook sleeps then.")
    return value.hour < 23
"""

START = StartFlow(flow_name="dine", slots={"at": "17:30"})


async def test_in_english() -> None:
    refused = "Please give a time of day, such as 5:30 pm or 17:30."
    await hold(TABLE, FUNCTIONS, "en", [
        (START, ["What time?"]),
        ("why?", ["To keep a table.", "What time?"]),
        ("at 25", [refused, "What time?"]),
        ("4:10 pm", ["The cook sleeps then.", "What time?"]),
        ("11 pm", ["That value is not possible here.", "What time?"]),
        ("9:20 am", ["9:15 am is too early.", "What time?"]),
        ("5:50 pm", ["Alarm?"]),
        ("06:37", ["At 5:45 pm, alarm ••••."]),
        ("dine", ["Alarm?"]),
        ("06:37", ["At 5:45 pm, alarm ••••."]),
    ], hidden="06:37")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da una hora; por ejemplo, las 5 de la tarde o 17:30."
    await hold(TABLE, FUNCTIONS, "es", [
        (START, ["¿A qué hora?"]),
        ("¿por qué?", ["Para guardarte mesa.", "¿A qué hora?"]),
        ("a las 25", [refused, "¿A qué hora?"]),
        ("a las 11 de la noche", ["Ese valor no es posible aquí.", "¿A qué hora?"]),
        ("a las nueve de la mañana", ["9:00 es pronto.", "¿A qué hora?"]),
        ("a las cinco y media de la tarde", ["¿Alarma?"]),
        ("06:37", ["A las 17:30, alarma ••••."]),
    ], hidden="06:37")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    for language, asked, alarm, said in (
        ("en", "What time?", "Alarm?", "At 8:00 pm, alarm ••••."),
        ("es", "¿A qué hora?", "¿Alarma?", "A las 20:00, alarma ••••."),
    ):
        lines = [("dine", [asked]), (SkipSlot(), [alarm]), ("06:37", [said])]
        await hold(TABLE, FUNCTIONS, language, lines)
