"""Conversations: what every way into the server shares.

It knows whose a conversation is, carries messages to the runtime within the server's limits, and
tells what was said.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Literal, TypeVar
from weakref import WeakValueDictionary

from soni.config.server_settings import ServerLimits
from soni.core.access_key import Role
from soni.core.errors import ExpiredOfferError, NotAllowedError, SoniError
from soni.core.masking import mask_slots
from soni.core.records import HandoffTicket
from soni.core.storage import ConversationRecord, JournalEntry
from soni.core.types import DialogueState
from soni.runtime.loop import RuntimeLoop
from soni.runtime.open_question import find_open_question
from soni.runtime.turn import Event, MessageEvent, PieceEvent, Turn, TurnEvent, read_replies
from soni.server.admission import ConnectionGate, TurnGate
from soni.server.models import (
    ConversationBody,
    DeskChange,
    MessageRequest,
    OpenTask,
    ReplyBody,
    SpokenMessage,
    TurnBody,
    Waiting,
)
from soni.server.problems import ApiProblem
from soni.server.subjects import Subject

T = TypeVar("T")

PAGE_SIZE: Final = 100
_ID_BYTES: Final = 18

Right = Literal["own", "read"]
EventId = tuple[int, int]
"""The entry of a message in the journal, and its place in there."""


class Conversations:
    """The conversations of one server."""

    def __init__(
        self,
        runtime: RuntimeLoop,
        limits: ServerLimits,
        clock: Callable[[], float],
        stopping: asyncio.Event,
        new_id: Callable[[], str] = lambda: f"c_{secrets.token_urlsafe(_ID_BYTES)}",
    ) -> None:
        self.runtime = runtime
        self._limits = limits
        self._clock = clock
        self.stopping = stopping
        self._new_id = new_id
        self.turns = TurnGate(limits.concurrent_turns, limits.waiting_turns)
        self.connections = ConnectionGate(limits)
        self._running: set[asyncio.Task[Any]] = set()
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, subject: Subject, conversation_id: str | None = None) -> str:
        """Begin a conversation of a subject; its id.

        A name that the client chose is theirs alone: another subject's is another conversation.
        """
        directory = self.runtime.store.directory
        most = self._limits.conversations_per_subject
        # Those that are opened at the same time must not all find the same place free.
        async with self._opening.setdefault(subject.id, asyncio.Lock()):
            if await directory.count_conversations(subject.id) >= most:
                raise ApiProblem("too_many_conversations", f"at most {most:,} of one subject")
            name = conversation_id or self._new_id()
            await directory.register(name, subject.id, at=self._clock())
        return name

    async def require(
        self, subject: Subject, conversation_id: str, right: Right = "own"
    ) -> ConversationRecord:
        """The conversation, if the subject has that right to it; else there is none for them."""
        record = await self.runtime.store.directory.find(conversation_id)
        if record is not None and (
            record.user_id == subject.id
            or (right == "read" and subject.may(Role.AUTHOR))
            or (right == "read" and subject.may(Role.AGENT) and record.handed_off_at is not None)
        ):
            return record
        raise ApiProblem("not_found", "no such conversation")

    async def send(self, subject: Subject, conversation_id: str, sent: MessageRequest) -> Turn:
        """Handle a message of the subject."""
        runtime = self.runtime
        about: dict[str, Any] = {
            "conversation_id": conversation_id,
            "message_id": sent.message_id,
            "language": sent.language,
            "context": subject.accept_context(sent.context),
        }
        if sent.press is not None:
            try:
                return await self.run_turn(
                    lambda: runtime.press(subject.id, str(sent.press), turn=sent.turn, **about)
                )
            except ExpiredOfferError:
                raise ApiProblem("button_expired") from None
            except NotAllowedError:
                # The error names the label and the offers, which may be anybody's values.
                raise ApiProblem("not_allowed", "that was not offered last") from None
        return await self.run_turn(lambda: runtime.turn(str(sent.text), subject.id, **about))

    async def run_turn(self, start: Callable[[], Awaitable[Turn]]) -> Turn:
        """Run a turn as soon as there is a place for it. A client who leaves does not stop it."""

        async def run() -> Turn:
            async with self.turns.enter():
                return await start()

        # What fits not even into the queue is refused at once.
        async with asyncio.timeout(self._limits.turn_seconds):
            return await asyncio.shield(self._keep_running(run()))

    async def stream_message(
        self, subject: Subject, conversation_id: str, sent: MessageRequest
    ) -> AsyncGenerator[Event, None]:
        """Handle a message; what the assistant says as it says it, then the turn."""
        if sent.press is not None:
            turn = await self.send(subject, conversation_id, sent)
            for text in turn.messages:
                yield MessageEvent(text)
            yield TurnEvent(turn)
            return
        events = self.runtime.stream(
            str(sent.text),
            subject.id,
            conversation_id,
            sent.message_id,
            sent.language,
            subject.accept_context(sent.context),
        )
        coming: asyncio.Queue[Event | None] = asyncio.Queue()

        async def run() -> None:
            async with self.turns.enter():
                async for event in events:
                    coming.put_nowait(event)

        # The turn keeps its place until it ends, whether or not anybody still listens.
        task = self._keep_running(run())
        task.add_done_callback(lambda _: coming.put_nowait(None))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.turn_seconds
        while (event := await _get_before(coming, deadline - loop.time())) is not None:
            yield event
        await task

    def _keep_running(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        # asyncio itself does not hold tasks that nobody waits for.
        self._running.add(task)
        task.add_done_callback(self._finish_task)
        return task

    def _finish_task(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # Nobody may be left to be told of the error; the journal has it.
        if not task.cancelled():
            task.exception()

    async def list_messages(
        self, conversation_id: str, after: int, limit: int
    ) -> tuple[list[SpokenMessage], int | None]:
        """What was said from the entry that follows `after`, and where the next page begins."""
        journal = self.runtime.store.journal
        entries = await journal.entries(conversation_id, after=after, limit=limit + 1)
        shown = entries[:limit]
        said = [message for entry in shown for message in describe_entry(entry)]
        return said, shown[-1].seq if len(entries) > limit else None

    @asynccontextmanager
    async def follow(
        self, conversation_id: str, after: EventId | None
    ) -> AsyncIterator[AsyncIterator[SpokenMessage | DeskChange | None]]:
        """What is said from now on, or after the message `after`; None from time to time.

        That a person comes or leaves is told as well, before what is said with it.
        """
        store = self.runtime.store
        async with store.feed.subscribe(conversation_id) as news:
            seen = after or (await self.find_last_entry(conversation_id) + 1, -1)
            seq = seen[0] - 1

            async def iter_messages() -> AsyncIterator[SpokenMessage | DeskChange | None]:
                nonlocal seq
                while True:
                    while entries := await store.journal.entries(
                        conversation_id, after=seq, limit=PAGE_SIZE
                    ):
                        for entry in entries:
                            change = find_desk_change(entry)
                            if change is not None and entry.seq >= seen[0]:
                                yield change
                            for place, message in enumerate(describe_entry(entry)):
                                if (entry.seq, place) > seen:
                                    yield message
                            seq = entry.seq
                    await news.wait(store.feed.poll_seconds)
                    yield None

            yield iter_messages()

    async def find_last_entry(self, conversation_id: str) -> int:
        """The number of the newest entry, by a search: a conversation may have thousands."""
        journal = self.runtime.store.journal

        async def has_more(after: int) -> bool:
            return bool(await journal.entries(conversation_id, after=after, limit=1))

        low, high = 0, 1
        while await has_more(high - 1):
            low, high = high, high * 4
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if await has_more(middle - 1) else (low, middle)
        return low

    def describe_state(self, conversation_id: str, state: DialogueState) -> ConversationBody:
        """Where a conversation stands, without sensitive values."""
        is_sensitive = self.runtime.assistant.is_sensitive
        ticket = state["metadata"].get("handoff")
        return ConversationBody(
            conversation_id=conversation_id,
            turn=state["turn_count"],
            state=state["conversation_state"],
            tasks=[
                OpenTask(
                    flow=flow["flow_name"],
                    step=flow["current_step"],
                    slots=mask_slots(state["flow_slots"].get(flow["flow_id"], {}), is_sensitive),
                )
                for flow in state["flow_stack"]
            ],
            slots=mask_slots(state["conversation_slots"], is_sensitive),
            waiting=describe_waiting(state),
            handed_off=bool(ticket),
            desk=_describe_desk(ticket),
            agent=ticket.get("claimed_name") if ticket else None,
        )


def _describe_desk(ticket: HandoffTicket | None) -> Literal["waiting", "answering"] | None:
    if not ticket:
        return None
    return "answering" if ticket.get("claimed_by") else "waiting"


async def _get_before(coming: asyncio.Queue[Event | None], seconds: float) -> Event | None:
    async with asyncio.timeout(seconds):
        return await coming.get()


def describe_turn(turn: Turn) -> TurnBody:
    """A turn as clients get it."""
    return TurnBody(
        conversation_id=turn.conversation_id,
        turn=turn.number,
        message_id=turn.message_id,
        replies=[ReplyBody.model_validate(reply) for reply in turn.replies],
        waiting=describe_waiting(turn.state),
        state=turn.state["conversation_state"],
        handed_off=bool(turn.state["metadata"].get("handoff")),
        repeated=turn.repeated,
    )


def describe_waiting(state: DialogueState) -> Waiting | None:
    """What the assistant waits for, with what can be pressed."""
    asked = find_open_question(state)
    if asked is None:
        return None
    choices = () if asked.buttons or asked.kind != "collect" else asked.options
    return Waiting(
        kind=asked.kind,
        slot=asked.slot,
        options=list(asked.buttons) or None,
        choices=list(choices) or None,
    )


def describe_event(event: Event) -> tuple[str, dict[str, Any]]:
    """The name and the data of an event, as streams send it."""
    match event:
        case PieceEvent(text):
            return "piece", {"text": text}
        case MessageEvent(text):
            return "message", {"text": text}
        case TurnEvent(turn):
            return "turn", describe_turn(turn).model_dump(mode="json")
    raise SoniError(f"unknown event {type(event).__name__}")


def find_desk_change(entry: JournalEntry) -> DeskChange | None:
    """Whether somebody of the desk has taken the conversation or given it back in that turn."""
    facts: Mapping[str, Any] = entry.data.get("facts") or {}
    if entry.status != "ok" or facts.get("api") not in ("claim", "release"):
        return None
    is_back = facts["api"] == "release"
    return DeskChange(
        desk=None if is_back else "answering", agent=None if is_back else facts.get("claim_name")
    )


def describe_entry(entry: JournalEntry) -> list[SpokenMessage]:
    """What was said in one turn: the user's words, then the answers."""
    if entry.status != "ok":
        return []
    facts: Mapping[str, Any] = entry.data.get("facts") or {}
    said: list[dict[str, Any]] = []
    if entry.data.get("message"):
        said.append({"author": "user", "text": entry.data["message"]})
    pushed = facts.get("api") == "push"
    for reply in read_replies(entry.data):
        author = "agent" if reply.get("by") else "application" if pushed else "bot"
        said.append({"author": author, **reply})
    return [
        SpokenMessage(
            id=f"{entry.seq}:{place}",
            turn=entry.turn,
            at=entry.at,
            message_id=entry.message_id,
            author=each["author"],
            text=each["text"],
            ui=each.get("ui"),
            by=each.get("by"),
        )
        for place, each in enumerate(said)
    ]
