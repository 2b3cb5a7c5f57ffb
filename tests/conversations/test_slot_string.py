"""A slot of type string with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

CODE = """
settings: {collection: {max_attempts: 9}}
slots:
  code:
    type: string
    description: The code on the ticket
    prompt: {en: "Which code?", es: "¿Qué código?"}
    help: {en: "It is on your ticket.", es: "Está en tu billete."}
    examples: [AB12]
    normalizer: upper
    validator: known
    constraints:
      - {if: len(code) == 4, message: {en: "{code} is not of four.", es: "{code} no es de cuatro."}}
    default: zz99
    required: false
    ask_before_filling: true
    scope: conversation
  word: {type: string, prompt: {en: "Password?", es: "¿Contraseña?"}, sensitive: true}
flows:
  check:
    trigger: {examples: [check]}
    steps:
      - collect: code
      - collect: word
      - say: {en: "{code} with {word}.", es: "{code} con {word}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def upper(value):
    return value.upper()

@validator
def known(value):
    if value.startswith("X"):
        raise ValueError("X codes are over.")
    return not value.startswith("Y")
"""

START = StartFlow(flow_name="check", slots={"code": "ab12"})


async def test_in_english() -> None:
    await hold(CODE, FUNCTIONS, "en", [
        (START, ["Which code?"]),
        ("why?", ["It is on your ticket.", "Which code?"]),
        ("x123", ["X codes are over.", "Which code?"]),
        ("y123", ["That value is not possible here.", "Which code?"]),
        ("ab123", ["AB123 is not of four.", "Which code?"]),
        ("a" * 1001, ["That is too long; please use at most 1000 characters.", "Which code?"]),
        (" ab12 ", ["Password?"]),
        (SkipSlot(), ["I need word to go on.", "Password?"]),
        ("sesame", ["AB12 with ••••."]),
        ("check", ["Password?"]),
        ("sesame", ["AB12 with ••••."]),
    ], hidden="sesame")  # fmt: skip


async def test_in_spanish() -> None:
    await hold(CODE, FUNCTIONS, "es", [
        (START, ["¿Qué código?"]),
        ("¿por qué?", ["Está en tu billete.", "¿Qué código?"]),
        ("y123", ["Ese valor no es posible aquí.", "¿Qué código?"]),
        ("ab123", ["AB123 no es de cuatro.", "¿Qué código?"]),
        ("a" * 1001, ["Es demasiado largo; usa como mucho 1000 caracteres.", "¿Qué código?"]),
        ("ab12", ["¿Contraseña?"]),
        (SkipSlot(), ["Necesito word para continuar.", "¿Contraseña?"]),
        ("sésamo", ["AB12 con ••••."]),
    ], hidden="sésamo")  # fmt: skip


async def test_skipped_it_takes_its_default_the_same_way() -> None:
    skipped = [("check", ["Which code?"]), (SkipSlot(), ["Password?"]), ("s", ["ZZ99 with ••••."])]
    await hold(CODE, FUNCTIONS, "en", skipped)
