"""Deleting conversations for good: one that is erased, and those that were kept long enough."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog
from psycopg.errors import Diagnostic

from soni.core.storage import JournalEntry, Removal
from soni.core.storage_errors import StorageError, make_fenced_error
from soni.persistence.journal import list_users
from soni.persistence.postgres.journal import COLUMNS, PostgresJournal
from soni.persistence.postgres.leases import HELD, Leases
from soni.persistence.postgres.server import Connection, PostgresServer, execute

TABLES: Final = ("journal", "inbox", "effects", "checkpoints", "participants", "conversations")

# The life must never come again: keys of effects that services have seen depend on it.
RETIRE: Final = (
    "UPDATE lives SET next = GREATEST(next, (SELECT max(life) + 1 FROM conversations "
    "WHERE conversation_id = ANY(%s))) RETURNING next"
)
# Whoever holds the conversation still holds it, so token and holder are left as they are.
RESTORE: Final = """
INSERT INTO conversations AS c
    (conversation_id, user_id, life, last_at, token, holder, last_seq, last_hash)
VALUES (%s, %s, %s, %s, 0, '', %s, %s) ON CONFLICT (conversation_id) DO UPDATE
SET user_id = excluded.user_id, life = excluded.life, last_at = excluded.last_at, due_at = NULL,
    handed_off_at = NULL,
    versions = '{}', last_seq = excluded.last_seq, last_hash = excluded.last_hash
