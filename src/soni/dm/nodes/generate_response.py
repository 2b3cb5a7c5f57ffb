"""generate_response: nothing is left to do; record what was said."""

from typing import Any

from langgraph.runtime import Runtime

from soni.core.types import DialogueState, RuntimeContext
from soni.dm.closing import close_turn


async def generate_response(
    state: DialogueState, runtime: Runtime[RuntimeContext]
) -> dict[str, Any]:
    """Close a turn that waits for nothing."""
    return {"_need_input": False, **close_turn({**state, "_need_input": False}, runtime.context)}
