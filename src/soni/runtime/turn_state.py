"""The state of a conversation as a turn finds it and leaves it."""

from typing import Any

from soni.config.settings import Conversation
from soni.core.errors import SoniError
from soni.core.state import create_initial_state
from soni.core.storage import Lease
from soni.core.types import DialogueState


def find_due_time(state: DialogueState, settings: Conversation) -> float | None:
    """When the session of open tasks times out."""
    last = state["metadata"].get("last_activity")
    if last is None or state["metadata"].get("handoff") or not state["flow_stack"]:
        return None
    return float(last + settings.session_timeout)


def find_handoff_time(state: DialogueState) -> float | None:
    """Since when a person has the conversation, or is waited for. A fork waits for nobody."""
    ticket = state["metadata"].get("handoff")
    return ticket["at"] if ticket and "forked_from" not in state["metadata"] else None


def list_copied_users(state: DialogueState) -> tuple[str, ...]:
    """The people whose words a fork was made of."""
    origin = state["metadata"].get("forked_from")
    return tuple(origin["user_ids"]) if origin else ()


def make_thread_config(conversation_id: str) -> dict[str, Any]:
    """Where LangGraph finds a conversation."""
    return {"configurable": {"thread_id": conversation_id, "checkpoint_ns": ""}}


def is_waiting(stored: Any) -> bool:
    """Whether the graph waits at an interrupt: only then may a message resume it."""
    return any(channel == "__interrupt__" for _, channel, _ in stored.pending_writes or [])


def create_state(lease: Lease) -> DialogueState:
    """A new state. After a reset its ids must differ from those before."""
    state = create_initial_state()
    if lease.life:
        state["metadata"]["resets"] = lease.life
    return state


def require_closed(state: DialogueState) -> DialogueState:
    """Return the state, or raise if its turn did not end: only the waiting node may interrupt."""
    if "message" not in state["turn"]:
        raise SoniError(
            "a validator, normalizer or step called LangGraph's interrupt(); "
            "refuse a value with ValueError, or ask with a collect step, instead"
        )
    return state
