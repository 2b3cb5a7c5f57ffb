"""Intake: what happens to a message before it is handled.

It is recorded, waits for its conversation, and is answered from the journal if it was handled
before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from structlog.contextvars import bound_contextvars

from soni.core.errors import NotAllowedError, TurnError
from soni.core.state import create_initial_state
from soni.core.storage import Receipt
from soni.core.storage_errors import BusyError
from soni.core.telemetry import SpanKind
from soni.core.types import DialogueState
from soni.persistence.locks import ConversationLocks
from soni.runtime.turn import Message, Turn, make_turn

if TYPE_CHECKING:
    from soni.runtime.engine import Engine


Outlet = Callable[[Turn], Awaitable[None]]
"""Brings what was said to a user who has not asked and so does not wait for it."""


class Intake:
    """Brings messages to the engine, one at a time for each conversation."""

    def __init__(self, engine: Engine, outlets: Sequence[Outlet] = ()) -> None:
        self._engine = engine
        self._arrivals = ConversationLocks()
        self._name = engine.assistant.config.settings.observability.service_name
        while_busy = engine.assistant.config.settings.conversation.while_busy
        self._joins = while_busy == "join"
        self._rejects = while_busy == "reject"
        self._outlets = outlets

    async def run(self, sent: Message, emit: Callable[[str], None]) -> Turn:
        """Handle a message, or return what was answered when it was handled before."""
        engine, conversation = self._engine, sent.conversation_id
        with (
            bound_contextvars(conversation_id=conversation),
            engine.telemetry.start(
                SpanKind.TURN, self._name, conversation=conversation, input=sent.input_kind
            ) as span,
        ):
            try:
                turn = await self._handle(sent, emit)
            except (BusyError, NotAllowedError) as refused:
                span.note(outcome="refused", error=type(refused).__name__)
                raise
            except TurnError as failed:
                span.note(turn=failed.turn, error=type(failed.__cause__).__name__)
                raise
            span.note(
                outcome="repeated" if turn.repeated else "answered",
                turn=turn.number,
                replies=len(turn.messages),
                tasks=len(turn.state["flow_stack"]),
                waiting=(turn.state["_pending_prompt"] or {}).get("kind", "nothing"),
            )
        if sent.text is None and not turn.repeated:
            for outlet in self._outlets:
                await outlet(turn)
        return turn

    async def _handle(self, sent: Message, emit: Callable[[str], None]) -> Turn:
        await self._engine.open()
        if self._joins and sent.message_id is None:
            sent = replace(sent, message_id=uuid4().hex)
        # One after the other, so that they queue for their conversation in the order of arrival.
        async with self._arrivals.hold(sent.conversation_id):
            receipt = await self._receive(sent)
        if receipt is not None and receipt.state == "handled":
            repeated = await self._find_repeated(sent, emit)
            if repeated is not None:
                return repeated
        # A message that was sent again waits for its own answer, and is not refused.
        wait = not self._rejects or (receipt is not None and receipt.repeated)
        store = self._engine.store
        async with AsyncExitStack() as held:
            with self._engine.watch_store("hold"):
                lease = await held.enter_async_context(
                    store.conversation(sent.conversation_id, wait=wait)
                )
            repeated = None if receipt is None else await self._find_repeated(sent, emit)
            if repeated is not None:
                return repeated
            if sent.check is not None or sent.is_press:
                state = await self._load_state(sent.conversation_id)
                sent = sent.meet_state(state)
            if self._joins and sent.is_joinable:
                sent = sent.join(await store.inbox.list_waiting(sent.conversation_id))
            return await self._engine.handle_message(sent, lease, emit)

    async def _receive(self, sent: Message) -> Receipt | None:
        """Record a message that has an id before anything is done about it."""
        if sent.message_id is None:
            return None
        # The text is needed only where another process may answer it together with its own.
        text = sent.text if self._joins and sent.is_joinable else None
        with self._engine.watch_store("receive"):
            return await self._engine.store.inbox.receive(
                sent.conversation_id, sent.message_id, text=text or "", at=self._engine.now()
            )

    async def _find_repeated(self, sent: Message, emit: Callable[[str], None]) -> Turn | None:
        """The turn that handled the message before, if there is one."""
        store = self._engine.store
        with self._engine.watch_store("find_entry"):
            entry = await store.inbox.find_entry(sent.conversation_id, str(sent.message_id))
        if entry is None:
            return None
        for text in entry.data["replies"]:
            emit(text)
        state = await self._load_state(sent.conversation_id)
        return make_turn(entry, state, {}, repeated=True)

    async def _load_state(self, conversation_id: str) -> DialogueState:
        return await self._engine.load(conversation_id) or create_initial_state()
