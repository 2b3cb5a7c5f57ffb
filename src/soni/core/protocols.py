"""Protocols between layers, so that none has to import a layer above it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from soni.core.calls import ActionCall


@dataclass(frozen=True)
class Passage:
    """An answer to a question, best first in what a search returns."""

    id: str
    """Of an entry of the assistant's own knowledge, or of anything else the base holds."""

    score: float
    """How well it fits, on a scale of the knowledge base's own."""

    text: str | None = None
    """What to say, word for word. None: the answer of the assistant's entry `id`."""


Clock = Callable[[], datetime]
"""Tells the conversation's time. Injected, so that a conversation replays exactly."""

NewId = Callable[[str], str]
"""Makes a flow instance's id from the flow's name."""


class NLUProvider(Protocol):
    """Anything that turns a message into commands.

    One that the settings name is closed with the runtime, if it has `async aclose()`.
    """

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """Return an `NLUOutput`; `context` is a `DialogueContext`."""


@runtime_checkable
class WarmUp(Protocol):
    """A provider that can prepare for an assistant before its first message."""

    async def warm_up(self, context: Any, most_flows: int, folder: Path | None) -> None:
        """Load and encode now; `folder` may keep results from one start to the next.

        `context` is a `DialogueContext` with all flows that may start; of them a message is read
        among `most_flows` at the most.
        """
        ...


class ScopeBuilder(Protocol):
    """Chooses what understanding may see and produce now."""

    def get_available_flows(self, state: Any, context: Any) -> list[str]: ...

    async def build(self, state: Any, context: Any) -> Any:
        """The `DialogueContext` of this moment."""


class FlowOperations(Protocol):
    """The flow stack. Nothing here changes a state; every operation returns a delta."""

    def bind_turn(self, new_id: NewId, clock: Clock, config: Any | None = None) -> "FlowOperations":
        """The same operations with the ids and the time of one turn, and its flows."""

    def push_flow(
        self,
        state: Any,
        flow_name: str,
        inputs: dict[str, Any] | None = None,
        reason: str | None = None,
        called_by: str | None = None,
        *,
        below: str | None = None,
    ) -> tuple[str, Any]: ...

    def pop_flow(
        self, state: Any, outputs: dict[str, Any] | None = None, result: str = "completed"
    ) -> Any: ...

    def pop_task(
        self, state: Any, result: str, reason: str | None = None, *, root: str | None = None
    ) -> Any: ...

    def raise_task(
        self, state: Any, flow_id: str, reason: str | None = None, *, below: str | None = None
    ) -> Any: ...

    def set_slot(
        self, state: Any, slot_name: str, value: Any, flow_id: str | None = None
    ) -> Any: ...

    def unset_slots(self, state: Any, names: Sequence[str], flow_id: str) -> Any: ...

    def get_slot(self, state: Any, slot_name: str, flow_id: str | None = None) -> Any: ...

    def get_slots(self, state: Any, flow_id: str | None) -> dict[str, Any]: ...

    def get_active_context(self, state: Any) -> Any: ...

    def update_context(self, state: Any, flow_id: str, **changes: Any) -> Any: ...

    def find_archived_inputs(self, state: Any, flow_name: str) -> dict[str, Any]: ...

    def prune_state(self, state: Any) -> Any: ...


class SlotWriting(Protocol):
    """The only writer of slots."""

    async def write(
        self,
        name: str,
        value: Any,
        values: Mapping[str, Any],
        env: Any,
        voice: Any,
        *,
        collected: bool = False,
        coming: Mapping[str, Any] = ...,
    ) -> Any:
        """A `SlotWrite`, or `Refusal`."""

    def find_violation(
        self, name: str, values: Mapping[str, Any], env: Any, voice: Any
    ) -> str | None:
        """What a stored value's own constraints say against it."""


class CommandExecution(Protocol):
    """Runs cleaned commands."""

    async def execute(self, commands: Sequence[Any], state: Any, context: Any) -> Any:
        """Return a `StateUpdate`."""


class ActionRunner(Protocol):
    """Runs an action once, whatever happens to the process."""

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """Return the action's outputs, or raise `ActionError` or `NeedSlot`."""


class TextGenerator(Protocol):
    """Anything that writes texts."""

    async def generate(
        self,
        instruction: str,
        facts: Mapping[str, Any],
        *,
        language: str,
        write: Callable[[str], None],
    ) -> Mapping[str, Any]:
        """`text`, and `usage` if it is known; `write` gets each piece as it comes."""


@runtime_checkable
class AnswerWriter(Protocol):
    """A text generator that answers questions as well, from entries that it is given."""

    async def answer(
        self, question: str, entries: Sequence[Mapping[str, Any]], *, language: str
    ) -> Mapping[str, Any]:
        """`entry`, the id of the one that answers or None, `text`, and `usage` if it is known.

        Each of the `entries` has `id`, `questions` and `answer`.
        """


@runtime_checkable
class TextRunner(ActionRunner, Protocol):
    """A runner that can also return recorded texts, as in a replay."""

    @property
    def has_texts(self) -> bool:
        """Whether recorded texts are available without a language model."""


class Digressions(Protocol):
    """Answers questions outside of the flow, without changing the stack."""

    async def handle(self, kind: str, topic: str, state: Any, context: Any) -> Any:
        """Return a `StateUpdate`."""


class KnowledgeBase(Protocol):
    """Anything that finds answers to questions: words, vectors, a search engine."""

    async def search(
        self, question: str, *, language: str, flows: Sequence[str] = (), limit: int = 5
    ) -> Sequence[Passage]:
        """Answers, best first, and none rather than a wrong one; `flows` are the open ones.

        The conditions and flows of the assistant's own entries are checked again by the caller.
        """
