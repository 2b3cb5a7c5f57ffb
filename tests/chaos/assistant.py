"""The assistant of the chaos runs: it pays, and every payment leaves a line in a file."""

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soni import SoniConfig, action
from soni.commands import AffirmConfirmation, Command, CorrectSlot, SetSlot, StartFlow
from soni.du import NLUOutput

ROUNDS_OF_ACTION = 3
"""How often the action gives way to other work: a process may die in between."""

_ASSISTANT: dict[str, Any] = {
    "settings": {"runtime": {"action_timeout": 60}},
    "slots": {
        "amount": {"type": "integer", "prompt": "How much?"},
        "payee": {"type": "string", "prompt": "To whom?"},
        "paid_to": {"type": "string", "scope": "conversation"},
        "paid_amount": {"type": "integer", "scope": "conversation"},
        "note": {"type": "string", "prompt": "What?"},
    },
    "actions": {"charge": {"inputs": ["amount", "payee"]}},
    "flows": {
        "note": {
            "description": "Note something",
            "trigger": {"examples": ["note this"]},
            "steps": [{"collect": "note"}, {"say": "Noted {note}."}],
        },
        "pay": {
            "description": "Pay somebody",
            "trigger": {"examples": ["pay somebody"]},
            "steps": [
                {"collect": "amount"},
                {"collect": "payee"},
                {"confirm": "Pay {amount} to {payee}?"},
                {"action": "charge", "on_error": "unknown"},
                {"set": {"paid_to": "{{ payee }}", "paid_amount": "{{ amount }}"}},
                {"say": "Paid {amount} to {payee}.", "jump_to": "end"},
                {
                    "step": "unknown",
                    "set": {"paid_to": "{{ payee }}", "paid_amount": "{{ amount }}"},
                },
                {"say": "Nobody knows whether {amount} went to {payee}."},
            ],
        },
    },
}


def make_assistant(payments: Path) -> SoniConfig:
    """The assistant whose payments are noted in a file, one line each."""

    @action
    async def charge(amount: int, payee: str, ctx: Any) -> None:
        for _ in range(ROUNDS_OF_ACTION):
            await asyncio.sleep(0.001)
        note_payment(payments, ctx.idempotency_key)
        await asyncio.sleep(0.001)

    return SoniConfig.model_validate(_ASSISTANT).with_functions([charge])


def note_payment(payments: Path, key: str) -> None:
    """Add a line in one write, which no kill can cut in two."""
    file = os.open(payments, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, f"{key}\n".encode())
    finally:
        os.close(file)


class Understanding:
    """Reads the messages of `write_script`."""

    async def understand(
        self, user_message: str, history: Sequence[Any], context: Any
    ) -> NLUOutput:
        return NLUOutput(commands=[_read_command(user_message)])


def _read_command(text: str) -> Command:
    if text == "yes":
        return AffirmConfirmation()
    if text.startswith("note "):
        return StartFlow("note", {"note": text.removeprefix("note ")})
    if found := re.fullmatch(r"no, (\d+)", text):
        return CorrectSlot("amount", int(found[1]))
    if text.isdigit():
        return SetSlot("amount", int(text))
    if text.startswith("to "):
        return SetSlot("payee", text.removeprefix("to "))
    return StartFlow("pay")


def write_script(user: int, payments: int) -> list[str]:
    """What a user says: a correction in every payment, and a yes at its end."""
    return [
        text
        for number in range(payments)
        for text in (
            "pay",
            f"{user + number}",
            f"to P{number}",
            f"no, {user * 100 + number}",
            "yes",
        )
    ]
