"""The checkpoints' tables: LangGraph's own, written so that only the newest is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from soni.core.storage import StagedTurn
from soni.persistence.encryption import SealedSerializer
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
        self.sealed = SealedSerializer(strict_serializer(), file.seal.cipher)
        super().__init__(serde=self.sealed)
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

    async def alist(self, *args: Any, **options: Any) -> AsyncIterator[CheckpointTuple]:
        for found in await self._file.run(lambda _: [*self._stock.list(*args, **options)]):
            yield found

    async def aput(self, *args: Any, **options: Any) -> RunnableConfig:
        return await self._file.run(lambda _: self._stock.put(*args, **options))

    # LangGraph gives a task's path only to a saver whose signature names it.
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
    rows = CheckpointRows([], [], [])
    for part in staged.checkpoints:
        place = staged.conversation_id, part.namespace
        key = *place, part.checkpoint["id"]
        metadata = json.dumps(part.metadata, ensure_ascii=False).encode("utf-8", "ignore")
        rows.places.append(place)
        rows.checkpoints.append((*key, *serde.dumps_typed(part.checkpoint), metadata))
        for task in part.pending:
            for position, (channel, value) in enumerate(task.writes):
                index = WRITES_IDX_MAP.get(channel, position)
                encoded = serde.dumps_typed(value)
                rows.writes.append((*key, task.task_id, task.task_path, index, channel, *encoded))
    return rows


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


def erase_checkpoints(connection: sqlite3.Connection, thread_id: str) -> int:
    """Delete all checkpoints of a conversation, inside a transaction; 1 if there was any."""
    deleted = [
        connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread_id,)).rowcount
        for table in ("checkpoints", "writes")
    ]
    return int(any(deleted))
