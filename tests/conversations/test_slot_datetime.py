"""A slot of type datetime with every key, in both languages. It is 2 March 2026, 10:00."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

MEETING = """
settings: {collection: {max_attempts: 9}}
slots:
  at:
    type: datetime
    description: When we meet
    prompt: {en: "When?", es: "¿Cuándo?"}
    help: {en: "For my diary.", es: "Para mi agenda."}
    examples: [tomorrow at 5 pm]
    normalizer: full_hour
    validator: awake
    constraints: [{if: at > now(), message: {en: "{at} is over.", es: "{at} ya pasó."}}]
    default: 2026-03-09T09:00:00+00:00
    required: false
    ask_before_filling: true
    scope: conversation
  seen: {type: datetime, prompt: {en: "Last seen?", es: "¿Visto?"}, sensitive: true}
flows:
  meet:
    trigger: {examples: [meet]}
    steps:
      - collect: at
      - collect: seen
      - say: {en: "{at}, seen {seen}.", es: "{at}, visto {seen}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def full_hour(value):
    return value.replace(minute=0)

@validator
def awake(value):
    if value.hour < 7:
        raise ValueError("I sleep then.")
    return value.year < 2030
"""

START = StartFlow(flow_name="meet", slots={"at": "tomorrow at 5 pm"})


async def test_in_english() -> None:
    refused = "Please give a day and a time, such as tomorrow at 5 pm or 2026-03-02 17:30."
    await hold(MEETING, FUNCTIONS, "en", [
        (START, ["When?"]),
        ("why?", ["For my diary.", "When?"]),
        ("tomorrow", [refused, "When?"]),
        ("tomorrow at 5 am", ["I sleep then.", "When?"]),
        ("2031-01-01 12:00", ["That value is not possible here.", "When?"]),
        ("1 hour ago", ["2 March 2026, 9:00 am is over.", "When?"]),
        ("tomorrow at 5:30 pm", ["Last seen?"]),
        ("2025-12-24 18:15", ["3 March 2026, 5:00 pm, seen ••••."]),
        ("meet", ["Last seen?"]),
        ("2025-12-24 18:15", ["3 March 2026, 5:00 pm, seen ••••."]),
    ], hidden="2025-12-24")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da un día y una hora; por ejemplo, mañana a las 17:30 o 2026-03-02 17:30."
    await hold(MEETING, FUNCTIONS, "es", [
        (START, ["¿Cuándo?"]),
        ("¿por qué?", ["Para mi agenda.", "¿Cuándo?"]),
        ("mañana", [refused, "¿Cuándo?"]),
        ("2031-01-01 12:00", ["Ese valor no es posible aquí.", "¿Cuándo?"]),
        ("hoy a las 8 de la mañana", ["2 de marzo de 2026, 8:00 ya pasó.", "¿Cuándo?"]),
        ("mañana a las 17:30", ["¿Visto?"]),
        ("2025-12-24 18:15", ["3 de marzo de 2026, 17:00, visto ••••."]),
    ], hidden="2025-12-24")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    for language, asked, seen, said in (
        ("en", "When?", "Last seen?", "9 March 2026, 9:00 am, seen ••••."),
        ("es", "¿Cuándo?", "¿Visto?", "9 de marzo de 2026, 9:00, visto ••••."),
    ):
        lines = [("meet", [asked]), (SkipSlot(), [seen]), ("2025-12-24 18:15", [said])]
        await hold(MEETING, FUNCTIONS, language, lines)