"""
# Only the first entries of a journal go: what is left of a chain must have no gap. All who delete
# entries lock them in their order, so that they do not wait for each other in a circle.
PRUNE_JOURNALS: Final = """
WITH old AS (
    SELECT conversation_id, at, COALESCE((SELECT min(seq) FROM journal AS newer
        WHERE newer.conversation_id = first.conversation_id AND newer.at >= %(before)s),
        2147483647) AS until
    FROM journal AS first WHERE at < %(before)s
    AND NOT EXISTS (SELECT FROM journal AS other
        WHERE other.conversation_id = first.conversation_id AND other.seq < first.seq)
    AND (status <> 'erased' OR EXISTS (SELECT FROM journal AS other
        WHERE other.conversation_id = first.conversation_id AND other.seq > first.seq))
    ORDER BY at, conversation_id LIMIT %(limit)s
),
doomed AS MATERIALIZED (
    SELECT entry.conversation_id, entry.seq FROM old JOIN journal AS entry
    ON entry.conversation_id = old.conversation_id AND entry.seq < old.until
    ORDER BY old.at, entry.conversation_id, entry.seq LIMIT %(limit)s FOR UPDATE OF entry
),
gone AS (
    DELETE FROM journal USING doomed WHERE journal.conversation_id = doomed.conversation_id
    AND journal.seq = doomed.seq RETURNING 1
)
SELECT count(*) FROM gone
"""
LOCK_JOURNAL: Final = "SELECT seq FROM journal WHERE conversation_id = %s ORDER BY seq FOR UPDATE"
# Rows that somebody is just changing are passed over.
PRUNE_ROWS: Final = """
WITH doomed AS MATERIALIZED (
    SELECT {first}, {second} FROM {table} WHERE {age} < %(before)s
    LIMIT %(limit)s FOR UPDATE SKIP LOCKED
),
gone AS (
    DELETE FROM {table} USING doomed WHERE {table}.{first} = doomed.{first}
    AND {table}.{second} = doomed.{second} RETURNING 1
)
SELECT count(*) FROM gone
"""
PRUNE_MESSAGES: Final = PRUNE_ROWS.format(
    table="inbox", first="conversation_id", second="message_id", age="received_at"
)
PRUNE_EFFECTS: Final = PRUNE_ROWS.format(
    table="effects", first="key", second="digest", age="begun_at"
)
IDLE: Final = """
SELECT conversation_id FROM conversations AS idle
WHERE (last_at < %(before)s OR last_at IS NULL)
AND (%(names)s::text[] IS NULL OR conversation_id = ANY(%(names)s))
AND NOT EXISTS (SELECT FROM journal WHERE conversation_id = idle.conversation_id)
AND NOT EXISTS (SELECT FROM inbox WHERE conversation_id = idle.conversation_id)
AND NOT EXISTS (SELECT FROM effects WHERE conversation_id = idle.conversation_id)
LIMIT %(limit)s
"""
FREE: Final = (
    "SELECT name FROM unnest(%s::bigint[], %s::text[]) AS wish (lock, name) "
    "WHERE pg_try_advisory_xact_lock(lock)"
)
# The tables of jobs are made when one is first meant. One that is being carried out ends first.
JOBS: Final = "procrastinate_jobs"
FIND_JOBS: Final = f"SELECT to_regclass('{JOBS}') IS NOT NULL"
DELETE_JOBS: Final = (
    f"DELETE FROM {JOBS} WHERE args->>'conversation_id' = %s AND status <> 'doing' RETURNING 1"
)
# Ids are in the indexes too. To give pages back to the disk would stop whoever reads.
VACUUM: Final = "VACUUM (INDEX_CLEANUP ON, TRUNCATE FALSE) {tables}"


class PostgresRemoval:
    """Deletes conversations, and lets the server clear away what is left of their rows."""

    def __init__(self, server: PostgresServer, leases: Leases, journal: PostgresJournal) -> None:
        self._server = server
        self._leases = leases
        self._journal = journal
        self._cleaning: asyncio.Task[None] | None = None
        self._is_dirty = False

    async def close(self) -> None:
        """Wait until the server has cleared everything away."""
        if self._cleaning is not None:
            await self._cleaning

    async def erase(self, conversation_id: str, remains: Sequence[JournalEntry]) -> Removal:
        """Delete all of a held conversation, and write what remains."""
        holding = self._leases.require_holding(conversation_id)
        rows = [self._journal.encode_entry(entry) for entry in remains]
        holding.last = None
        async with self._server.transact() as connection:
            if not await execute(
                connection, f"SELECT 1 FROM conversations WHERE {HELD} FOR UPDATE", holding.identity
            ):
                raise make_fenced_error(conversation_id)
            await execute(connection, LOCK_JOURNAL, (conversation_id,))
            entries, messages, effects, states, _ = [
                await _delete_rows(connection, table, [conversation_id]) for table in TABLES[:-1]
            ]
            ((has_jobs,),) = await execute(connection, FIND_JOBS)
            jobs = await execute(connection, DELETE_JOBS, (conversation_id,)) if has_jobs else []
            ((life,),) = await execute(connection, RETIRE, ([conversation_id],))
            if not remains or remains[0].conversation_id != conversation_id:
                await _delete_rows(connection, "conversations", [conversation_id])
            if remains:
                await _restore_conversation(connection, remains, rows, life)
        self._begin_cleaning()
        return Removal(1, int(states > 0), entries, messages, effects, len(jobs))

    async def prune(self, before: float, limit: int) -> Removal:
        """Delete what is older, each kind in a transaction of its own."""
        wish = {"before": before, "limit": limit, "names": None}
        counts = [
            (await self._server.run(query, wish))[0][0]
            for query in (PRUNE_JOURNALS, PRUNE_MESSAGES, PRUNE_EFFECTS)
        ]
        found = [name for (name,) in await self._server.run(IDLE, wish)]
        if not found:
            return Removal(0, 0, *counts)
        locks = await self._leases.list_locks(found)
        async with self._server.transact() as connection:
            # Nobody takes one of these before they are gone.
            free = [name for (name,) in await execute(connection, FREE, (locks, found))]
            idle = [name for (name,) in await execute(connection, IDLE, {**wish, "names": free})]
            await execute(connection, RETIRE, (idle,))
            states = await execute(
                connection,
                "WITH gone AS (DELETE FROM checkpoints WHERE conversation_id = ANY(%s) "
                "RETURNING conversation_id) SELECT count(DISTINCT conversation_id) FROM gone",
                (idle,),
            )
            for table in ("participants", "conversations"):
                await _delete_rows(connection, table, idle)
        return Removal(len(idle), states[0][0], *counts)

    def _begin_cleaning(self) -> None:
        self._is_dirty = True
        if self._cleaning is None:
            self._cleaning = asyncio.create_task(self._clean())

    async def _clean(self) -> None:
        """Vacuum; what is erased meanwhile is done together afterwards."""
        try:
            while self._is_dirty:
                self._is_dirty = False
                await self._vacuum()
        except StorageError as error:
            # It is deleted all the same. The server's own vacuum comes later.
            structlog.get_logger().warning("tables_not_vacuumed", reason=str(error))
        finally:
            self._cleaning = None

    async def _vacuum(self) -> None:
        refusals: list[str] = []

        def note(notice: Diagnostic) -> None:
            refusals.append(str(notice.message_primary))

        async with self._server.borrow() as connection:
            ((has_jobs,),) = await execute(connection, FIND_JOBS)
            tables = (*TABLES, JOBS) if has_jobs else TABLES
            connection.add_notice_handler(note)
            try:
                await connection.execute(VACUUM.format(tables=", ".join(tables)))
            finally:
                connection.remove_notice_handler(note)
        if refusals:
            structlog.get_logger().warning("tables_not_vacuumed", reason="; ".join(refusals))


async def _delete_rows(connection: Connection, table: str, names: list[str]) -> int:
    cursor = await connection.execute(
        f"DELETE FROM {table} WHERE conversation_id = ANY(%s)", (names,)
    )
    return cursor.rowcount


async def _restore_conversation(
    connection: Connection, remains: Sequence[JournalEntry], rows: list[tuple[Any, ...]], life: int
) -> None:
    name, last, users = remains[0].conversation_id, remains[-1], list_users(remains)
    user_id = users[-1] if users else None
    await connection.execute(RESTORE, (name, user_id, life, last.at, last.seq, last.hash))
    cursor = connection.cursor()
    marks = ", ".join(["%s"] * len(rows[0]))
    await cursor.executemany(f"INSERT INTO journal ({COLUMNS}) VALUES ({marks})", rows)
    await cursor.executemany(
        "INSERT INTO participants (user_id, conversation_id) VALUES (%s, %s)",
        [(user, name) for user in users],
    )
