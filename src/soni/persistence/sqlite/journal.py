"""The journal's table."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from soni.core.storage import JournalEntry, Overview, TurnEntry
from soni.core.storage_errors import JournalError
from soni.persistence.encryption import Seal
from soni.persistence.journal import EntryHead, encode_canonical, make_head, seal_entry
from soni.persistence.sqlite.directory import note_users
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.sqlite.leases import Leases

COLUMNS = "conversation_id, seq, turn, message_id, at, status, data, prev_hash, hash"


class SqliteJournal:
    """Reads and appends entries."""

    def __init__(self, file: SqliteFile, leases: Leases) -> None:
        self._file = file
        self._leases = leases

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        return await self._select_entries(
            "conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (conversation_id, after, -1 if limit is None else limit),
        )

    async def append(
        self, conversation_id: str, entry: TurnEntry, status: str = "failed"
    ) -> JournalEntry:
        head, text = make_head(conversation_id, entry, status), encode_canonical(entry.data)

        def write(connection: sqlite3.Connection) -> JournalEntry:
            self._leases.require_held(connection, conversation_id)
            note_users(connection, conversation_id, entry.user_ids)
            return add_entry(connection, head, text, self._file.seal, entry.message_ids)

        written = await self._file.write(write)
        if entry.purge:
            self._file.post_purge()
        return written

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
        return [make_entry(row, self._file.seal) for row in rows]


def make_entry(row: tuple[Any, ...], seal: Seal) -> JournalEntry:
    """An entry of a row with all `COLUMNS`."""
    conversation_id, seq, turn, message_id, at, status, text, prev_hash, digest = row
    try:
        data = json.loads(seal.open(text))
    except ValueError as error:
        raise JournalError(
            f"Journal of conversation '{conversation_id}', entry {seq}: it was changed, it is no "
            "longer JSON. Restore it from a backup."
        ) from error
    return JournalEntry(conversation_id, seq, turn, message_id, at, status, data, prev_hash, digest)


def add_entry(
    connection: sqlite3.Connection,
    head: EntryHead,
    text: str,
    seal: Seal,
    message_ids: Sequence[str] = (),
) -> JournalEntry:
    """Write the next entry and close its messages, inside a transaction.

    `text` is the canonical JSON of the entry's data.
    """
    last = connection.execute(
        "SELECT seq, hash FROM journal WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1",
        (head.conversation_id,),
    ).fetchone()
    entry = seal_entry(last or (0, ""), head, text)
    insert_entry(connection, entry, seal)
    if message_ids:
        _close_messages(connection, entry, message_ids)
    return entry


def insert_entry(connection: sqlite3.Connection, entry: JournalEntry, seal: Seal) -> None:
    """Write a sealed entry, inside a transaction."""
    text = seal.close(encode_canonical(entry.data))
    values = (entry.conversation_id, entry.seq, entry.turn, entry.message_id, entry.at)
    connection.execute(
        f"INSERT INTO journal ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*values, entry.status, text, entry.prev_hash, entry.hash),
    )


def _close_messages(
    connection: sqlite3.Connection, entry: JournalEntry, message_ids: Sequence[str]
) -> None:
    handled = entry.status == "ok"
    state, seq = ("handled", entry.seq) if handled else ("failed", None)
    connection.executemany(
        "INSERT INTO inbox (conversation_id, message_id, received_at, state, seq) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (conversation_id, message_id) DO UPDATE "
        "SET state = excluded.state, seq = excluded.seq, text = NULL",
        [(entry.conversation_id, each, entry.at, state, seq) for each in message_ids],
    )
