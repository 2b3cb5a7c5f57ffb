"""Turns of a conversation, stored and read back, and the database file beneath."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint

from soni.core.storage import StagedCheckpoint, StagedTurn, StagedWrites, Store, TurnEntry


def staged(value: Any, conversation_id: str = "ann", *pending: StagedWrites) -> StagedTurn:
    place = {"thread_id": conversation_id, "checkpoint_ns": ""}
    checkpoint = {**empty_checkpoint(), "channel_values": {"n": value}}
    part = StagedCheckpoint("", {"configurable": place}, checkpoint, {}, {}, pending=pending)
    return StagedTurn(conversation_id, (part,))


async def put(store: Store, value: Any, conversation_id: str = "ann") -> None:
    await store.commit(staged(value, conversation_id), TurnEntry(1, 0.0, {"n": value}))


async def value_of(store: Store, conversation_id: str = "ann") -> Any:
    config: Any = {"configurable": {"thread_id": conversation_id, "checkpoint_ns": ""}}
    found = await store.checkpointer.aget_tuple(config)
    return found.checkpoint["channel_values"]["n"] if found else None


def sql(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()
