"""Records: the plain data that a conversation's state is made of."""

from typing import Any, NotRequired, TypedDict

from soni.core.prompts import Prompt


class Reply(TypedDict):
    """A message of the bot's."""

    text: str
    ui: NotRequired[dict[str, Any]]
    """What a channel may show beside it: `soni.steps.ui`."""

    by: NotRequired[str]
    """Who wrote it, if the bot did not: a person who has taken over."""

    source: NotRequired[str]
    """The knowledge entry that it comes from."""


class TraceEvent(TypedDict):
    """Something that happened in a conversation."""

    event: str
    timestamp: float
    data: dict[str, Any]
    """What the event is about; its keys depend on the event."""


class CommandRecord(TypedDict):
    """A command by its name and its arguments, sensitive values masked."""

    command: str
    args: dict[str, Any]


class CommandLogEntry(CommandRecord):
    """The result of one command."""

    timestamp: float
    result: str
    """`success`, `rewritten`, `rejected` or `error`."""

    reason: str | None
    turn: int
    flow_id: str | None
    """The instance that it was carried out in."""


class PolicyDecision(CommandRecord):
    """What the policy decided about a command."""

    decision: str
    """`accepted`, `rewritten` or `rejected`."""

    reason: str | None
    to: list[CommandRecord]
    """What a rewritten command became."""

    added: NotRequired[bool]
    """The policy added it; no provider produced it."""


class ActionRecord(TypedDict):
    """An action that a step called."""

    action: str
    inputs: dict[str, Any]
    """Sensitive values are masked."""


class StepRequest(TypedDict, total=False):
    """What a step asks of the manager. Its kind is the name of a request class in `soni.steps`."""

    kind: str
    """`Calling`, `Linking` or `HandingOff`."""

    flow: str
    """The flow to call, or to go over to."""

    inputs: dict[str, Any]
    """What a called flow is given."""

    queue: str | None
    """Who is to take over."""

    context: dict[str, Any]
    """What the person who takes over is told."""

    message: str | None
    """What the user is told; None: the usual sentence."""


class ErrorRecord(TypedDict):
    """A failure inside a flow."""

    type: str
    message: str
    step: NotRequired[str]
    outcome_known: NotRequired[bool]
    """False: nobody knows whether the action was done."""


class CallResult(TypedDict, total=False):
    """The result of a called flow: outputs or an error."""

    outputs: dict[str, Any]
    error: ErrorRecord


class NLUResult(TypedDict, total=False):
    """The `NLUOutput` of a message as plain data."""

    commands: list[dict[str, Any]]
    unread: int
    """How many more commands there were than a message may have."""

    source: str
    """The provider, or `given`, `api`, `refused` or `failed`."""

    confidence: float
    reasoning: str | None
    usage: dict[str, Any] | None
    """The calls, tokens and cost of a language model."""

    about: list[str]
    """Slots that the user asks about."""


class StepRecord(TypedDict):
    """A step that ran or was skipped."""

    flow: str
    step: str
    to: str | None
    """The step that followed; None: it waits."""

    edge: NotRequired[str]
    """Which of several edges it took."""

    skipped: NotRequired[bool]
    """Its guard did not hold."""


class SlotWriteNote(TypedDict):
    """Who wrote a slot, noted while the turn runs."""

    flow_id: str | None
    """The instance; None: the conversation as a whole."""

    slot: str
    by: str
    """`user`, `action`, `step` or `flow`."""

    said: NotRequired[Any]
    """The value as a command gave it. It may be a secret, so it is never recorded."""

    step: NotRequired[str]
    action: NotRequired[str]
    correction: NotRequired[bool]


class EndedFlow(TypedDict):
    """A flow that ended in a turn."""

    flow_name: str
    result: str
    """`completed`, `cancelled`, `abandoned` or `error`."""


class HandoffTicket(TypedDict):
    """What the person who takes over is told."""

    queue: str | None
    reason: str
    summary: str
    slots: dict[str, Any]
    """Sensitive values are masked."""

    context: dict[str, Any]
    at: float
    claimed_by: NotRequired[str]
    """The person who has taken it."""

    claimed_name: NotRequired[str]
    """What others call them."""


class LastTask(TypedDict):
    """The last completed task, to understand references such as "and a hotel there"."""

    flow: str
    slots: dict[str, Any]


class ForkOrigin(TypedDict):
    """Where a conversation of an author was forked from in the inspector."""

    conversation_id: str
    seq: int
    """The journal entry of the last turn that was taken over."""

    user_ids: list[str]
    """Whose words were taken over. If one of them is erased, the fork goes as well."""


class TurnFacts(TypedDict, total=False):
    """Facts about one turn. Closing the turn keeps only the last group."""

    # What came in
    message_id: str | None
    """The application's own id; a repeated one is answered from the journal."""

    given: list[dict[str, Any]] | None
    """Commands that came instead of a message, or with a press; None: understand the message."""

    api: str
    """The API call that caused the turn; absent: the user's message did."""

    by_hand: bool
    """An author typed the commands of this turn in the inspector."""

    forked_from: ForkOrigin
    """The turn belongs to a fork. Nobody counts it, and no desk sees it."""

    release: bool
    """A person gives the conversation back."""

    claim: str
    """The person who takes the conversation."""

    claim_name: str
    """What others call them."""

    say: list[Reply]
    """Messages to say first, from the application or from a person who took over."""

    # While the turn runs
    trace_from: int
    """How many events the trace held before."""

    private: bool
    """The open question asked for something sensitive, so the message must not be stored."""

    secrets: list[str]
    """Sensitive values that were said."""

    first_pass: bool
    """Whether the message's commands are executed for the first time in this turn."""

    task: str | None
    """The task that was last on top. A change of task is announced."""

    started: list[str]
    """Instances that this message started."""

    front: str
    """The task that this message put on top."""

    last: str
    """The lowest task on the stack of those that this message started or resumed."""

    coming: list[tuple[str, Any, str | None]]
    """Slot, value and flow of the commands that are still in the queue."""

    beside: dict[str, Any]
    """Values in the rest of the message for slots of the same instance."""

    doubts: int
    """How often the open question was answered by what is no plain yes."""

    doubted: Prompt
    """That question."""

    request: StepRequest | None
    """What the flow's step waits for."""

    hops: int
    """How often flows have linked to each other in this turn, to stop an endless cycle."""

    # Kept when the turn is closed
    message: str | None
    """The user's message as it may be stored; None: there was none."""

    source: str
    """Who understood the message."""

    confidence: float | None
    reasoning: str | None
    usage: dict[str, Any] | None
    """Calls, tokens and cost of language models in this turn."""

    decisions: list[PolicyDecision]
    actions: list[ActionRecord]
    ended: list[EndedFlow]
    steps: list[StepRecord]
    transitions: list[str]
    """The moves of `conversation_state`, in order."""

    responses: list[str]
    """The names of the responses that were said."""

    events: list[dict[str, Any]]
    """The turn's trace events, each with its data beside its name."""
