"""CommandExecutor: carries out cleaned commands one after the other, and logs each."""

from collections.abc import Sequence
from typing import Any

from soni.commands.base import Command, Handled, Place
from soni.commands.registry import CommandHandlerRegistry
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, RuntimeContext


class CommandExecutor:
    """Deterministic: no understanding here, only handlers and the state."""

    def __init__(self, registry: CommandHandlerRegistry) -> None:
        self._registry = registry

    async def execute(
        self, commands: Sequence[Command], state: DialogueState, context: RuntimeContext
    ) -> dict[str, Any]:
        """All updates of these commands together; each handler sees what the last one did."""
        updates: dict[str, Any] = {}
        for command in commands:
            handled = await self._handled(command, state, context)
            entry = log_entry(command, handled, state, context)
            done = merge_updates(handled.updates, {"command_log": [entry]})
            updates = merge_updates(updates, done)
            state = apply_updates(state, done)
        return updates

    async def _handled(
        self, command: Command, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        # Whether another task is to start depends on the answer to the question just raised.
        if state["_need_input"] and command.place is Place.START:
            return PUT_OFF
        return await self._registry.handler(command.type).execute(command, state, context)


PUT_OFF = Handled({}, "rejected", "a question had to be answered first")


def log_entry(
    command: Command, handled: Handled, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """One line of the command log, sensitive values masked."""
    return {
        "command": command.type,
        "args": command.masked_args(lambda slot: context.assistant.slot(slot).sensitive),
        "timestamp": context.now(),
        "result": handled.result,
        "reason": handled.reason,
        "turn": state["turn_count"],
        "flow_id": handled.flow_id,
    }
