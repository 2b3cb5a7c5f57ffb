"""The state of a conversation, the reducers that update it, and the context of a turn.

Only this file of `core` imports LangGraph. Nothing below `flow` imports it, so that
configurations can be checked without LangGraph.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, Protocol, TypedDict, cast

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite as Overwrite

from soni.core import transitions
from soni.core.constants import ConversationState
from soni.core.prompts import Prompt
from soni.core.protocols import (
    ActionRunner,
    Clock,
    CommandExecution,
    Digressions,
    FlowOperations,
    NLUProvider,
    ScopeBuilder,
    SlotWriting,
)
from soni.core.records import (
    CallResult,
    CommandLogEntry,
    ForkOrigin,
    HandoffTicket,
    LastTask,
    NLUResult,
    Reply,
    TraceEvent,
    TurnFacts,
)
from soni.core.telemetry import NO_TELEMETRY, Telemetry
from soni.core.turn_trace import TurnTrace


class StepRun(TypedDict):
    """One step that ran, and where control went from there."""

    step: str
    next: str
    skipped: NotRequired[bool]
    """Its guard never held, so it did nothing."""


class Progress(TypedDict):
    """What a flow instance remembers of its steps. Bounded by the size of the flow."""

    history: list[StepRun]
    """The way to the current step: each step that ran, once, in the order of its last run."""

    visits: dict[str, int]
    """How often each step began: part of the key under which an action's effect is recorded."""

    attempts: dict[str, int]
    """Refused values per slot, and unclear answers per confirm, since the last good one."""

    skip: list[StepRun]
    """Steps whose result is still valid after a correction: skipped once instead of run again."""

    ask: list[str]
    """Slots to ask for before the current step runs, although no step collects them."""

    answer: str | None
    """The user's answer to the confirm that is the current step: `yes` or `no`."""

    changing: bool
    """The confirm was denied and the user was asked what to change."""

    asking: bool
    """The current step asks although its slot was filled."""

    passes: dict[str, int]
    """How many passes of each loop have begun."""

    began: dict[str, dict[str, Any]]
    """Loop -> the values its steps compute, as of the beginning of the last pass. A correction
    inside of that pass restores them and keeps the results of earlier passes."""

    pages: dict[str, int]
    """The page that the user has reached in the list that each step offers."""

    returned: CallResult | None
    """The result of the flow that the current step called."""

    called: "dict[str, Called]"
    """Call step -> the flow that it called last, so that a correction can go back into it."""

    lost: list[str]
    """Sensitive slots that were filled but not kept when the flow was left. A step that needs
    one asks for it again."""


class Called(TypedDict):
    """A called flow that is not on the stack, kept until its caller ends."""

    context: "FlowContext"
    slots: dict[str, Any]
    """Its slots without sensitive values, which are asked for again."""

    again: list[str] | None
    """Inputs that may have changed when the step calls it again; None: it would start anew."""


class FlowContext(TypedDict):
    """One instance of a flow, on the stack or in the archive."""

    flow_id: str
    """Unique instance id, the key into `flow_slots`."""

    flow_name: str
    flow_state: str
    """A `FlowContextState`, as text."""

    current_step: str | None
    """The step to run next; None: not started."""

    outputs: dict[str, Any]
    """What the flow handed out when it ended; survives its slots."""

    started_at: float
    paused_at: float | None
    completed_at: float | None
    context: str | None
    """Why it was paused or ended, for people."""

    called_by: str | None
    """The flow instance that called this one; None: the user's own task."""

    progress: Progress
    version: NotRequired[str]
    """The fingerprint of the flows that it runs on."""


class Metadata(TypedDict, total=False):
    """What the state keeps between turns beside flows and slots."""

    completed_flows: list[FlowContext]
    """The archive: flows that have ended, the newest last, at most `max_completed_flows`."""

    last_task: LastTask
    error: str | None
    """The last error; None after it was resolved."""

    error_at: float | None
    handoff: HandoffTicket | None
    """A person has taken over; None: given back."""

    forked_from: ForkOrigin
    """An author forked it from another conversation."""

    no_progress: int
    """Messages in a row from which nothing followed."""

    last_activity: float
    """When the user was heard last."""

    language: str
    """The language of the last turn."""

    offered: list[dict[str, Any]]
    """What can be pressed now, because it was shown."""

    answers: list[dict[str, Any]]
    """Yes and no, where a question has them and shows no options: clients may have buttons."""

    resets: int
    """How often a conversation with this id was forgotten."""

    derived: dict[str, list[str]]
    """Slots whose values quote a sensitive one, by flow id; "" is the conversation."""


def merge_flow_slots(
    current: dict[str, dict[str, Any]], new: dict[str, dict[str, Any] | None]
) -> dict[str, dict[str, Any]]:
    """Deep-merge per instance; `{flow_id: None}` removes an instance's slots."""
    merged = dict(current or {})
    for flow_id, slots in new.items():
        if slots is None:
            merged.pop(flow_id, None)
        else:
            merged[flow_id] = {**merged.get(flow_id, {}), **slots}
    return merged


def merge_keys(current: Any, new: Any) -> dict[str, Any]:
    """Shallow merge: a named key is replaced, the others stay."""
    return {**(current or {}), **new}


def append_entries(current: list[Any], new: list[Any]) -> list[Any]:
    """New entries go to the end."""
    return [*(current or []), *new]


