"""generate_response: closes a turn in which no flow waits."""

from langgraph.runtime import Runtime

from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.dm.turn_end import close_turn


async def generate_response(state: DialogueState, runtime: Runtime[RuntimeContext]) -> StateUpdate:
    """Close the turn."""
    return {"_need_input": False, **close_turn({**state, "_need_input": False}, runtime.context)}
