"""An assistant with a secret, an action and a correction, for everything that watches it."""

from __future__ import annotations

from typing import Any

import pytest

from soni import SoniConfig
from tests.talking import assistant

YAML = """
settings: {observability: {service_name: bank}}
slots:
  payee: {type: string, prompt: Who gets it?}
  amount: {type: number, prompt: How much?}
  pin: {type: string, prompt: Your PIN?, sensitive: true}
actions:
  transfer: {inputs: [payee, amount, pin], outputs: [reference]}
flows:
  send_money:
    description: Send money
    trigger: {examples: [send money]}
    steps:
      - {step: ask_payee, collect: payee}
      - {step: ask_amount, collect: amount}
      - {step: ask_pin, collect: pin}
      - {step: pay, action: transfer}
      - say: "Sent {amount} to {payee}, {reference}."
"""
ACTIONS = """
from soni import ActionError, action

@action
async def transfer(payee: str, amount: float, pin: str) -> dict:
    if payee == "Mallory":
        raise ActionError("no account of " + payee, "Mallory has no account, PIN " + pin)
    return {"reference": "REF-778899"}
"""
VALUES = ("Zebulon", "4321.5", "4321", "S3cr3t", "REF-778899", "Mallory", "send money", "Sent")
"""What was said, and what must be in no span, label or log."""


@pytest.fixture
def bank() -> SoniConfig:
    return assistant(YAML, ACTIONS)


def assert_no_values(told: Any) -> None:
    text = repr(told)
    for value in VALUES:
        assert value not in text
