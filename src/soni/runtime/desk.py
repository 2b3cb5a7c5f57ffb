"""Desk: what people do in conversations that were handed to them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from soni.core.errors import NotAllowedError
from soni.core.records import TurnFacts
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

    async def claim(self, conversation_id: str, agent: str, *, name: str | None = None) -> Turn:
        """Take a conversation that waits for a person; only one person can have it.

        `name` is what others call the person, if `agent` is an id that says nothing to people.
        """
        check_id("conversation_id", conversation_id)
        sent = Message(
            text=None,
            user_id=await self.find_user(conversation_id, None),
            conversation_id=conversation_id,
            facts={"api": "claim", **_make_claim(agent, name)},
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
        agent: str | None = None,
    ) -> Turn:
        """Take a conversation back from the person it was handed to; the question is repeated.

        With `agent`, only if nobody else has claimed it.
        """
        conversation = user_id if conversation_id is None else conversation_id
        aim = f"release conversation '{conversation}'"
        sent = Message(
            text=None,
            user_id=user_id,
            conversation_id=conversation,
            language=language,
            session=copy_context(context),
            facts={"api": "release", "release": True},
            check=_require_handoff(aim) if agent is None else _require_holder(aim, agent),
        )
        return await self.handle(sent)

    async def agent_message(
        self,
        conversation_id: str,
        text: str,
        *,
        agent: str = "agent",
        name: str | None = None,
        user_id: str | None = None,
        message_id: str | None = None,
        claims: bool = False,
    ) -> Turn:
        """Record what the person who has the conversation says to the user, under their name.

        With `claims` it is theirs from then on, if it was nobody's.
        """
        check_id("conversation_id", conversation_id)
        claimed = _make_claim(agent, name)
        aim = f"record a message of {agent} in conversation '{conversation_id}'"
        sent = Message(
            text=None,
            user_id=await self.find_user(conversation_id, user_id),
            conversation_id=conversation_id,
            message_id=message_id,
            facts={
                "api": "agent_message",
                "say": [{"text": require_text("text", text), "by": name or agent}],
                **(claimed if claims else {}),
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


def _make_claim(agent: str, name: str | None) -> TurnFacts:
    claim: TurnFacts = {"claim": require_text("agent", agent)}
    if name is not None:
        claim["claim_name"] = require_text("name", name)
    return claim


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
        if ticket and holder != agent:
            shown = ticket.get("claimed_name", holder)
            raise NotAllowedError(f"cannot {aim}: {shown} has it")

    return check