class DialogueState(TypedDict):
    """A conversation. Plain data, but for `messages`; changed only through reducers."""

    # Communication
    user_message: str | None
    """The message being handled; None between turns."""

    messages: Annotated[list[AnyMessage], add_messages]
    """What was said, sensitive values masked, the newest `max_history_messages`."""

    last_response: str
    """The bot's last turn, its messages joined by newlines."""

    replies: Annotated[list[Reply], append_entries]
    """The bot's messages in this turn, in order."""

    # Flows
    flow_stack: list[FlowContext]
    """Open flows, the active one last."""

    flow_slots: Annotated[dict[str, dict[str, Any]], merge_flow_slots]
    """Slot values per flow instance."""

    conversation_slots: Annotated[dict[str, Any], merge_keys]
    """Slots with `scope: conversation`."""

    # Where the conversation stands
    conversation_state: str
    current_step: str | None
    waiting_for_slot: str | None

    # Commands
    commands: list[dict[str, Any]]
    """Cleaned commands still to be executed in this turn."""

    nlu_result: NLUResult | None
    """What understanding made of the message; None between turns."""

    command_log: Annotated[list[CommandLogEntry], append_entries]
    last_nlu_call: float | None

    # Digressions
    digression_depth: int
    last_digression_type: str | None
    """`question`, `help`, `clarification`, `chitchat` or `out_of_scope`."""

    # The interrupt
    _need_input: bool
    _pending_prompt: Prompt | None
    """What the user was asked."""

    # Audit
    turn_count: int
    trace: Annotated[list[TraceEvent], append_entries]
    metadata: Annotated[Metadata, merge_keys]
    turn: Annotated[TurnFacts, merge_keys]
    """Facts about the running turn; between turns, about the last one."""


class StateUpdate(TypedDict, total=False):
    """What a node or a handler changes: the keys of `DialogueState` that it names.

    Where the state has a reducer, the value is what the reducer adds; `Overwrite` replaces all.
    """

    user_message: str | None
    messages: list[Any]
    """Messages, and removals of messages."""

    last_response: str
    replies: list[Reply] | Overwrite
    flow_stack: list[FlowContext]
    flow_slots: dict[str, dict[str, Any] | None] | Overwrite
    """Merged per instance; `{flow_id: None}` removes one."""

    conversation_slots: dict[str, Any] | Overwrite
    conversation_state: str
    current_step: str | None
    waiting_for_slot: str | None
    commands: list[dict[str, Any]]
    nlu_result: NLUResult | None
    command_log: list[CommandLogEntry] | Overwrite
    last_nlu_call: float | None
    digression_depth: int
    last_digression_type: str | None
    _need_input: bool
    _pending_prompt: Prompt | None
    turn_count: int
    trace: list[TraceEvent] | Overwrite
    metadata: Metadata
    turn: TurnFacts | Overwrite


REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    "messages": add_messages,
    "replies": append_entries,
    "flow_slots": merge_flow_slots,
    "conversation_slots": merge_keys,
    "command_log": append_entries,
    "trace": append_entries,
    "metadata": merge_keys,
    "turn": merge_keys,
}


@dataclass(frozen=True)
class RuntimeContext:
    """Everything a node may use beside the state. Created for each turn; holds no shared state."""

    assistant: Any
    """The `soni.config.assistant.Assistant`: configuration, plans and marked functions."""

    conversation_id: str
    user_id: str
    language: str
    session: dict[str, Any]
    clock: Clock
    nlu_provider: NLUProvider
    scope_manager: ScopeBuilder
    flow_manager: FlowOperations
    slot_writer: SlotWriting
    command_executor: CommandExecution
    action_runner: ActionRunner
    digression_handler: Digressions
    emit: Callable[[str], None]
    """Streams a message of the running turn to whoever listens."""

    flow_graphs: Callable[[str], Any]
    """Gives a flow's compiled graph, compiling it on first use."""

    has_writer: bool = False
    """Whether a language model, or a substitute for one, can write texts."""

    turn_trace: TurnTrace = field(default_factory=TurnTrace)
    """Notes what the turn goes through."""

    telemetry: Telemetry = NO_TELEMETRY
    """Is told how the turn goes."""

    secrets: tuple[Any, ...] = ()
    """While a flow runs: sensitive values of all open flows, since one may quote another's."""

    def now(self) -> float:
        """Seconds since the epoch by the conversation's clock."""
        return self.clock().timestamp()

    def move(self, current: str, target: ConversationState) -> StateUpdate:
        """The update that moves the conversation to `target`; the turn's trace notes the move."""
        update = transitions.make_transition(current, target)
        if update:
            self.turn_trace.note_move(current, target.value)
        return cast(StateUpdate, update)

    def update_flow(self, state: DialogueState, flow_id: str, **changes: Any) -> StateUpdate:
        """The update that changes fields of one flow instance on the stack."""
        changed: StateUpdate = self.flow_manager.update_context(state, flow_id, **changes).updates()
        return changed

    @property
    def config(self) -> Any:
        """The assistant's `SoniConfig`."""
        return self.assistant.config


class NodeFunction(Protocol):
    """A LangGraph node: state and runtime in, a `StateUpdate` or a flow's `FlowUpdate` out."""

    def __call__(self, state: Any, runtime: Any) -> Awaitable[Any]: ...
