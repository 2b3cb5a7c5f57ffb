"""Sweeper: abandons tasks whose session timed out, without waiting for a message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from soni.core.errors import NotAllowedError
from soni.core.types import DialogueState
from soni.runtime.turn import Message

if TYPE_CHECKING:
    from soni.runtime.engine import Engine

_PAGE_SIZE = 200


class Sweeper:
    """Ends open tasks as abandoned once their session has timed out."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._swept = 0.0
        """Conversations that were quiet since before this have been looked at."""

    async def sweep(self) -> int:
        """Check every conversation that became quiet; return how many were abandoned."""
        await self._engine.open()
        settings = self._engine.assistant.config.settings
        horizon = self._engine.now() - settings.conversation.session_timeout
        abandoned = 0
        async for conversation_id in self._iter_quiet_conversations():
            abandoned += await self._abandon_conversation(conversation_id)
        self._swept = horizon
        return abandoned

    async def _iter_quiet_conversations(self) -> AsyncIterator[str]:
        """Conversations with activity since the last sweep."""
        journal, after = self._engine.store.journal, ""
        while page := await journal.overview(after=after, limit=_PAGE_SIZE):
            for known in page:
                if known.last_at >= self._swept:
                    yield known.conversation_id
            after = page[-1].conversation_id

    async def _abandon_conversation(self, conversation_id: str) -> bool:
        def check(state: DialogueState) -> None:
            last = state["metadata"].get("last_activity")
            timeout = self._engine.assistant.config.settings.conversation.session_timeout
            handed_off = state["metadata"].get("handoff")
            due = last is not None and self._engine.now() - last > timeout
            if not due or handed_off or not state["flow_stack"]:
                raise NotAllowedError(f"conversation '{conversation_id}' is not to be given up")

        state = await self._engine.load(conversation_id)
        if state is None:
            return False
        sent = Message(
            None, conversation_id, conversation_id, facts={"api": "timeout"}, check=check
        )
        try:
            # Checked before locking, because most conversations are not due.
            check(state)
            await self._engine.run(sent, lambda text: None)
        except NotAllowedError:
            return False
        return True
