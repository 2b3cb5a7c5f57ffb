"""A slot of type integer with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

SEATS = """
settings: {collection: {max_attempts: 9}}
slots:
  seats:
    type: integer
    description: How many people travel
    prompt: {en: "How many seats?", es: "¿Cuántas plazas?"}
    help: {en: "Each has one.", es: "Cada uno tiene la suya."}
    examples: ["2", three]
    normalizer: paired
    validator: free
    constraints:
      - {if: seats <= 8, message: {en: "{seats} is too many.", es: "{seats} son muchas."}}
    default: 0
    required: false
    ask_before_filling: true
    scope: conversation
  pin: {type: integer, prompt: {en: "PIN?", es: "¿PIN?"}, sensitive: true}
flows:
  book:
    trigger: {examples: [book]}
    steps:
      - collect: seats
      - collect: pin
      - say: {en: "{seats} seats, PIN {pin}.", es: "{seats} plazas, PIN {pin}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def paired(value):
    return value + value % 2

@validator
def free(value):
    if value == 6:
        raise ValueError("The six are taken.")
    return value >= 0
"""

START = StartFlow(flow_name="book", slots={"seats": 2})


async def test_in_english() -> None:
    await hold(SEATS, FUNCTIONS, "en", [
        (START, ["How many seats?"]),
        ("why?", ["Each has one.", "How many seats?"]),
        ("2.5", ["Please give a whole number.", "How many seats?"]),
        ("five", ["The six are taken.", "How many seats?"]),
        ("-2", ["That value is not possible here.", "How many seats?"]),
        ("1,000", ["1000 is too many.", "How many seats?"]),
        ("three", ["PIN?"]),
        ("47110815", ["4 seats, PIN ••••."]),
        ("book", ["PIN?"]),
        ("47110815", ["4 seats, PIN ••••."]),
    ], hidden="47110815")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(SEATS, FUNCTIONS, "es", [
        (START, ["¿Cuántas plazas?"]),
        ("¿por qué?", ["Cada uno tiene la suya.", "¿Cuántas plazas?"]),
        ("2,5", ["Por favor, da un número entero.", "¿Cuántas plazas?"]),
        ("-2", ["Ese valor no es posible aquí.", "¿Cuántas plazas?"]),
        ("1.000", ["1000 son muchas.", "¿Cuántas plazas?"]),
        ("tres", ["¿PIN?"]),
        ("47110815", ["4 plazas, PIN ••••."]),
    ], hidden="47110815")  # fmt: skip


async def test_skipped_it_takes_its_default_although_that_is_zero() -> None:
    await hold(SEATS, FUNCTIONS, "en", [
        ("book", ["How many seats?"]),
        (SkipSlot(), ["PIN?"]),
        ("1", ["0 seats, PIN ••••."]),
    ])  # fmt: skip
