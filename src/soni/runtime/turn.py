"""Turn: the result of one message, for the caller."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, cast

from soni.commands.offers import resolve_press
from soni.core.protocols import NewId, NLUProvider
from soni.core.records import Reply, TurnFacts
from soni.core.storage import JournalEntry, WaitingMessage
from soni.core.types import DialogueState, StateUpdate
from soni.dm.digression import KNOWLEDGE_PREFIX
from soni.runtime.inputs import check_id, dump_commands, replace_surrogates, require_text


@dataclass(frozen=True)
class Turn:
    """The outcome of one message."""

    conversation_id: str
    number: int
    """Which turn of the conversation this was."""

    message_id: str | None
    replies: list[Reply]
    """What the bot said, message by message, with what is shown beside each."""

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
    def messages(self) -> list[str]:
        """What the bot said, message by message."""
        return [reply["text"] for reply in self.replies]

    @property
    def text(self) -> str:
        """The messages joined by newlines."""
        return "\n".join(self.messages)


def make_turn(
    entry: JournalEntry,
    state: DialogueState,
    timings: dict[str, float],
    said: list[Reply] | None = None,
    *,
    repeated: bool = False,
) -> Turn:
    """The turn that a journal entry records; `said` is what it has masked in the replies."""
    answers = (str(event.get("answer", "")) for event in entry.data.get("events", ()))
    known = (answer for answer in answers if answer.startswith(KNOWLEDGE_PREFIX))
    return Turn(
        conversation_id=entry.conversation_id,
        number=entry.turn,
        message_id=entry.message_id,
        replies=read_replies(entry.data) if said is None else said,
        commands=entry.data["commands"],
        state=state,
        timings=timings,
        sources=[answer.removeprefix(KNOWLEDGE_PREFIX) for answer in known],
        repeated=repeated,
    )


def read_replies(data: Mapping[str, Any]) -> list[Reply]:
    """What the bot said, as a journal entry has it: secrets are masked."""
    texts = data.get("replies", [])
    details = data.get("reply_details") or [{}] * len(texts)
    told = [{"text": text, **more} for text, more in zip(texts, details, strict=True)]
    return cast(list[Reply], told)


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
    """Already understood, kept as plain data; None: to be understood."""

    facts: TurnFacts = field(default_factory=TurnFacts)
    """What the application says of the turn."""

    check: Callable[[DialogueState], None] | None = None
    """Raises if the conversation, once it is held, is not one in which this makes sense."""

    is_press: bool = False
    """The text is the label of a button. What it sends is known once the conversation is held."""

    joined: tuple[str, ...] = ()
    """Ids of other messages whose texts are part of this one."""

    def __post_init__(self) -> None:
        """Refuse what no conversation can be held with."""
        check_id("user_id", self.user_id)
        check_id("conversation_id", self.conversation_id)
        if self.message_id is not None:
            check_id("message_id", self.message_id)
        if self.language is not None:
            check_id("language", self.language)
        if self.text is not None:
            text = replace_surrogates(require_text("message", self.text))
            object.__setattr__(self, "text", text)
        if self.commands is not None:
            object.__setattr__(self, "commands", dump_commands(self.commands))

    @property
    def input_kind(self) -> str:
        """Who wants what: `message`, `commands` (a button), or the call of the application."""
        if self.commands is not None and self.text is not None:
            return "commands"
        return "message" if self.text is not None else self.facts.get("api", "application")

    @property
    def is_joinable(self) -> bool:
        """Whether it is words of a user, which may be read together with others."""
        return bool(self.text) and self.commands is None and not self.is_press

    def meet_state(self, state: DialogueState) -> "Message":
        """This message in its conversation, or an error if it makes no sense there."""
        if self.check is not None:
            self.check(state)
        if not self.is_press:
            return self
        return replace(self, commands=resolve_press(str(self.text), state), is_press=False)

    def join(self, waiting: Sequence[WaitingMessage]) -> "Message":
        """This message together with the others that wait, in the order in which they came."""
        others = tuple(each for each in waiting if each.text)
        if not any(each.message_id != self.message_id for each in others):
            return self
        return replace(
            self,
            text="\n".join(each.text for each in others),
            joined=tuple(m.message_id for m in others if m.message_id != self.message_id),
        )

    def make_input(self) -> StateUpdate:
        """The input of the graph for this turn."""
        return {
            "user_message": self.text,
            "turn": replace_surrogates(
                {**self.facts, "message_id": self.message_id, "given": self.commands}
            ),
        }


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
