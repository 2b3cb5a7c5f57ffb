"""A bank's desk in English and Spanish, and conversations held with it line by line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Command,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

DESK = """
slots:
  amount: {type: integer, prompt: {en: "How much?", es: "¿Cuánto?"}}
  recipient: {prompt: {en: "To whom?", es: "¿A quién?"}}
  account:
    type: choice
    values: [main, savings]
    prompt: {en: "Which account?", es: "¿Qué cuenta?"}
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
  grade: {type: integer, prompt: {en: "How many stars?", es: "¿Cuántas estrellas?"}}
flows:
  transfer:
    trigger: {examples: [send money, enviar dinero]}
    steps:
      - collect: amount
      - collect: recipient
      - step: sure
        confirm: {en: "Send {amount} to {recipient}?", es: "¿Envío {amount} a {recipient}?"}
      - action: send
      - say: {en: "Sent {amount} to {recipient}.", es: "Enviado {amount} a {recipient}."}
  balance:
    trigger: {examples: [what is my balance, cuál es mi saldo]}
    steps:
      - collect: account
      - say: {en: "There is 100 in {account}.", es: "Hay 100 en {account}."}
  weather:
    trigger: {examples: [what is the weather, qué tiempo hace]}
    steps:
      - collect: city
      - say: {en: "It is sunny in {city}.", es: "Hace sol en {city}."}
  hours:
    trigger: {examples: [when are you open, cuándo abren]}
    steps:
      - say: {en: "From 9 to 5.", es: "De 9 a 5."}
"""

ACTIONS = """
from soni import action

@action
def send(amount: int, recipient: str) -> dict:
    return {}
"""

LOAN = """
  loan:
    trigger: {}
    steps: [{collect: amount}, {confirm: "Borrow {amount}?"}, {say: "Here is {amount}."}]
"""
"""One more flow, which asks for an amount too."""

COSTS = """
knowledge:
  - question: {en: "What does it cost?", es: "¿Cuánto cuesta?"}
    answer: {en: "It is free.", es: "Es gratis."}
  - question: {en: "How long does it take?", es: "¿Cuánto tarda?"}
    answer: {en: "A day.", es: "Un día."}
"""
"""What the desk knows: a top-level key."""

RELEASE = "<release>"
"""A line in which the application gives the conversation back."""

Said = str | Command | tuple[Command, ...] | timedelta
"""What the user says (commands go past understanding), or time that goes by in silence."""

Line = tuple[Said, list[str]]
"""A message, and everything that is answered."""

TRANSFER = StartFlow(flow_name="transfer")
BALANCE = StartFlow(flow_name="balance")
WEATHER = StartFlow(flow_name="weather")
YES, NO, CANCEL = AffirmConfirmation(), DenyConfirmation(), CancelFlow()


def desk(keys: str = "", flows: str = "") -> str:
    """The desk's YAML, with more top-level keys and more flows (indented by two)."""
    return f"{keys}\n{DESK}{flows}"


def transfer(**slots: Any) -> StartFlow:
    """A transfer for which something is known already."""
    return StartFlow(flow_name="transfer", slots=slots)


def put(slot: str, value: Any, flow: str | None = None) -> SetSlot:
    """A value for a slot."""
    return SetSlot(slot_name=slot, value=value, flow_name=flow)


def change(slot: str, value: Any, flow: str | None = None) -> CorrectSlot:
    """Another value for a slot."""
    return CorrectSlot(slot_name=slot, new_value=value, flow_name=flow)


# A transfer up to its confirmation, and what people do there.
BOTH, SURE, SENT = transfer(amount=5, recipient="Bob"), "Send 5 to Bob?", "Sent 5 to Bob."
SURE_6 = "Send 6 to Bob?"
SIX = change("amount", 6)
ROME = put("city", "Rome")
SUN = "It is sunny in Rome."
DONE = "I have cancelled transfer."


async def held(
    lines: Sequence[Line], yaml: str = DESK, actions: str = ACTIONS, language: str = "en"
) -> Talk:
    """Hold the conversation, every answer exactly as written; how it stands afterwards."""
    async with talking_to(yaml, actions) as talk:
        for said, answered in lines:
            answer = await _answer(talk, said, language)
            assert answer == answered, f"{said!r} is answered by {answer}, not by {answered}"
        return talk


async def _answer(talk: Talk, said: Said, language: str) -> list[str]:
    if isinstance(said, timedelta):
        talk.clock.now += said
        return []
    if said == RELEASE:
        talk.last = await talk.runtime.release(talk.user_id, language=language)
        return talk.last.messages
    if isinstance(said, str):
        return await talk.say(said, language=language)
    commands = [said] if isinstance(said, Command) else list(said)
    return await talk.say("this", commands=commands, language=language)
