"""Calling one action as the runtime does."""

from collections.abc import Callable
from typing import Any

import pytest

from soni import ActionError, action
from soni.actions.mcp.servers import McpServers
from soni.actions.runner import LedgeredRunner
from soni.config.assistant import Assistant
from soni.config.models import ActionConfig, SoniConfig
from soni.core.calls import ActionCall
from soni.core.storage import Effect
from soni.persistence import open_store


class HeldRunner:
    """A runner whose calls hold their conversation, as those of a turn do."""

    def __init__(self, config: SoniConfig) -> None:
        self._store = open_store("memory", None)
        self._runner = LedgeredRunner(Assistant(config), self._store.ledger, McpServers(config))

    async def run(self, calling: ActionCall) -> dict[str, Any]:
        async with self._store.conversation(calling.conversation_id):
            return await self._runner.run(calling)

    async def list_open(self) -> list[Effect]:
        """Effects whose outcome nobody knows."""
        return await self._store.ledger.list_unknown(begun_before=9e12)


def runner(function: Callable[..., Any], **contract: Any) -> HeldRunner:
    """A runner for one action that is named `act`."""
    contracts = {"act": ActionConfig.model_validate(contract)} if contract else {}
    return HeldRunner(SoniConfig(actions=contracts).with_functions([action("act")(function)]))


def call(**changes: Any) -> ActionCall:
    given: dict[str, Any] = {
        "action": "act",
        "inputs": {},
        "key": "chat/pay_1/act/1",
        "user_id": "ann",
        "conversation_id": "chat",
        "flow_id": "pay_1",
        "slots": {},
        "session": {},
        "say": lambda text: None,
    }
    return ActionCall(**{**given, **changes})


async def failure(running: HeldRunner, calling: ActionCall) -> tuple[str, str]:
    with pytest.raises(ActionError) as caught:
        await running.run(calling)
    return caught.value.type, caught.value.message


class Counted:
    """A function's outcomes in order, the last one for good, and how often it was called."""

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    def __call__(self, **given: Any) -> Any:
        self.calls += 1
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
