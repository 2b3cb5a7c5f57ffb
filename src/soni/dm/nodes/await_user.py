"""await_user: wait for the next message, and do nothing else.

A node runs again from its beginning when it resumes, so an effect here would happen twice.
"""

from langgraph.types import interrupt

from soni.core.types import DialogueState, StateUpdate


async def await_user(state: DialogueState) -> StateUpdate:
    """Hand the question out; the next message comes back as this turn's opening updates."""
    opening: StateUpdate = interrupt(state["_pending_prompt"])
    return opening
