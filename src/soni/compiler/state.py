"""FlowState: the narrow state a flow's own graph runs on.

Only this goes in and only explicit updates come out. Passing the whole conversation through the
inner graph would apply its reducers twice: lists would double, removed flows would come back.
"""

from typing import Annotated, Any, TypedDict

from soni.core.types import FlowContext, append


class FlowState(TypedDict):
    """One flow instance while it runs."""

    step: str
    """The step to run next, or a reserved target."""

    instance: FlowContext
    slots: dict[str, Any]
    """The instance's own slots."""

    shared: dict[str, Any]
    """The conversation's slots."""

    conversation_state: str
    turn_count: int
    replies: Annotated[list[dict[str, Any]], append]
    trace: Annotated[list[dict[str, Any]], append]
    actions: Annotated[list[dict[str, Any]], append]
    """Actions that ran: name, inputs (masked), outcome."""

    runs: dict[str, int]
    """How often each step ran in this turn: loops without a wait end."""

    error: dict[str, Any] | None
    """The last failure: type, message, step."""

    request: dict[str, Any] | None
    """What the manager has to do before the flow goes on: call, link or hand off."""

    _need_input: bool
    _pending_prompt: dict[str, Any] | None
