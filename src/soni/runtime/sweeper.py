"""Sweeper: abandons tasks whose session timed out, without waiting for a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soni.core.errors import NotAllowedError
from soni.core.storage import ConversationRecord
from soni.core.types import DialogueState
from soni.runtime.turn import Message

if TYPE_CHECKING:
    from soni.runtime.engine import Engine
    from soni.runtime.intake import Intake

_PAGE_SIZE = 200


class Sweeper:
    """Ends open tasks as abandoned once their session has timed out."""

    def __init__(self, engine: Engine, intake: Intake) -> None:
        self._engine = engine
        self._intake = intake

    async def sweep(self) -> int:
        """Look at every conversation that is due; return how many were abandoned."""
        await self._engine.open()
        abandoned, now = 0, self._engine.now()
        after: str | None = None
        directory = self._engine.store.directory
        while page := await directory.list_conversations(
            due_before=now, after=after, limit=_PAGE_SIZE
        ):
            for known in page:
                abandoned += await self._abandon_conversation(known)
            after = page[-1].conversation_id
        return abandoned

    async def _abandon_conversation(self, known: ConversationRecord) -> bool:
        conversation_id = known.conversation_id

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
        user_id = known.user_id or conversation_id
        sent = Message(None, user_id, conversation_id, facts={"api": "timeout"}, check=check)
        try:
            # Checked before locking, because most conversations are not due.
            check(state)
            await self._intake.run(sent, lambda text: None)
        except NotAllowedError:
            return False
        return True
