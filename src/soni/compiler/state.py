"""FlowState: the narrow state a flow's own graph runs on.

Only this goes in and only explicit updates come out. Passing the whole conversation through the
inner graph would apply its reducers twice: lists would double, removed flows would come back.
"""

from typing import Annotated, Any, Final, TypedDict

from soni.core.prompts import Prompt
from soni.core.records import ActionRecord, ErrorRecord, Reply, StepRequest, TraceEvent
from soni.core.types import FlowContext, append_entries


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
    replies: Annotated[list[Reply], append_entries]
    trace: Annotated[list[TraceEvent], append_entries]
    actions: Annotated[list[ActionRecord], append_entries]

    runs: dict[str, int]
    """How often each step ran in this turn: loops without a wait end."""

    error: ErrorRecord | None
    """The last failure."""

    request: StepRequest | None
    """What the manager has to do before the flow goes on: call, link or hand off."""

    _need_input: bool
    _pending_prompt: Prompt | None


APPENDED: Final = ("replies", "trace", "actions")
"""What steps add to; anything else they replace."""


class FlowUpdate(TypedDict, total=False):
    """What a step's node changes: the keys of `FlowState` that it names."""

    step: str
    instance: FlowContext
    slots: dict[str, Any]
    shared: dict[str, Any]
    conversation_state: str
    replies: list[Reply]
    trace: list[TraceEvent]
    actions: list[ActionRecord]
    runs: dict[str, int]
    error: ErrorRecord | None
    request: StepRequest | None
    _need_input: bool
    _pending_prompt: Prompt | None
