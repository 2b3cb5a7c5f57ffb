"""Health: whether the server lives, and whether it can be given work."""

from contextlib import suppress
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from soni.core.access_key import Role
from soni.core.errors import SoniError
from soni.server.access import Server, identify_subject
from soni.server.problems import ApiProblem, describe_problems


class Health(BaseModel):
    """A sign of life."""

    status: Literal["ok"] = "ok"


router = APIRouter(tags=["health"])


@router.get("/healthz")
async def report_life() -> Health:
    """The process lives."""
    return Health()


@router.get("/readyz", responses=describe_problems("busy", "storage_unavailable"))
async def report_readiness(server: Server) -> Health:
    """Models are loaded, and the store answers."""
    if not server.is_ready:
        raise ApiProblem("busy", "models are still being loaded", retry_after=1)
    await server.runtime.store.directory.find("-")
    return Health()


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        **describe_problems("unauthenticated", "forbidden", "too_many_requests"),
        200: {"description": "For Prometheus", "content": {"text/plain": {}}},
    },
)
async def report_metrics(server: Server, request: Request) -> Response:
    """Counts and durations. Where others can reach the server, the role `author` is needed."""
    if not server.options.is_local:
        (await identify_subject(request)).require(Role.AUTHOR)
    # What cannot be counted keeps its last number: the other metrics say why.
    with suppress(SoniError):
        waiting, claimed = await server.desk.count()
        server.metrics.set_handoffs(waiting=waiting, claimed=claimed)
    body, media_type = server.metrics.expose(request.headers.get("accept", ""))
    return Response(body, media_type=media_type)
