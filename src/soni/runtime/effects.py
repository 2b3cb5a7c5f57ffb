"""TurnEffects: what one turn did, and so what the ledger may forget once the turn is stored."""

from collections.abc import Callable
from typing import Any

from soni.core.calls import ActionCall
from soni.core.protocols import ActionRunner
from soni.core.types import DialogueState


class TurnEffects:
    """A runner that remembers which effects it was asked for. Lives for one turn."""

    def __init__(self, runner: ActionRunner, conversation_id: str) -> None:
        self._runner = runner
        self._conversation_id = conversation_id
        self._met: set[str] = set()

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Run an action."""
        self._met.add(call.key)
        return await self._runner.run(call)

    def settled(self, before: DialogueState, after: DialogueState) -> Callable[[str], bool]:
        """Whether an effect cannot be met again: this turn did it, or its flow is over.

        Any other is of a turn that failed, and waits for its message to be sent again, however
        many messages come before.
        """
        over = {flow["flow_id"] for flow in before["flow_stack"]}
        over -= {flow["flow_id"] for flow in after["flow_stack"]}
        places = tuple(f"{self._conversation_id}/{place}/" for place in (*over, "handoff"))
        return lambda key: key in self._met or key.startswith(places)
