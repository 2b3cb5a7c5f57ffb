"""A slot of type choice with every key, in both languages."""

from soni.commands import Clarify, SkipSlot, StartFlow
from tests.conversations.transcript import hold

SIZE = """
settings: {collection: {max_attempts: 9}}
slots:
  size:
    type: choice
    description: How large the pizza is
    prompt: {en: "Which size?", es: "¿Qué tamaño?"}
    help: {en: "It decides the price.", es: "De eso depende el precio."}
    examples: [a small one]
    values: {small: [tiny, pequeña], large: [grande, 2], huge: [enorme], none: []}
    normalizer: at_most_large
    validator: any_size
    constraints:
      - {if: size == "small" or hungry, message: {en: "Too much.", es: "Demasiado."}}
    default: small
    required: false
    ask_before_filling: true
    scope: conversation
  hungry: {type: boolean}
  ward: {type: choice, values: [north, south], prompt: {en: "Ward?", es: "¿Sala?"}, sensitive: true}
flows:
  order:
    trigger: {examples: [order]}
    inputs: ["hungry?"]
    steps:
      - collect: size
      - collect: ward
      - say: {en: "{size} for {ward}.", es: "{size} para {ward}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def at_most_large(value):
    return "large" if value == "huge" else value

@validator
def any_size(value):
    if value == "none":
        raise ValueError("No pizza is no order.")
    return True
"""


def start(hungry: bool) -> StartFlow:
    return StartFlow(flow_name="order", slots={"size": "small", "hungry": hungry})


async def test_in_english() -> None:
    await hold(SIZE, FUNCTIONS, "en", [
        (start(False), ["Which size?"]),
        (Clarify(), ["It decides the price.", "You can choose: small, large, huge, none.",
                     "Which size?"]),
        ("medium", ["Please choose one of: small, large, huge, none.", "Which size?"]),
        ("none", ["No pizza is no order.", "Which size?"]),
        ("2", ["Too much.", "Which size?"]),
        ("TINY", ["Ward?"]),
        ("North", ["small for ••••."]),
    ], hidden="north")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(SIZE, FUNCTIONS, "es", [
        (start(True), ["¿Qué tamaño?"]),
        (Clarify(), ["De eso depende el precio.", "Puedes elegir: small, large, huge, none.",
                     "¿Qué tamaño?"]),
        ("mediana", ["Elige una de estas opciones: small, large, huge, none.", "¿Qué tamaño?"]),
        ("enorme", ["¿Sala?"]),
        ("south", ["large para ••••."]),
        ("order", ["¿Sala?"]),
        ("south", ["large para ••••."]),
    ], hidden="south")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    lines = [
        (start(False), ["Which size?"]),
        (SkipSlot(), ["Ward?"]),
        ("north", ["small for ••••."]),
    ]
    await hold(SIZE, FUNCTIONS, "en", lines)
