"""Health: whether the server lives, and whether it can be given work."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from soni.server.access import Server
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
