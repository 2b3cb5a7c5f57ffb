"""The checkpoints' tables: LangGraph's own, written so that only the newest is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from soni.core.storage import StagedCheckpoint, StagedTurn
from soni.persistence.serde import strict_serializer
from soni.persistence.sqlite.file import SqliteFile


class SqliteCheckpoints(BaseCheckpointSaver[int]):
    """LangGraph's saver, run in the file's thread.

    Not LangGraph's asynchronous one: that needs six hops to a thread where this needs one. And
    versions count 1, 2, 3: its random ones are for histories that fork, and make rows large.
    """

    _stock: SqliteSaver
    """There as soon as the file is open."""

    def __init__(self, file: SqliteFile) -> None:
        super().__init__(serde=strict_serializer())
        self._file = file

    async def open(self) -> None:
        """Create the tables in the open file."""

        def attach(connection: sqlite3.Connection) -> SqliteSaver:
            saver = SqliteSaver(connection, serde=self.serde)
            saver.setup()
            return saver

        self._stock = await self._file.run(attach)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._file.run(lambda _: self._stock.get_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        for found in await self._file.run(
            lambda _: [*self._stock.list(config, filter=filter, before=before, limit=limit)]
        ):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self._file.run(
            lambda _: self._stock.put(config, checkpoint, metadata, new_versions)
        )

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await self._file.run(lambda _: self._stock.put_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        await self._file.write(lambda connection: erase_checkpoints(connection, thread_id))


@dataclass(frozen=True)
class CheckpointRows:
    """A turn's checkpoints, ready for the tables."""

    places: list[tuple[str, str]]
    checkpoints: list[tuple[Any, ...]]
    writes: list[tuple[Any, ...]]


def encode_rows(staged: StagedTurn, serde: SerializerProtocol) -> CheckpointRows:
    """Encode a turn. What cannot be stored fails here, before anything is changed."""
    thread_id = staged.conversation_id
    return CheckpointRows(
        places=[(thread_id, part.namespace) for part in staged.checkpoints],
        checkpoints=[_make_checkpoint_row(thread_id, part, serde) for part in staged.checkpoints],
        writes=[
            row for part in staged.checkpoints for row in _make_write_rows(thread_id, part, serde)
        ],
    )


def replace_checkpoints(connection: sqlite3.Connection, rows: CheckpointRows) -> None:
    """Put a turn's checkpoints in the place of those before, inside a transaction."""
    for table in ("checkpoints", "writes"):
        connection.executemany(
            f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns = ?", rows.places
        )
    connection.executemany(
        "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, type, checkpoint, "
        "metadata) VALUES (?, ?, ?, ?, ?, ?)",
        rows.checkpoints,
    )
    connection.executemany(
        "INSERT OR REPLACE INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, "
        "task_path, idx, channel, type, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows.writes,
    )


def erase_checkpoints(connection: sqlite3.Connection, thread_id: str) -> None:
    """Delete all checkpoints of a conversation, inside a transaction."""
    for table in ("checkpoints", "writes"):
        connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread_id,))


def _make_checkpoint_row(
    thread_id: str, part: StagedCheckpoint, serde: SerializerProtocol
) -> tuple[Any, ...]:
    metadata = json.dumps(part.metadata, ensure_ascii=False).encode("utf-8", "ignore")
    encoded = serde.dumps_typed(part.checkpoint)
    return thread_id, part.namespace, part.checkpoint["id"], *encoded, metadata


def _make_write_rows(
    thread_id: str, part: StagedCheckpoint, serde: SerializerProtocol
) -> list[tuple[Any, ...]]:
    place = thread_id, part.namespace, part.checkpoint["id"]
    return [
        (
            *place,
            task.task_id,
            task.task_path,
            WRITES_IDX_MAP.get(channel, index),
            channel,
            *serde.dumps_typed(value),
        )
        for task in part.pending
        for index, (channel, value) in enumerate(task.writes)
    ]
