"""The table of messages that came with an id."""

import sqlite3

from soni.core.storage import JournalEntry, Receipt, WaitingMessage
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.sqlite.journal import COLUMNS, make_entry


class SqliteInbox:
    """Records messages and finds the turns that handled them."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def receive(
        self, conversation_id: str, message_id: str, *, text: str = "", at: float = 0.0
    ) -> Receipt:
        stored = self._file.seal.close(text)

        def insert(connection: sqlite3.Connection) -> Receipt:
            fresh = connection.execute(
                "INSERT OR IGNORE INTO inbox (conversation_id, message_id, received_at, state, "
                "text) VALUES (?, ?, ?, 'waiting', ?)",
                (conversation_id, message_id, at, stored),
            )
            if fresh.rowcount == 1:
                return Receipt(message_id, "waiting")
            (state,) = connection.execute(
                "SELECT state FROM inbox WHERE conversation_id = ? AND message_id = ?",
                (conversation_id, message_id),
            ).fetchone()
            return Receipt(message_id, state, repeated=True)

        # Not durable by itself: the log is written in order, so the first effect or the commit of
        # the turn makes it durable, and before those nothing was done or acknowledged.
        return await self._file.write(insert, durable=False)

    async def find_entry(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        query = (
            f"SELECT {COLUMNS} FROM journal WHERE conversation_id = ? AND seq = "
            "(SELECT seq FROM inbox WHERE conversation_id = ? AND message_id = ?)"
        )
        values = (conversation_id, conversation_id, message_id)
        row = await self._file.run(lambda connection: connection.execute(query, values).fetchone())
        return make_entry(row, self._file.seal) if row else None

    async def list_waiting(self, conversation_id: str) -> list[WaitingMessage]:
        query = (
            "SELECT message_id, text FROM inbox WHERE conversation_id = ? AND state = 'waiting' "
            "ORDER BY rowid"
        )
        values = (conversation_id,)
        rows = await self._file.run(lambda connection: connection.execute(query, values).fetchall())
        return [WaitingMessage(name, self._file.seal.open(text)) for name, text in rows]


def clear_messages(connection: sqlite3.Connection, conversation_id: str) -> None:
    """Forget all messages of a conversation, inside a transaction."""
    connection.execute("DELETE FROM inbox WHERE conversation_id = ?", (conversation_id,))
