"""A small bank: the assistant that most conversations about commands are held with."""

BANK = """
slots:
  amount: {type: integer, prompt: "How much?", help: "Nobody can send an amount I do not know."}
  recipient: {prompt: "To whom?"}
  account: {type: choice, values: {main: [current], savings: []}, prompt: "Which account?"}
  city: {prompt: "Which city?"}
flows:
  transfer:
    description: I send money to somebody.
    trigger: {examples: [send money, make a transfer]}
    steps:
      - collect: amount
      - collect: recipient
      - {step: sure, type: confirm, message: "Send {amount} to {recipient}?"}
      - action: send
      - say: "Sent {amount} to {recipient}."
  balance:
    trigger: {examples: [what is my balance]}
    steps:
      - collect: account
      - say: "There are 100 euros in {account}."
  weather:
    trigger: {examples: [what is the weather]}
    steps:
      - collect: city
      - say: "It is sunny in {city}."
"""

ACTIONS = """
from soni import action

@action
def send(amount: int, recipient: str) -> dict:
    return {}
"""


def bank(settings: str = "", flows: str = "") -> str:
    """The bank's YAML, with more top-level keys and more flows (indented by two)."""
    return f"{settings}\n{BANK}{flows}"
