"""The desk: conversations that wait for a person, and what people do in them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from soni.core.access_key import Role
from soni.server.access import Agent, ConversationId, Server, Talks, has_still, identify_new_subject
from soni.server.conversations import describe_turn
from soni.server.models import AgentMessage, HandoffBody, Name, SubjectBody, TurnBody
from soni.server.problems import ApiProblem, describe_problems
from soni.server.routes.conversations import COMMON, TURN
from soni.server.services import Services
from soni.server.streams import EVENT_STREAM, STREAM_HEADERS, encode_event, with_beats
from soni.server.subjects import Subject

router = APIRouter(prefix="/api", tags=["desk"])
problems = describe_problems(*TURN, "forbidden")


@router.get("/me", responses=describe_problems(*COMMON))
async def describe_caller(request: Request) -> SubjectBody:
    """Who makes the request, and what they may do. Somebody unknown gets a token, if allowed."""
    try:
        caller = await identify_new_subject(request)
    except ApiProblem as problem:
        # That somebody has no valid key is an answer here: pages ask before they ask for one.
        if problem.code == "unauthenticated":
            return SubjectBody(id=None, name=None, roles=[])
        raise
    roles = [role.value for role in Role if caller.may(role)]
    return SubjectBody(id=caller.id, name=caller.name, roles=roles, token=caller.token)


@router.get("/handoffs", responses=describe_problems(*COMMON, "forbidden"))
async def list_handoffs(
    caller: Agent, server: Server, queue: Name | None = None
) -> list[HandoffBody]:
    """Conversations that wait for a person or have one, the longest waiting first."""
    bodies = await server.desk.list_handoffs()
    return [body for body in bodies if queue in (None, body.queue)]


@router.get(
    "/handoffs/events",
    response_class=StreamingResponse,
    responses={
        **describe_problems(*COMMON, "forbidden", "too_many_connections", "busy"),
        200: {
            "description": "One event `list` with all conversations, then events `change`",
            "content": {EVENT_STREAM: {"schema": {}}},
        },
    },
)
async def follow_handoffs(caller: Agent, server: Server, request: Request) -> StreamingResponse:
    """The desk as it changes: conversations that come, are taken, go on, and are given back."""
    stream = _stream_changes(server, caller, request)
    # The gate of connections is passed before the response begins.
    first = await anext(stream)

    async def iter_lines() -> AsyncGenerator[str, None]:
        async with aclosing(stream):
            yield first
            async for line in stream:
                yield line

    return StreamingResponse(iter_lines(), media_type=EVENT_STREAM, headers=STREAM_HEADERS)


async def _stream_changes(
    server: Services, caller: Subject, request: Request
) -> AsyncGenerator[str, None]:
    talks, name = server.conversations, "list"
    with talks.connections.enter(caller.id):
        async with server.desk.follow_changes() as changes:
            yield ": listening\n\n"
            async for change in with_beats(changes, talks.stopping):
                if change is not None:
                    yield encode_event(name, change.model_dump(mode="json"))
                    name = "change"
                elif not await has_still(request, Role.AGENT):
                    break
                else:
                    yield ": still here\n\n"


@router.post("/conversations/{conversation_id}/handoff/claim", responses=problems)
async def claim_conversation(
    conversation_id: ConversationId, caller: Agent, talks: Talks
) -> TurnBody:
    """Take a conversation. Only one person can have it."""
    await talks.require(caller, conversation_id, "read")
    return describe_turn(
        await talks.run_turn(
            lambda: talks.runtime.claim(conversation_id, caller.id, name=caller.name)
        )
    )


@router.post("/conversations/{conversation_id}/handoff/messages", responses=problems)
async def send_as_person(
    conversation_id: ConversationId, said: AgentMessage, caller: Agent, talks: Talks
) -> TurnBody:
    """Say something to the user. A conversation that nobody has is the caller's from then on."""
    await talks.require(caller, conversation_id, "read")
    return describe_turn(
        await talks.run_turn(
            lambda: talks.runtime.agent_message(
                conversation_id,
                said.text,
                agent=caller.id,
                name=caller.name,
                message_id=said.message_id,
                claims=True,
            )
        )
    )


@router.post("/conversations/{conversation_id}/handoff/release", responses=problems)
async def release_conversation(
    conversation_id: ConversationId, caller: Agent, talks: Talks
) -> TurnBody:
    """Give the conversation back, at the very step where it was handed over.

    An admin may give back what another person has.
    """
    record = await talks.require(caller, conversation_id, "read")
    owner = record.user_id or conversation_id
    agent = None if caller.may(Role.ADMIN) else caller.id
    return describe_turn(
        await talks.run_turn(
            lambda: talks.runtime.release(owner, conversation_id=conversation_id, agent=agent)
        )
    )
