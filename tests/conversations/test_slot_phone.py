"""A slot of type phone with every key, in both languages."""

from soni.commands import SkipSlot, StartFlow
from tests.conversations.transcript import hold

CALL = """
settings: {collection: {max_attempts: 9}}
slots:
  phone:
    type: phone
    description: Where we call
    prompt: {en: "Your number?", es: "¿Tu teléfono?"}
    help: {en: "To call you.", es: "Para llamarte."}
    examples: [+1 415 555 2671]
    normalizer: renumbered
    validator: reachable
    constraints:
      - {if: "phone != desk", message: {en: "{phone} is ours.", es: "{phone} es el nuestro."}}
    default: +34 600 123 456
    required: false
    ask_before_filling: true
    scope: conversation
  desk: {type: phone}
  home: {type: phone, prompt: {en: "At home?", es: "¿En casa?"}, sensitive: true}
flows:
  call:
    trigger: {examples: [call me]}
    steps:
      - set: {desk: +1 415 555 2671}
      - collect: phone
      - collect: home
      - say: {en: "{phone} or {home}.", es: "{phone} o {home}."}
"""

FUNCTIONS = """
from soni import normalizer, validator

@normalizer
def renumbered(value):
    return "+34600123457" if value == "+34600123450" else value

@validator
def reachable(value):
    if value.startswith("+44"):
        raise ValueError("Not abroad, please.")
    return not value.startswith("+49")
"""

START = StartFlow(flow_name="call", slots={"phone": "+34 600 123 456"})


async def test_in_english() -> None:
    refused = "Please give a phone number with its country code, such as +1 415 555 2671."
    await hold(CALL, FUNCTIONS, "en", [
        (START, ["Your number?"]),
        ("why?", ["To call you.", "Your number?"]),
        ("911", [refused, "Your number?"]),
        ("+44 20 7946 0958", ["Not abroad, please.", "Your number?"]),
        ("+49 30 123456", ["That value is not possible here.", "Your number?"]),
        ("(415) 555-2671", ["+1 415-555-2671 is ours.", "Your number?"]),
        ("+34 600 123 450", ["At home?"]),
        ("+1 212 555 0123", ["+34 600 12 34 57 or ••••."]),
        ("call me", ["At home?"]),
        ("+1 212 555 0123", ["+34 600 12 34 57 or ••••."]),
    ], hidden="555 0123")  # fmt: skip


async def test_in_spanish() -> None:
    refused = "Da un teléfono con el prefijo de su país; por ejemplo, +34 600 123 456."
    await hold(CALL, FUNCTIONS, "es", [
        (START, ["¿Tu teléfono?"]),
        ("¿por qué?", ["Para llamarte.", "¿Tu teléfono?"]),
        ("112", [refused, "¿Tu teléfono?"]),
        ("+49 30 123456", ["Ese valor no es posible aquí.", "¿Tu teléfono?"]),
        ("+1 415 555 2671", ["+1 415-555-2671 es el nuestro.", "¿Tu teléfono?"]),
        ("600 123 456", ["¿En casa?"]),
        ("912 345 678", ["+34 600 12 34 56 o ••••."]),
    ], hidden="912 345 678")  # fmt: skip


async def test_skipped_it_takes_its_default() -> None:
    await hold(CALL, FUNCTIONS, "en", [
        ("call me", ["Your number?"]),
        (SkipSlot(), ["At home?"]),
        ("+1 212 555 0123", ["+34 600 12 34 56 or ••••."]),
    ])  # fmt: skip
