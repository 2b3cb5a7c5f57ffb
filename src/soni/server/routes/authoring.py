"""For authors: what a conversation did and why, and the flows as they are."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from soni.config.assistant import Assistant
from soni.config.diagrams.model import build_pictures, export_pictures
from soni.server.access import Admin, Author, ConversationId, Server, Talks
from soni.server.models import FlowSummary, Name, describe_example
from soni.server.problems import ApiProblem, describe_problems

PROBLEMS = ("unauthenticated", "forbidden", "not_found", "invalid_request", "too_many_requests")


_ENTRY = {
    "seq": 1, "turn": 1, "at": 1795003500.8, "status": "ok", "message_id": "m-1",
    "message": "send money", "commands": [{"command": "StartFlow", "decision": "accepted"}],
    "steps": [{"flow": "transfer", "step": "collect_amount", "to": None}],
    "actions": [], "replies": ["How much?"], "timings": {"total": 0.01},
}  # fmt: skip
_GRAPH = {
    "nodes": [{"id": "say_hello", "kind": "say", "text": "Hello", "when": None, "loop": None}],
    "edges": [{"from": "flow:greet", "to": "say_hello", "kind": "next", "label": ""}],
}

router = APIRouter(prefix="/api", tags=["authoring"])


@router.get(
    "/conversations/{conversation_id}/trace",
    responses={**describe_problems(*PROBLEMS), **describe_example([_ENTRY])},
)
async def read_trace(
    conversation_id: ConversationId,
    caller: Author,
    talks: Talks,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[dict[str, Any]]:
    """The journal: commands and decisions, steps, actions, slots, timings; secrets masked."""
    await talks.require(caller, conversation_id, "read")
    entries = await talks.runtime.store.journal.entries(conversation_id, after=after, limit=limit)
    return [
        {"seq": entry.seq, "turn": entry.turn, "at": entry.at, "status": entry.status,
         "message_id": entry.message_id, **entry.data}
        for entry in entries
    ]  # fmt: skip


@router.get("/flows", responses=describe_problems(*PROBLEMS))
async def list_flows(caller: Author, talks: Talks) -> list[FlowSummary]:
    """The flows of the assistant."""
    return [
        FlowSummary(name=name, description=flow.description, startable=flow.startable)
        for name, flow in talks.runtime.assistant.config.flows.items()
    ]


@router.get(
    "/flows/{name}/graph", responses={**describe_problems(*PROBLEMS), **describe_example(_GRAPH)}
)
async def draw_flow(name: Name, caller: Author, talks: Talks) -> dict[str, Any]:
    """The steps of a flow, and every way from one to the next."""
    config = talks.runtime.assistant.config
    if name not in config.flows:
        raise ApiProblem("not_found", f"no such flow; available: {', '.join(config.flows)}")
    # Pictures are made of the whole assistant, which takes its time.
    pictures = await asyncio.to_thread(lambda: build_pictures(Assistant(config)))
    drawn: dict[str, Any] = export_pictures(pictures)["flows"][name]
    return drawn


@router.post(
    "/reload",
    status_code=204,
    responses=describe_problems(*PROBLEMS, "not_allowed", "invalid_assistant"),
)
async def reload_assistant(caller: Admin, server: Server) -> None:
    """Read the assistant's files again. No conversation is dropped."""
    await server.reload()
