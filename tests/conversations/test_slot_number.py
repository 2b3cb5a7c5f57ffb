"""A slot of type number with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

WEIGHT = """
settings: {collection: {max_attempts: 9}}
slots:
  weight:
    type: number
    description: Kilograms
    prompt: {en: "How heavy?", es: "¿Cuánto pesa?"}
    help: {en: "It decides the price.", es: "De eso depende el precio."}
    examples: ["2.5"]
    normalizer: rounded
    validator: real
    constraints:
      - {if: weight < 20, message: {en: "{weight} is too heavy.", es: "{weight} es mucho."}}
    default: 2.5
    required: false
    ask_before_filling: true
    scope: conversation
  worth: {type: number, prompt: {en: "Worth?", es: "¿Valor?"}, sensitive: true}
flows:
  send:
    trigger: {examples: [send]}
    steps:
      - collect: weight
      - collect: worth
      - say: {en: "{weight} kg, {worth}.", es: "{weight} kilos, {worth}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def rounded(value):
    return round(value, 1)

@validator
def real(value):
    if value == 0:
        raise ValueError("Nothing weighs nothing.")
    return value > 0
"""

START = StartFlow(flow_name="send", slots={"weight": 2})


async def test_in_english() -> None:
    await hold(WEIGHT, FUNCTIONS, "en", [
        (START, ["How heavy?"]),
        ("why?", ["It decides the price.", "How heavy?"]),
        ("NaN", ["Please give a number.", "How heavy?"]),
        ("0.04", ["Nothing weighs nothing.", "How heavy?"]),
        ("-1", ["That value is not possible here.", "How heavy?"]),
        ("1,200.5", ["1200.5 is too heavy.", "How heavy?"]),
        ("2.04", ["Worth?"]),
        ("98765.4", ["2 kg, ••••."]),
        ("send", ["Worth?"]),
        ("98765.4", ["2 kg, ••••."]),
    ], hidden="98765.4")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(WEIGHT, FUNCTIONS, "es", [
        (START, ["¿Cuánto pesa?"]),
        ("¿por qué?", ["De eso depende el precio.", "¿Cuánto pesa?"]),
        ("mucho", ["Por favor, da un número.", "¿Cuánto pesa?"]),
        ("-1", ["Ese valor no es posible aquí.", "¿Cuánto pesa?"]),
        ("1.200,5", ["1200,5 es mucho.", "¿Cuánto pesa?"]),
        ("2,25", ["¿Valor?"]),
        ("98765,4", ["2,2 kilos, ••••."]),
    ], hidden="98765")  # fmt: skip


async def test_skipped_it_takes_its_default_shown_as_the_language_writes_it() -> None:
    for language, asked, worth, said in (
        ("en", "How heavy?", "Worth?", "2.5 kg, ••••."),
        ("es", "¿Cuánto pesa?", "¿Valor?", "2,5 kilos, ••••."),
    ):
        lines = [("send", [asked]), (SkipSlot(), [worth]), ("1", [said])]
        await hold(WEIGHT, FUNCTIONS, language, lines)
