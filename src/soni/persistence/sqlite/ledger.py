"""The effects' table."""

import json
import sqlite3
from typing import Any

from soni.core.storage import Effect, Settled
from soni.persistence.journal import encode_canonical
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.volatile import make_not_begun_error


class SqliteLedger:
    """Records effects, each call in its own durable transaction."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def begin(self, key: str, digest: str, conversation_id: str) -> Effect | None:
        def insert(connection: sqlite3.Connection) -> Any:
            fresh = connection.execute(
                "INSERT OR IGNORE INTO effects (key, digest, conversation_id) VALUES (?, ?, ?)",
                (key, digest, conversation_id),
            )
            if fresh.rowcount == 1:
                return None
            return connection.execute(
                "SELECT result FROM effects WHERE key = ? AND digest = ?", (key, digest)
            ).fetchone()

        known = await self._file.write(insert)
        if known is None:
            return None
        if known[0] is None:
            return Effect(key, digest, "begun")
        return Effect(key, digest, "finished", json.loads(known[0]))

    async def finish(self, key: str, digest: str, result: dict[str, Any]) -> None:
        text = encode_canonical(result)

        def update(connection: sqlite3.Connection) -> None:
            changed = connection.execute(
                "UPDATE effects SET result = ? WHERE key = ? AND digest = ?", (text, key, digest)
            )
            if changed.rowcount == 0:
                raise make_not_begun_error(key)

        await self._file.write(update)


def clear_effects(connection: sqlite3.Connection, conversation_id: str, settled: Settled) -> None:
    """Forget the settled effects of a conversation, inside a transaction."""
    keys = connection.execute(
        "SELECT DISTINCT key FROM effects WHERE conversation_id = ?", (conversation_id,)
    ).fetchall()
    connection.executemany("DELETE FROM effects WHERE key = ?", [k for k in keys if settled(k[0])])
