"""Creating a state and applying updates to it outside a graph."""

from typing import Any, cast

from soni.core.constants import ConversationState
from soni.core.types import REDUCERS, DialogueState, FlowContext, Overwrite, Progress, StateUpdate


def create_initial_state() -> DialogueState:
    """The state of a conversation in which nothing has been said yet."""
    return {
        "user_message": None,
        "messages": [],
        "last_response": "",
        "replies": [],
        "flow_stack": [],
        "flow_slots": {},
        "conversation_slots": {},
        "conversation_state": ConversationState.IDLE.value,
        "current_step": None,
        "waiting_for_slot": None,
        "commands": [],
        "nlu_result": None,
        "command_log": [],
        "last_nlu_call": None,
        "digression_depth": 0,
        "last_digression_type": None,
        "_need_input": False,
        "_pending_prompt": None,
        "turn_count": 0,
        "trace": [],
        "metadata": {"completed_flows": [], "error": None, "error_at": None},
        "turn": {},
    }


def create_progress() -> Progress:
    """The memory of a flow instance that has not run yet."""
    return {
        "history": [],
        "visits": {},
        "attempts": {},
        "skip": [],
        "ask": [],
        "answer": None,
        "changing": False,
        "asking": False,
        "passes": {},
        "began": {},
        "pages": {},
        "returned": None,
        "called": {},
        "lost": [],
    }


def complete_memory(context: FlowContext) -> FlowContext:
    """An instance with every key of `Progress`: an earlier version may have stored fewer."""
    progress: Progress = {**create_progress(), **context["progress"]}
    called = {
        step: {**memory, "context": complete_memory(memory["context"])}
        for step, memory in progress["called"].items()
    }
    return cast(FlowContext, {**context, "progress": {**progress, "called": called}})


def get_current_flow_name(state: DialogueState) -> str | None:
    """The name of the flow on top of the stack."""
    return state["flow_stack"][-1]["flow_name"] if state["flow_stack"] else None


def apply_updates(state: DialogueState, updates: StateUpdate) -> DialogueState:
    """The state after `updates`, by the same reducers that the graph uses."""
    result: dict[str, Any] = dict(state)
    for key, value in updates.items():
        if isinstance(value, Overwrite):
            result[key] = value.value
        else:
            result[key] = REDUCERS[key](result.get(key), value) if key in REDUCERS else value
    return cast(DialogueState, result)


def merge_updates(*updates: StateUpdate) -> StateUpdate:
    """One update with the effect of applying these in order."""
    merged: dict[str, Any] = {}
    for update in updates:
        for key, value in update.items():
            merged[key] = _join_values(key, merged[key], value) if key in merged else value
    return cast(StateUpdate, merged)


class Updates:
    """Updates collected one after the other, and the state as they leave it.

    Each operation of a turn sees what the ones before it did, and all of them are returned:

        updates = Updates(state)
        updates.add(announce_return(updates.state, context))
        updates.add(close_turn(updates.state, context))
        return updates.merged
    """

    def __init__(self, state: DialogueState, *before: StateUpdate) -> None:
        self.state = state
        """The state after all that was added."""

        self.merged: StateUpdate = {}
        """All that was added, as one update of the state that this began with."""

        for update in before:
            self.add(update)

    def add(self, update: StateUpdate) -> None:
        """Apply one more update."""
        self.merged = merge_updates(self.merged, update)
        self.state = apply_updates(self.state, update)


def _join_values(key: str, first: Any, second: Any) -> Any:
    if isinstance(second, Overwrite) or key not in REDUCERS:
        return second
    if isinstance(first, Overwrite):
        return Overwrite(REDUCERS[key](first.value, second))
    if key == "flow_slots":
        return _join_slots(first, second)
    if key == "messages":
        return [*first, *second]
    return REDUCERS[key](first, second)


def _join_slots(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    # Unlike in the reducer, a removal must stay visible until the update is applied.
    joined = dict(first)
    for flow_id, slots in second.items():
        if slots is None:
            joined[flow_id] = None
        elif flow_id not in joined:
            joined[flow_id] = slots
        elif joined[flow_id] is not None:  # what is gone stays gone: no id is used twice
            joined[flow_id] = {**joined[flow_id], **slots}
    return joined
