"""AG-UI: the same turns for whatever shows agents by the Agent-User Interaction Protocol."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from ag_ui.core import RunAgentInput
from ag_ui.encoder import EventEncoder
from fastapi import APIRouter, Body
from fastapi.responses import StreamingResponse

from soni.server.access import Caller, Talks
from soni.server.ag_ui_run import PREFIX, AgUiRun
from soni.server.models import is_name
from soni.server.named_conversations import open_named
from soni.server.problems import ApiProblem, describe_problems
from soni.server.streams import EVENT_STREAM

_EVENTS: dict[str, Any] = {
    "description": "The events of the run; what fails on the way is a `RUN_ERROR`",
    "content": {
        EVENT_STREAM: {
            "schema": {},
            "example": 'data: {"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}\n\n',
        }
    },
}

_RUN: dict[str, Any] = {
    "threadId": "t-1",
    "runId": "r-1",
    "messages": [{"id": "m-1", "role": "user", "content": "send 50 to Bob"}],
    "tools": [],
    "context": [],
    "state": {},
    "forwardedProps": {},
}

router = APIRouter(tags=["ag-ui"])


@router.post(
    "/ag-ui",
    response_class=StreamingResponse,
    responses={
        **describe_problems(
            "unauthenticated",
            "invalid_request",
            "malformed_body",
            "body_timeout",
            "body_too_large",
            "too_many_requests",
            "too_many_conversations",
            "storage_unavailable",
        ),
        200: _EVENTS,
    },
)
async def run_agent(
    wanted: Annotated[RunAgentInput, Body(examples=[_RUN])], caller: Caller, talks: Talks
) -> StreamingResponse:
    """Answer the newest message of the user, or what a resumed run answers, in the thread."""
    for field, name in (("threadId", wanted.thread_id), ("runId", wanted.run_id)):
        if not is_name(name):
            raise ApiProblem("invalid_request", f"{field}: 1 to 200 printable characters")
    conversation_id = await open_named(talks, caller, PREFIX, wanted.thread_id)
    run = AgUiRun(talks, caller, conversation_id, wanted)
    encoder = EventEncoder()

    async def encode() -> AsyncIterator[str]:
        async for event in run.iter_events():
            yield encoder.encode(event)

    return StreamingResponse(encode(), media_type=EVENT_STREAM)
