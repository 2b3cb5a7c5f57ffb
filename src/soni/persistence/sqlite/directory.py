"""The table of conversations, and that of the flows their open tasks run on."""

import json
import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from soni.core.storage import ConversationRecord, TurnEntry
from soni.persistence.journal import encode_canonical
from soni.persistence.sqlite.file import SqliteFile

COLUMNS = "conversation_id, user_id, life, last_at, due_at, versions, handed_off_at"


class SqliteDirectory:
    """Lists conversations."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def find(self, conversation_id: str) -> ConversationRecord | None:
        found = await self._select_records("conversation_id = ?", [conversation_id], 1)
        return found[0] if found else None

    async def register(self, conversation_id: str, user_id: str, *, at: float) -> bool:
        def insert(connection: sqlite3.Connection) -> bool:
            added = connection.execute(
                "INSERT OR IGNORE INTO conversations (conversation_id, user_id, life, last_at) "
                "VALUES (?, ?, (SELECT next FROM lives), ?)",
                (conversation_id, user_id, at),
            ).rowcount
            if added:
                note_users(connection, conversation_id, [user_id])
            return bool(added)

        return await self._file.write(insert)

    async def count_conversations(self, user_id: str) -> int:
        query = "SELECT count(*) FROM participants WHERE user_id = ?"
        [count] = await self._file.run(
            lambda connection: connection.execute(query, (user_id,)).fetchone()
        )
        return int(count)

    async def list_conversations(
        self,
        *,
        user_id: str | None = None,
        due_before: float | None = None,
        version: str | None = None,
        handed_off: bool = False,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[ConversationRecord]:
        conditions = {
            "conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = ?)": (
                user_id
            ),
            "due_at <= ?": due_before,
            "versions <> '[]' AND ? IN (SELECT value FROM json_each(versions))": version,
            "conversation_id > ?": after,
        }
        given = {where: value for where, value in conditions.items() if value is not None}
        here = ["handed_off_at IS NOT NULL"] if handed_off else []
        where = " AND ".join([*given, *here]) or "1"
        return await self._select_records(where, list(given.values()), limit)

    async def _select_records(
        self, where: str, values: list[Any], limit: int | None
    ) -> list[ConversationRecord]:
        query = (
            f"SELECT {COLUMNS} FROM conversations WHERE {where} ORDER BY conversation_id LIMIT ?"
        )
        given = (*values, -1 if limit is None else limit)
        rows = await self._file.run(lambda connection: connection.execute(query, given).fetchall())
        return [_make_record(*row) for row in rows]


def _make_record(conversation_id: str, *about: Any) -> ConversationRecord:
    user_id, life, last_at, due_at, versions, handed_off_at = about
    named = tuple(json.loads(versions))
    return ConversationRecord(conversation_id, user_id, life, last_at, due_at, named, handed_off_at)


def update_record(
    connection: sqlite3.Connection, conversation_id: str, entry: TurnEntry, *, reset: bool
) -> None:
    """Note what a turn says of its conversation, inside a transaction."""
    versions = encode_canonical(list(entry.versions))
    connection.execute(
        "UPDATE conversations SET user_id = COALESCE(?, user_id), life = life + ?, last_at = ?, "
        "due_at = ?, versions = ?, handed_off_at = ? WHERE conversation_id = ?",
        (
            entry.user_id,
            int(reset),
            entry.at,
            entry.due_at,
            versions,
            entry.handed_off_at,
            conversation_id,
        ),
    )
    note_users(connection, conversation_id, entry.user_ids)


def note_users(
    connection: sqlite3.Connection, conversation_id: str, user_ids: Sequence[str]
) -> None:
    """Note who takes part, inside a transaction."""
    connection.executemany(
        "INSERT OR IGNORE INTO participants (user_id, conversation_id) VALUES (?, ?)",
        [(user_id, conversation_id) for user_id in user_ids],
    )


class SqliteVersions:
    """Keeps flows by their fingerprint."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def save(self, fingerprint: str, content: dict[str, Any]) -> None:
        row = (fingerprint, encode_canonical(content), time.time())
        query = "INSERT OR IGNORE INTO versions (fingerprint, content, stored_at) VALUES (?, ?, ?)"
        await self._file.write(lambda connection: connection.execute(query, row))

    async def load(self, fingerprint: str) -> dict[str, Any] | None:
        query = "SELECT content FROM versions WHERE fingerprint = ?"
        values = (fingerprint,)
        row = await self._file.run(lambda connection: connection.execute(query, values).fetchone())
        content: dict[str, Any] | None = json.loads(row[0]) if row else None
        return content

    async def list_fingerprints(self) -> list[str]:
        query = "SELECT fingerprint FROM versions ORDER BY stored_at, rowid"
        rows = await self._file.run(lambda connection: connection.execute(query).fetchall())
        return [row[0] for row in rows]

    async def prune(self, *, keep: Sequence[str] = ()) -> list[str]:
        query = (
            "DELETE FROM versions WHERE fingerprint NOT IN (SELECT value FROM json_each(?)) "
            "AND fingerprint NOT IN (SELECT each.value FROM conversations, "
            "json_each(conversations.versions) AS each WHERE versions <> '[]') "
            "RETURNING fingerprint"
        )
        values = (encode_canonical(list(keep)),)
        rows = await self._file.write(
            lambda connection: connection.execute(query, values).fetchall()
        )
        return [row[0] for row in rows]
