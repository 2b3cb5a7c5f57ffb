"""Opening conversations, talking in them, and ending them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from soni.server.access import Admin, Caller, ConversationId, NewCaller, Talks
from soni.server.conversations import describe_turn
from soni.server.models import (
    ConversationBody,
    FlowRequest,
    MessageList,
    MessageRequest,
    Name,
    OpenedConversation,
    Removed,
    TurnBody,
)
from soni.server.problems import ApiProblem, describe_problems
from soni.server.streams import EVENT_STREAM, STREAM_HEADERS, stream_turn

COMMON = ("unauthenticated", "not_found", "invalid_request", "too_many_requests")
TURN = (
    *COMMON,
    "malformed_body",
    "body_timeout",
    "body_too_large",
    "not_allowed",
    "conversation_busy",
    "turn_failed",
    "busy",
    "storage_unavailable",
    "turn_timeout",
)
_EVENTS: dict[str, Any] = {
    "description": "The turn; with `Accept: text/event-stream`, the events that lead to it",
    "content": {
        EVENT_STREAM: {
            # Each event is an object of its own: a schema cannot say more of the stream.
            "schema": {},
            "example": 'event: message\ndata: {"text": "How much?"}\n\n',
        }
    },
}


router = APIRouter(prefix="/api/conversations", tags=["conversations"])


@router.post("", status_code=201, responses=describe_problems(*COMMON, "too_many_conversations"))
async def open_conversation(caller: NewCaller, talks: Talks) -> OpenedConversation:
    """Open a conversation. Its id is random, and it is yours alone."""
    return OpenedConversation(id=await talks.open(caller), token=caller.token)


@router.post(
    "/{conversation_id}/messages",
    response_model=TurnBody,
    responses={**describe_problems(*TURN, "forbidden", "button_expired"), 200: _EVENTS},
)
async def send_message(
    conversation_id: ConversationId,
    sent: MessageRequest,
    caller: Caller,
    talks: Talks,
    request: Request,
) -> TurnBody | Response:
    """Say something, or press a button."""
    await talks.require(caller, conversation_id)
    if EVENT_STREAM in request.headers.get("accept", ""):
        # Once the stream has begun there is no other status to be had.
        talks.turns.require_room()
        caller.accept_context(sent.context)
        events = talks.stream_message(caller, conversation_id, sent)
        return StreamingResponse(
            stream_turn(events), media_type=EVENT_STREAM, headers=STREAM_HEADERS
        )
    return describe_turn(await talks.send(caller, conversation_id, sent))


@router.get("/{conversation_id}/messages", responses=describe_problems(*COMMON))
async def list_messages(
    conversation_id: ConversationId,
    caller: Caller,
    talks: Talks,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> MessageList:
    """What was said so far, so that a page survives a reload."""
    await talks.require(caller, conversation_id, "read")
    messages, following = await talks.list_messages(conversation_id, after, limit)
    return MessageList(messages=messages, next=following)


@router.get("/{conversation_id}", responses=describe_problems(*COMMON))
async def read_conversation(
    conversation_id: ConversationId, caller: Caller, talks: Talks
) -> ConversationBody:
    """Open tasks, slots (sensitive ones masked), and what is waited for."""
    await talks.require(caller, conversation_id, "read")
    state = await talks.runtime.get_state(conversation_id)
    return talks.describe_state(conversation_id, state)


@router.delete("/{conversation_id}", status_code=204, responses=describe_problems(*COMMON))
async def reset_conversation(conversation_id: ConversationId, caller: Caller, talks: Talks) -> None:
    """Begin anew in the same conversation. What was said stays in the journal."""
    await talks.require(caller, conversation_id)
    await talks.runtime.reset(conversation_id)


@router.post("/{conversation_id}/erase", responses=describe_problems(*COMMON, "forbidden"))
async def erase_person(conversation_id: ConversationId, caller: Admin, talks: Talks) -> Removed:
    """Remove everything that is stored about the person whose conversation this is."""
    record = await talks.runtime.store.directory.find(conversation_id)
    if record is None or record.user_id is None:
        raise ApiProblem("not_found", "no such conversation")
    removed = await talks.runtime.erase(record.user_id)
    return Removed(conversations=removed.conversations, entries=removed.entries)


@router.post("/{conversation_id}/flows/{name}", responses=describe_problems(*TURN, "forbidden"))
async def start_flow(
    conversation_id: ConversationId,
    name: Name,
    caller: Caller,
    talks: Talks,
    wanted: FlowRequest | None = None,
) -> TurnBody:
    """Start a flow from the application's side: its triggers and conditions do not matter."""
    await talks.require(caller, conversation_id)
    caller.require_application()
    about = wanted or FlowRequest()
    turn = await talks.run_turn(
        lambda: talks.runtime.start_flow(
            caller.id,
            name,
            about.inputs,
            conversation_id=conversation_id,
            message_id=about.message_id,
            language=about.language,
            context=about.context,
        )
    )
    return describe_turn(turn)
