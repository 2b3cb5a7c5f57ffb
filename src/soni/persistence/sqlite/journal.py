"""The journal's table."""

import json
import sqlite3
from typing import Any

from soni.core.storage import JournalEntry, JournalError, Overview
from soni.persistence.journal import EntryHead, encode_canonical, seal_entry
from soni.persistence.sqlite.file import SqliteFile

COLUMNS = "conversation_id, seq, turn, message_id, at, status, data, prev_hash, hash"


class SqliteJournal:
    """Reads and appends entries."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        return await self._select_entries(
            "conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (conversation_id, after, -1 if limit is None else limit),
        )

    async def find(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        found = await self._select_entries(
            "conversation_id = ? AND message_id = ? AND status = 'ok' ORDER BY seq DESC LIMIT 1",
            (conversation_id, message_id),
        )
        return found[0] if found else None

    async def append(
        self,
        conversation_id: str,
        *,
        turn: int,
        message_id: str | None,
        at: float,
        status: str,
        data: dict[str, Any],
    ) -> JournalEntry:
        text = encode_canonical(data)
        head = EntryHead(conversation_id, turn, message_id, at, status)
        return await self._file.write(lambda connection: add_entry(connection, head, text))

    async def conversations(self) -> list[str]:
        query = "SELECT DISTINCT conversation_id FROM journal ORDER BY conversation_id"
        rows = await self._file.run(lambda connection: connection.execute(query).fetchall())
        return [row[0] for row in rows]

    async def overview(
        self, *, after: str | None = None, limit: int | None = None
    ) -> list[Overview]:
        query = (
            "SELECT conversation_id, SUM(status = 'ok'), SUM(status = 'failed'), MAX(seq), "
            "MIN(at), MAX(at) FROM journal WHERE ? IS NULL OR conversation_id > ? "
            "GROUP BY conversation_id ORDER BY conversation_id LIMIT ?"
        )
        values = (after, after, -1 if limit is None else limit)
        rows = await self._file.run(lambda connection: connection.execute(query, values).fetchall())
        return [Overview(*row) for row in rows]

    async def _select_entries(self, where: str, values: tuple[Any, ...]) -> list[JournalEntry]:
        query = f"SELECT {COLUMNS} FROM journal WHERE {where}"
        rows = await self._file.run(lambda connection: connection.execute(query, values).fetchall())
        return [_make_entry(row) for row in rows]


def _make_entry(row: tuple[Any, ...]) -> JournalEntry:
    conversation_id, seq, turn, message_id, at, status, text, prev_hash, digest = row
    try:
        data = json.loads(text)
    except ValueError as error:
        raise JournalError(
            f"Journal of conversation '{conversation_id}', entry {seq}: it was changed, it is no "
            "longer JSON. Restore it from a backup."
        ) from error
    return JournalEntry(conversation_id, seq, turn, message_id, at, status, data, prev_hash, digest)


def add_entry(connection: sqlite3.Connection, head: EntryHead, text: str) -> JournalEntry:
    """Write the next entry, inside a transaction; `text` is the canonical JSON of its data."""
    last = connection.execute(
        "SELECT seq, hash FROM journal WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1",
        (head.conversation_id,),
    ).fetchone()
    entry = seal_entry(last or (0, ""), head, text)
    values = (entry.conversation_id, entry.seq, entry.turn, entry.message_id, entry.at)
    connection.execute(
        f"INSERT INTO journal ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*values, entry.status, text, entry.prev_hash, entry.hash),
    )
    return entry
