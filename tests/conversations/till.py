"""A till whose parts break when they are told to: what failing turns are tried on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from soni import SoniConfig, TurnError, action, validator
from soni.persistence.journal import verify_chain
from tests.talking import Talk

CONFIG = SoniConfig.model_validate(
    {
        "slots": {
            "amount": {"type": "integer", "prompt": "How much?", "validator": "payable"},
            "stamp": {"validator": "stamped"},
        },
        "flows": {
            "pay": {
                "trigger": {"examples": ["pay"]},
                "steps": [
                    {"collect": "amount"},
                    {"collect": "payee", "message": "To whom?"},
                    {"action": "charge", "on_error": "sorry"},
                    {"set": {"stamp": "{{ receipt }}"}},
                    {"say": "Paid {amount} to {payee}."},
                    {"say": "Your receipt is {receipt}.", "jump_to": "end"},
                    {"step": "sorry", "type": "say", "message": "Not paid: {_error_type}."},
                ],
            },
            "hours": {
                "trigger": {"examples": ["when are you open"]},
                "steps": [{"say": "We are open from 9 to 5."}],
            },
        },
    }
)


class Till:
    """The assistant's functions, and what they did."""

    def __init__(self) -> None:
        self.faults: dict[str, BaseException] = {}
        """Part -> what it raises."""

        self.charged: list[tuple[int, str]] = []

    @property
    def config(self) -> SoniConfig:
        return CONFIG.with_functions(self._functions())

    def _work(self, part: str) -> None:
        if part in self.faults:
            raise self.faults[part]

    def _functions(self) -> list[Callable[..., Any]]:
        @validator
        def payable(value: int) -> bool:
            self._work("handler")
            return value > 0

        @validator
        def stamped(value: str) -> bool:
            self._work("step")
            return True

        @action
        def charge(amount: int, payee: str) -> dict[str, Any]:
            self._work("action")
            self.charged.append((amount, payee))
            return {"receipt": f"R{len(self.charged)}"}

        return [payable, stamped, charge]


async def statuses(talk: Talk) -> list[tuple[int, str]]:
    """What the journal says of each turn."""
    entries = await talk.runtime.store.journal.entries("ann")
    verify_chain(entries)
    return [(entry.turn, entry.status) for entry in entries]


async def fails(talk: Talk, message: str) -> BaseException | None:
    """Send a message whose turn fails; why it did. The conversation must be as it was."""
    before = await talk.runtime.get_state("ann")
    with pytest.raises(TurnError) as failed:
        await talk.say(message)
    assert await talk.runtime.get_state("ann") == before
    assert failed.value.turn == before["turn_count"] + 1
    return failed.value.__cause__
