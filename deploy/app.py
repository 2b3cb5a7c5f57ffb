"""An assistant behind HTTP, for any number of machines that share one PostgreSQL.

    SONI_ASSISTANT=examples/bank uvicorn deploy.app:app

There is no authentication here: put it behind whatever tells your users apart.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel, Field

from soni import RuntimeLoop, SoniConfig, SoniError


class Said(BaseModel):
    """A message of a user."""

    user_id: str = Field(min_length=1, max_length=200)
    text: str
    message_id: str = Field(min_length=1, max_length=200)
    """Sent again with the same id, a message is answered as before and does nothing twice."""


@asynccontextmanager
async def open_runtime(app: FastAPI) -> AsyncIterator[None]:
    """Keep the runtime open while the server runs."""
    config = SoniConfig.load(os.environ.get("SONI_ASSISTANT", "assistant"))
    async with RuntimeLoop(config) as app.state.runtime:
        yield


app = FastAPI(lifespan=open_runtime)


@app.get("/healthz")
async def report_health(request: Request) -> dict[str, str]:
    """Whether the database answers."""
    try:
        await request.app.state.runtime.store.directory.find("")
    except SoniError as error:
        raise HTTPException(503, "the database does not answer") from error
    return {"status": "ok"}


@app.post("/messages")
async def handle_message(said: Said, request: Request) -> dict[str, Any]:
    """Handle a message; any machine may take any message."""
    runtime: RuntimeLoop = request.app.state.runtime
    try:
        turn = await runtime.turn(said.text, said.user_id, message_id=said.message_id)
    except SoniError as error:
        raise HTTPException(503, "not handled; send it again with the same id") from error
    return {"replies": turn.messages, "turn": turn.number, "repeated": turn.repeated}
