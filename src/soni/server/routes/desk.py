"""The desk: conversations that wait for a person, and what people do in them."""

from fastapi import APIRouter

from soni.core.storage import ConversationRecord
from soni.core.types import DialogueState
from soni.server.access import Agent, ConversationId, Talks
from soni.server.conversations import describe_turn
from soni.server.models import AgentMessage, HandoffBody, TurnBody
from soni.server.problems import describe_problems
from soni.server.routes.conversations import COMMON, TURN

PAGE_SIZE = 200


router = APIRouter(prefix="/api", tags=["desk"])
problems = describe_problems(*TURN, "forbidden")


@router.get("/handoffs", responses=describe_problems(*COMMON, "forbidden"))
async def list_handoffs(caller: Agent, talks: Talks, queue: str | None = None) -> list[HandoffBody]:
    """Conversations that wait for a person or have one, the longest waiting first."""
    found = await talks.runtime.store.directory.list_conversations(handed_off=True, limit=PAGE_SIZE)
    bodies = [
        describe_handoff(name, await talks.runtime.get_state(name))
        for name in (each.conversation_id for each in sorted(found, key=_get_waiting_since))
    ]
    return [body for body in bodies if body is not None and queue in (None, body.queue)]


@router.post("/conversations/{conversation_id}/handoff/claim", responses=problems)
async def claim_conversation(
    conversation_id: ConversationId, caller: Agent, talks: Talks
) -> TurnBody:
    """Take a conversation. Only one person can have it."""
    await talks.require(caller, conversation_id, "read")
    return describe_turn(
        await talks.run_turn(lambda: talks.runtime.claim(conversation_id, caller.id))
    )


@router.post("/conversations/{conversation_id}/handoff/messages", responses=problems)
async def send_as_person(
    conversation_id: ConversationId, said: AgentMessage, caller: Agent, talks: Talks
) -> TurnBody:
    """Say something to the user, in a conversation that nobody else has claimed."""
    await talks.require(caller, conversation_id, "read")
    return describe_turn(
        await talks.run_turn(
            lambda: talks.runtime.agent_message(
                conversation_id, said.text, agent=caller.id, message_id=said.message_id
            )
        )
    )


@router.post("/conversations/{conversation_id}/handoff/release", responses=problems)
async def release_conversation(
    conversation_id: ConversationId, caller: Agent, talks: Talks
) -> TurnBody:
    """Give the conversation back, at the very step where it was handed over."""
    record = await talks.require(caller, conversation_id, "read")
    owner = record.user_id or conversation_id
    return describe_turn(
        await talks.run_turn(lambda: talks.runtime.release(owner, conversation_id=conversation_id))
    )


def _get_waiting_since(record: ConversationRecord) -> float:
    return record.handed_off_at or 0.0


def describe_handoff(conversation_id: str, state: DialogueState) -> HandoffBody | None:
    """What a person is told who may take over; None: it was given back meanwhile."""
    ticket = state["metadata"].get("handoff")
    if not ticket:
        return None
    return HandoffBody(
        conversation_id=conversation_id,
        queue=ticket["queue"],
        reason=ticket["reason"],
        summary=ticket["summary"],
        slots=ticket["slots"],
        at=ticket["at"],
        claimed_by=ticket.get("claimed_by"),
    )
