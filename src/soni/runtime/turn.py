"""Turn: the result of one message, for the caller."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from soni.commands import Command
from soni.core.protocols import NewId, NLUProvider
from soni.core.records import TurnFacts
from soni.core.types import DialogueState, StateUpdate


@dataclass(frozen=True)
class Turn:
    """The outcome of one message."""

    conversation_id: str
    number: int
    """Which turn of the conversation this was."""

    message_id: str | None
    messages: list[str]
    """What the bot said, message by message."""

    commands: list[dict[str, Any]]
    """What understanding produced, each with its decision and reason."""

    state: DialogueState
    """The conversation after the turn."""

    timings: dict[str, float] = field(default_factory=dict, compare=False)
    """Seconds: `total` and `understanding`."""

    sources: list[str] = field(default_factory=list)
    """The entries of knowledge that answers come from, by their ids."""

    repeated: bool = False
    """The message had been handled before: this is what was answered then."""

    @property
    def text(self) -> str:
        """The messages joined by newlines."""
        return "\n".join(self.messages)


@dataclass(frozen=True)
class MessageEvent:
    """The bot said something."""

    text: str


@dataclass(frozen=True)
class PieceEvent:
    """Some more of a message that a language model is writing.

    The message that follows takes the place of all its pieces: it may be another one, if the
    model has failed on the way.
    """

    text: str


@dataclass(frozen=True)
class TurnEvent:
    """The turn is done and stored."""

    turn: Turn


Event = MessageEvent | PieceEvent | TurnEvent


@dataclass(frozen=True)
class Message:
    """One thing to handle."""

    text: str | None
    """None: the application, not the user, wants something."""

    user_id: str
    conversation_id: str
    message_id: str | None = None
    language: str | None = None
    session: dict[str, Any] = field(default_factory=dict)
    commands: Sequence[Any] | None = None
    """Already understood; None: to be understood."""

    facts: TurnFacts = field(default_factory=TurnFacts)
    """What the application says of the turn."""

    check: Callable[[DialogueState], None] | None = None
    """Raises if the conversation, once it is held, is not one in which this makes sense."""

    def make_input(self) -> StateUpdate:
        """The input of the graph for this turn."""
        given = (
            [c.model_dump(mode="json") if isinstance(c, Command) else c for c in self.commands]
            if self.commands is not None
            else None
        )
        return {
            "user_message": _replace_surrogates(self.text),
            "turn": {
                **self.facts,
                "message_id": self.message_id,
                "given": _replace_surrogates(given),
            },
        }


def _replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, as broken clients send them, with `?`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    return value


class TimedNLU:
    """Measures the time that a provider takes."""

    def __init__(self, provider: NLUProvider) -> None:
        self._provider = provider
        self.seconds = 0.0

    async def understand(self, user_message: str, history: Sequence[Any], context: Any) -> Any:
        """Ask the provider."""
        started = time.perf_counter()
        try:
            return await self._provider.understand(
                user_message=user_message, history=history, context=context
            )
        finally:
            self.seconds += time.perf_counter() - started


def make_seeded_ids(
    conversation_id: str, turn: int, message_id: str | None, *, resets: int = 0
) -> NewId:
    """A generator of flow ids for one turn.

    `resets` is how often the conversation was forgotten: its turns are numbered anew, but what
    they do is not what was done before.
    """
    numbers = count()
    # A message with an id may be retried after others; one without is identified by its turn.
    origin = ("turn", str(turn)) if message_id is None else ("message", message_id)

    def new_id(flow_name: str) -> str:
        seed = "\0".join((conversation_id, str(resets), *origin, str(next(numbers))))
        digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass"))
        return f"{flow_name}_{digest.hexdigest()[:12]}"

    return new_id
