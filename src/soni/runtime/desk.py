"""Desk: what people do in conversations that were handed to them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from soni.core.errors import NotAllowedError
from soni.core.types import DialogueState
from soni.runtime.inputs import check_id, copy_context, require_text
from soni.runtime.turn import Message, Turn

if TYPE_CHECKING:
    from soni.runtime.engine import Engine


class Desk:
    """The part of the runtime that is about people who take over."""

    _engine: Engine

    @abstractmethod
    async def handle(self, sent: Message) -> Turn:
        """Handle a prepared message."""

    async def claim(self, conversation_id: str, agent: str) -> Turn:
        """Take a conversation that waits for a person; only one person can have it."""
        check_id("conversation_id", conversation_id)
        sent = Message(
            text=None,
            user_id=await self.find_user(conversation_id, None),
            conversation_id=conversation_id,
            facts={"api": "claim", "claim": require_text("agent", agent)},
            check=_require_holder(f"claim conversation '{conversation_id}'", agent),
        )
        return await self.handle(sent)

    async def release(
        self,
        user_id: str,
        *,
        conversation_id: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Take a conversation back from the person it was handed to; the question is repeated."""
        conversation = user_id if conversation_id is None else conversation_id
        sent = Message(
            text=None,
            user_id=user_id,
            conversation_id=conversation,
            language=language,
            session=copy_context(context),
            facts={"api": "release", "release": True},
            check=_require_handoff(f"release conversation '{conversation}'"),
        )
        return await self.handle(sent)

    async def agent_message(
        self,
        conversation_id: str,
        text: str,
        *,
        agent: str = "agent",
        user_id: str | None = None,
        message_id: str | None = None,
    ) -> Turn:
        """Record what the person who has the conversation says to the user."""
        check_id("conversation_id", conversation_id)
        aim = f"record a message of {agent} in conversation '{conversation_id}'"
        sent = Message(
            text=None,
            user_id=await self.find_user(conversation_id, user_id),
            conversation_id=conversation_id,
            message_id=message_id,
            facts={
                "api": "agent_message",
                "say": [{"text": require_text("text", text), "by": require_text("agent", agent)}],
            },
            check=_require_holder(aim, agent),
        )
        return await self.handle(sent)

    async def find_user(self, conversation_id: str, user_id: str | None) -> str:
        """Whose conversation it is: what the application does in it is done for that user."""
        if user_id is not None:
            return user_id
        await self._engine.open()
        known = await self._engine.store.directory.find(conversation_id)
        return (known.user_id if known else None) or conversation_id


def _require_handoff(aim: str) -> Callable[[DialogueState], None]:
    def check(state: DialogueState) -> None:
        if not state["metadata"].get("handoff"):
            raise NotAllowedError(f"cannot {aim}: it is not handed off")

    return check


def _require_holder(aim: str, agent: str) -> Callable[[DialogueState], None]:
    require_handed_off = _require_handoff(aim)

    def check(state: DialogueState) -> None:
        require_handed_off(state)
        ticket = state["metadata"].get("handoff")
        holder = ticket.get("claimed_by", agent) if ticket else agent
        if holder != agent:
            raise NotAllowedError(f"cannot {aim}: {holder} has it")

    return check
