"""The effects' table."""

import json
import sqlite3
import time
from typing import Any

from soni.core.storage import Effect, Settled
from soni.core.storage_errors import make_fenced_error, make_not_begun_error
from soni.persistence.journal import encode_canonical
from soni.persistence.locks import ConversationLocks
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.sqlite.leases import Leases

COLUMNS = "key, digest, result, conversation_id, action, begun_at"


class SqliteLedger:
    """Records effects, each call in its own durable transaction."""

    def __init__(self, file: SqliteFile, locks: ConversationLocks, leases: Leases) -> None:
        self._file = file
        self._locks = locks
        self._leases = leases

    async def begin(
        self, key: str, digest: str, conversation_id: str, *, action: str = ""
    ) -> Effect | None:
        def insert(connection: sqlite3.Connection) -> Any:
            lease = self._leases.require_held(connection, conversation_id)
            fresh = connection.execute(
                "INSERT OR IGNORE INTO effects (key, digest, conversation_id, action, token, "
                "begun_at) VALUES (?, ?, ?, ?, ?, ?)",
                (key, digest, conversation_id, action, lease.token, time.time()),
            )
            if fresh.rowcount == 1:
                return None
            return connection.execute(
                f"SELECT {COLUMNS} FROM effects WHERE key = ? AND digest = ?", (key, digest)
            ).fetchone()

        known = await self._file.write(insert)
        return None if known is None else self._make_effect(*known)

    async def finish(
        self, key: str, digest: str, conversation_id: str, result: dict[str, Any]
    ) -> None:
        text = self._file.seal.close(encode_canonical(result))
        lease = self._locks.require_lease(conversation_id)

        def update(connection: sqlite3.Connection) -> tuple[int, bool]:
            held = self._leases.is_held(connection, lease)
            changed = connection.execute(
                "UPDATE effects SET result = :result, settled = settled OR NOT :held "
                "WHERE key = :key AND digest = :digest "
                "AND (:held OR (token = :token AND result IS NULL))",
                {"result": text, "key": key, "digest": digest, "held": held, "token": lease.token},
            )
            return changed.rowcount, held

        count, held = await self._file.write(update)
        if not held:
            raise make_fenced_error(conversation_id)
        if count == 0:
            raise make_not_begun_error(key)

    async def list_unknown(self, *, begun_before: float, limit: int = 1000) -> list[Effect]:
        return await self._select_effects(
            "result IS NULL AND (settled OR begun_at < ?)", begun_before, limit
        )

    async def list_effects(self, conversation_id: str) -> list[Effect]:
        return await self._select_effects("conversation_id = ?", conversation_id)

    async def _select_effects(self, where: str, value: Any, limit: int = -1) -> list[Effect]:
        query = f"SELECT {COLUMNS} FROM effects WHERE {where} ORDER BY begun_at LIMIT ?"
        rows = await self._file.run(
            lambda connection: connection.execute(query, (value, limit)).fetchall()
        )
        return [self._make_effect(*row) for row in rows]

    def _make_effect(
        self, key: str, digest: str, result: str | bytes | None, *about: Any
    ) -> Effect:
        if result is None:
            return Effect(key, digest, "begun", None, *about)
        return Effect(key, digest, "finished", json.loads(self._file.seal.open(result)), *about)

    async def resolve(self, key: str, digest: str, result: dict[str, Any]) -> bool:
        text = self._file.seal.close(encode_canonical(result))

        def update(connection: sqlite3.Connection) -> bool:
            changed = connection.execute(
                "UPDATE effects SET result = ? WHERE key = ? AND digest = ? AND result IS NULL",
                (text, key, digest),
            )
            return changed.rowcount == 1

        return await self._file.write(update)


def clear_effects(connection: sqlite3.Connection, conversation_id: str, settled: Settled) -> None:
    """Forget the settled effects of a conversation whose outcome is known, in a transaction."""
    keys = connection.execute(
        "SELECT DISTINCT key FROM effects WHERE conversation_id = ?", (conversation_id,)
    ).fetchall()
    for (key,) in keys:
        if settled(key):
            # One that is settled already got its result too late for its turn: that is kept.
            connection.execute(
                "DELETE FROM effects WHERE key = ? AND result IS NOT NULL AND NOT settled", (key,)
            )
            connection.execute("UPDATE effects SET settled = 1 WHERE key = ?", (key,))
