"""The table of messages that came with an id."""

import json
from typing import Final

from soni.core.storage import JournalEntry, Receipt, WaitingMessage
from soni.persistence.journal import encode_canonical
from soni.persistence.postgres.journal import COLUMNS, PostgresJournal
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.postgres.values import StoredValues

# Not durable by itself: the log is written in order, so the first effect or the commit of the
# turn makes it durable, and before those nothing was done or acknowledged.
RECEIVE: Final = """
WITH hasty AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
fresh AS (
    INSERT INTO inbox (conversation_id, message_id, received_at, state, text)
    SELECT %s, %s, %s, 'waiting', %s FROM hasty
    ON CONFLICT (conversation_id, message_id) DO NOTHING RETURNING 1
)
SELECT count(*) FROM fresh
"""
# Part of the statement that begins a new life.
CLEARED: Final = (
    "cleared AS (DELETE FROM inbox USING held WHERE inbox.conversation_id = held.conversation_id)"
)


class PostgresInbox:
    """Records messages and finds the turns that handled them."""

    def __init__(
        self, server: PostgresServer, journal: PostgresJournal, values: StoredValues
    ) -> None:
        self._server = server
        self._journal = journal
        self._values = values

    async def receive(
        self, conversation_id: str, message_id: str, *, text: str = "", at: float = 0.0
    ) -> Receipt:
        # As JSON, because a column cannot hold every character that a message can.
        stored = self._values.pack_text(encode_canonical(text))
        if await self._server.run(RECEIVE, (conversation_id, message_id, at, stored)) == [(1,)]:
            return Receipt(message_id, "waiting")
        rows = await self._server.run(
            "SELECT state FROM inbox WHERE conversation_id = %s AND message_id = %s",
            (conversation_id, message_id),
        )
        # None: a reset came between, and the message belongs to the life before.
        return Receipt(message_id, rows[0][0] if rows else "waiting", repeated=True)

    async def find_entry(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        rows = await self._server.run(
            f"SELECT {COLUMNS} FROM journal WHERE conversation_id = %(id)s AND seq = (SELECT seq "
            "FROM inbox WHERE conversation_id = %(id)s AND message_id = %(message_id)s)",
            {"id": conversation_id, "message_id": message_id},
        )
        return self._journal.make_entry(rows[0]) if rows else None

    async def list_waiting(self, conversation_id: str) -> list[WaitingMessage]:
        rows = await self._server.run(
            "SELECT message_id, text FROM inbox WHERE conversation_id = %s AND state = 'waiting' "
            "ORDER BY arrival",
            (conversation_id,),
        )
        return [
            WaitingMessage(message_id, json.loads(self._values.unpack_text(text)))
            for message_id, text in rows
        ]
