"""The checkpoints' table: one row for the newest of each namespace.

Not LangGraph's tables: those keep each channel in a row of its own and the history of all, so
that a turn would write a dozen rows and delete as many, and reading would join four tables. Here
it is one row in and one row out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)

from soni.core.storage import StagedTurn
from soni.core.storage_errors import StorageError
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.postgres.values import StoredValues
from soni.persistence.serde import strict_serializer

COLUMNS: Final = "conversation_id, namespace, checkpoint_id, content"
_SELECT: Final = f"SELECT {COLUMNS} FROM checkpoints"
_REPLACE: Final = (
    "ON CONFLICT (conversation_id, namespace) DO UPDATE "
    "SET checkpoint_id = excluded.checkpoint_id, content = excluded.content"
)
# Part of the statement that writes a turn.
REPLACED: Final = f"""
replaced AS (
    INSERT INTO checkpoints ({COLUMNS})
    SELECT conversation_id, each.* FROM held, unnest(
        %(namespaces)s::text[], %(checkpoint_ids)s::text[], %(contents)s::bytea[]
    ) AS each {_REPLACE}
)
"""
ERASED: Final = (
    "erased AS (DELETE FROM checkpoints USING held "
    "WHERE checkpoints.conversation_id = held.conversation_id)"
)

Write = tuple[str, str, str, int, Any]
"""A pending write: its task's id and path, its channel, its number and its value."""


class PostgresCheckpoints(BaseCheckpointSaver[int]):
    """Reads checkpoints. A turn writes them with everything else: see the store.

    Versions count 1, 2, 3: LangGraph's random ones are for histories that fork.
    """

    def __init__(self, server: PostgresServer, values: StoredValues) -> None:
        super().__init__(serde=strict_serializer())
        self._server = server
        self._values = values

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        place = config["configurable"]
        rows = await self._server.run(
            f"{_SELECT} WHERE conversation_id = %s AND namespace = %s",
            (str(place["thread_id"]), place.get("checkpoint_ns", "")),
        )
        wanted = get_checkpoint_id(config)
        found = [row for row in rows if wanted in (None, row[2])]
        return self._make_tuple(found[0]) if found else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        place = (config or {}).get("configurable", {})
        wanted = {
            "conversation_id = %s": place.get("thread_id"),
            "namespace = %s": place.get("checkpoint_ns"),
            "checkpoint_id = %s": get_checkpoint_id(config) if config else None,
            "checkpoint_id < %s": get_checkpoint_id(before) if before else None,
        }
        given = {where: value for where, value in wanted.items() if value is not None}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        query = f"{_SELECT} {where} ORDER BY checkpoint_id DESC"
        found = map(self._make_tuple, await self._server.run(query, list(given.values())))
        fitting = [each for each in found if _fits(each.metadata, filter)]
        for each in fitting[:limit]:
            yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        place = config["configurable"]
        key = str(place["thread_id"]), place.get("checkpoint_ns", "")
        about = get_checkpoint_metadata(config, metadata)
        await self._replace(*key, checkpoint["id"], self._pack(checkpoint, about, []))
        stored = {"thread_id": key[0], "checkpoint_ns": key[1], "checkpoint_id": checkpoint["id"]}
        return {"configurable": stored}

    # LangGraph gives a task's path only to a saver whose signature names it.
    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        place = config["configurable"]
        key = str(place["thread_id"]), place.get("checkpoint_ns", ""), place["checkpoint_id"]
        rows = await self._server.run(
            f"{_SELECT} WHERE conversation_id = %s AND namespace = %s AND checkpoint_id = %s", key
        )
        if rows:  # a checkpoint that was replaced has nothing pending any more
            checkpoint, metadata, pending = self._unpack(rows[0][3])
            added = _number_writes(task_id, task_path, writes)
            known = {(each[0], each[3]): each for each in [*pending, *added]}
            content = self._pack(checkpoint, metadata, list(known.values()))
            await self._replace(*key, content)

    async def adelete_thread(self, thread_id: str) -> None:
        await self._server.run("DELETE FROM checkpoints WHERE conversation_id = %s", (thread_id,))

    def encode_turn(self, staged: StagedTurn) -> dict[str, Any]:
        """The values of `REPLACED`. What cannot be stored fails here, before anything changes."""
        contents = []
        for part in staged.checkpoints:
            writes = [
                write
                for task in part.pending
                for write in _number_writes(task.task_id, task.task_path, task.writes)
            ]
            contents.append(self._pack(part.checkpoint, part.metadata, writes))
        return {
            "namespaces": [part.namespace for part in staged.checkpoints],
            "checkpoint_ids": [part.checkpoint["id"] for part in staged.checkpoints],
            "contents": contents,
        }

    async def _replace(self, *row: Any) -> None:
        await self._server.run(
            f"INSERT INTO checkpoints ({COLUMNS}) VALUES (%s, %s, %s, %s) {_REPLACE}", row
        )

    def _pack(self, checkpoint: Any, metadata: Any, writes: list[Write]) -> bytes:
        parts = {"checkpoint": checkpoint, "metadata": metadata, "writes": writes}
        return self._values.pack_bytes(self.serde.dumps_typed(parts)[1])

    def _unpack(self, stored: bytes) -> tuple[Any, Any, list[Write]]:
        parts = self.serde.loads_typed(("msgpack", self._values.unpack_bytes(stored)))
        if not isinstance(parts, dict) or parts.keys() != {"checkpoint", "metadata", "writes"}:
            raise StorageError(
                "A stored checkpoint was refused: it was not written by Soni, or it was changed "
                "since. Reset the conversation, or restore the database from a backup."
            )
        return parts["checkpoint"], parts["metadata"], [tuple(each) for each in parts["writes"]]

    def _make_tuple(self, row: tuple[Any, ...]) -> CheckpointTuple:
        conversation_id, namespace, checkpoint_id, stored = row
        checkpoint, metadata, writes = self._unpack(stored)
        place = {
            "thread_id": conversation_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
        return CheckpointTuple(
            config={"configurable": place},
            checkpoint=checkpoint,
            metadata=metadata,
            pending_writes=[(task_id, channel, value) for task_id, _, channel, _, value in writes],
        )


def _number_writes(task_id: str, task_path: str, writes: Iterable[tuple[str, Any]]) -> list[Write]:
    return [
        (task_id, task_path, channel, WRITES_IDX_MAP.get(channel, position), value)
        for position, (channel, value) in enumerate(writes)
    ]


def _fits(metadata: Any, wanted: dict[str, Any] | None) -> bool:
    return all(metadata.get(name) == value for name, value in (wanted or {}).items())
