"""The journal's table, and the statement with which a turn is written."""

import json
from collections.abc import Sequence
from typing import Any, Final

from soni.core.storage import JournalEntry, Overview, TurnEntry
from soni.core.storage_errors import JournalError, make_fenced_error
from soni.persistence.journal import encode_canonical, make_head, seal_entry
from soni.persistence.postgres.leases import HELD, Holding, Leases
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.postgres.values import StoredValues

COLUMNS: Final = "conversation_id, seq, turn, message_id, at, status, data, prev_hash, hash"

# `held` is empty for one that was fenced, and then so is everything that is taken from it. That a
# message was handled stays, even if its turn was taken for failed because the connection broke.
WRITE: Final = f"""
WITH held AS (
    UPDATE conversations SET last_seq = %(seq)s, last_hash = %(hash)s {{changes}}
    WHERE {HELD} RETURNING conversation_id
),
entry AS (
    INSERT INTO journal ({COLUMNS})
    SELECT conversation_id, %(seq)s, %(turn)s, %(message_id)s, %(at)s, %(status)s, %(data)s,
        %(prev_hash)s, %(hash)s FROM held
),
closed AS (
    INSERT INTO inbox (conversation_id, message_id, received_at, state, seq)
    SELECT conversation_id, unnest(%(messages)s::text[]), %(at)s, %(state)s, %(handled_by)s
    FROM held ON CONFLICT (conversation_id, message_id) DO UPDATE
    SET state = excluded.state, seq = excluded.seq, text = NULL
    WHERE excluded.state = 'handled' OR inbox.state <> 'handled'
),
noted AS (
    INSERT INTO participants (user_id, conversation_id)
    SELECT unnest(%(user_ids)s::text[]), conversation_id FROM held
    ON CONFLICT DO NOTHING
)
{{parts}}
SELECT {{result}} FROM held
"""


class PostgresJournal:
    """Reads and appends entries."""

    def __init__(self, server: PostgresServer, leases: Leases, values: StoredValues) -> None:
        self._server = server
        self._leases = leases
        self._values = values

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        rows = await self._server.run(
            f"SELECT {COLUMNS} FROM journal WHERE conversation_id = %s AND seq > %s "
            "ORDER BY seq LIMIT %s",
            (conversation_id, after, limit),
        )
        return [self.make_entry(row) for row in rows]

    async def append(
        self, conversation_id: str, entry: TurnEntry, status: str = "failed"
    ) -> JournalEntry:
        return await self.write(conversation_id, entry, status, APPEND)

    async def conversations(self) -> list[str]:
        rows = await self._server.run(
            "SELECT conversation_id FROM conversations WHERE EXISTS (SELECT FROM journal WHERE "
            "journal.conversation_id = conversations.conversation_id) ORDER BY conversation_id"
        )
        return [row[0] for row in rows]

    async def overview(
        self, *, after: str | None = None, limit: int | None = None
    ) -> list[Overview]:
        rows = await self._server.run(
            "SELECT conversation_id, count(*) FILTER (WHERE status = 'ok'), "
            "count(*) FILTER (WHERE status = 'failed'), max(seq), min(at), max(at) FROM journal "
            f"{'' if after is None else 'WHERE conversation_id > %(after)s'} "
            "GROUP BY conversation_id ORDER BY conversation_id LIMIT %(limit)s",
            {"after": after, "limit": limit},
        )
        return [Overview(*row) for row in rows]

    def make_entry(self, row: tuple[Any, ...]) -> JournalEntry:
        """An entry of a row with all `COLUMNS`."""
        conversation_id, seq, turn, message_id, at, status, text, *hashes = row
        try:
            data = json.loads(self._values.unpack_text(text))
        except ValueError as error:
            raise JournalError(
                f"Journal of conversation '{conversation_id}', entry {seq}: it was changed, it is "
                "no longer JSON. Restore it from a backup."
            ) from error
        return JournalEntry(conversation_id, seq, turn, message_id, at, status, data, *hashes)

    def encode_entry(self, entry: JournalEntry) -> tuple[Any, ...]:
        """The row of a sealed entry, with all `COLUMNS`."""
        about = (entry.conversation_id, entry.seq, entry.turn, entry.message_id, entry.at)
        text = self._values.pack_text(encode_canonical(entry.data))
        return (*about, entry.status, text, entry.prev_hash, entry.hash)

    async def write(
        self, conversation_id: str, entry: TurnEntry, status: str, query: str, **more: Any
    ) -> JournalEntry:
        """Write the next entry of a held conversation with all that belongs to it.

        `query` is made of `WRITE`; `more` are further values that it needs.
        """
        holding = self._leases.require_holding(conversation_id)
        head, text = make_head(conversation_id, entry, status), encode_canonical(entry.data)
        last = holding.last or await self._read_last(holding)
        sealed = seal_entry(last, head, text)
        handled = status == "ok"
        values = {
            "seq": sealed.seq,
            "turn": sealed.turn,
            "message_id": sealed.message_id,
            "at": sealed.at,
            "status": status,
            "data": self._values.pack_text(text),
            "prev_hash": sealed.prev_hash,
            "hash": sealed.hash,
            "user_id": entry.user_id,
            "user_ids": list(dict.fromkeys(entry.user_ids)),
            "messages": list(dict.fromkeys(entry.message_ids)),
            "state": "handled" if handled else "failed",
            "handled_by": sealed.seq if handled else None,
        }
        holding.last = None  # unknown, until it is known that this was written
        written = await self._server.run(query, {**values, **holding.identity, **more})
        if not written or written[0][0] != 1:
            raise make_fenced_error(conversation_id)
        holding.last = (sealed.seq, sealed.hash)
        return sealed

    async def _read_last(self, holding: Holding) -> tuple[int, str]:
        rows = await self._server.run(
            f"SELECT last_seq, last_hash FROM conversations WHERE {HELD}", holding.identity
        )
        if not rows:
            raise make_fenced_error(holding.conversation_id)
        seq, digest = rows[0]
        return int(seq), str(digest)


def make_write(
    changes: Sequence[str] = (), parts: Sequence[str] = (), result: str = "count(*)"
) -> str:
    """The statement that writes an entry, changes its conversation, and does further parts."""
    return WRITE.format(
        changes="".join(f", {each}" for each in changes),
        parts="".join(f", {each}" for each in parts),
        result=result,
    )


APPEND: Final = make_write()
