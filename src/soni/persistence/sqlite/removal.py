"""Deleting conversations for good: one that is erased, and those that were kept long enough."""

import sqlite3
import time
from collections.abc import Sequence

from soni.core.storage import JournalEntry, Removal
from soni.persistence.encryption import Seal
from soni.persistence.journal import list_users
from soni.persistence.sqlite.checkpoints import erase_checkpoints
from soni.persistence.sqlite.directory import note_users
from soni.persistence.sqlite.journal import insert_entry

_OLD_JOURNALS = """
SELECT conversation_id, seq FROM journal AS first WHERE at < :before
AND NOT EXISTS (SELECT 1 FROM journal AS other
    WHERE other.conversation_id = first.conversation_id AND other.seq < first.seq)
AND (status <> 'erased' OR EXISTS (SELECT 1 FROM journal AS other
    WHERE other.conversation_id = first.conversation_id AND other.seq > first.seq))
ORDER BY at LIMIT :limit
"""
_IDLE = """
SELECT conversation_id FROM conversations AS idle
WHERE (last_at < :before OR last_at IS NULL) AND (owner IS NULL OR expires_at < :now)
AND NOT EXISTS (SELECT 1 FROM journal WHERE conversation_id = idle.conversation_id)
AND NOT EXISTS (SELECT 1 FROM inbox WHERE conversation_id = idle.conversation_id)
AND NOT EXISTS (SELECT 1 FROM effects WHERE conversation_id = idle.conversation_id)
LIMIT :limit
"""


def erase_conversation(
    connection: sqlite3.Connection,
    conversation_id: str,
    remains: Sequence[JournalEntry],
    seal: Seal,
) -> Removal:
    """Delete all of it and write what remains, inside a transaction."""
    entries, messages, effects, jobs = (
        connection.execute(
            f"DELETE FROM {table} WHERE conversation_id = ?", (conversation_id,)
        ).rowcount
        for table in ("journal", "inbox", "effects", "jobs")
    )
    states = _remove_conversation(connection, conversation_id, remains)
    for entry in remains:
        insert_entry(connection, entry, seal)
    return Removal(1, states, entries, messages, effects, jobs)


def _remove_conversation(
    connection: sqlite3.Connection, conversation_id: str, remains: Sequence[JournalEntry] = ()
) -> int:
    """Delete the state and the record; how many states there were."""
    states = erase_checkpoints(connection, conversation_id)
    given = (conversation_id,)
    connection.execute("DELETE FROM participants WHERE conversation_id = ?", given)
    # The life must never come again: keys of effects that services have seen depend on it.
    connection.execute(
        "UPDATE lives SET next = MAX(next, (SELECT life + 1 FROM conversations "
        "WHERE conversation_id = ?))",
        given,
    )
    users = list_users(remains)
    new_id = remains[0].conversation_id if users else None
    if new_id != conversation_id:
        connection.execute("DELETE FROM conversations WHERE conversation_id = ?", given)
    if new_id is not None:
        # The holder of the conversation still holds it, so its lease is left as it is.
        connection.execute(
            "INSERT INTO conversations (conversation_id, user_id, life, last_at) "
            "VALUES (?, ?, (SELECT next FROM lives), ?) ON CONFLICT (conversation_id) DO UPDATE "
            "SET user_id = excluded.user_id, life = excluded.life, last_at = excluded.last_at, "
            "due_at = NULL, versions = '[]', handed_off_at = NULL",
            (new_id, users[-1], remains[-1].at),
        )
        note_users(connection, new_id, users)
    return states


def prune_conversations(connection: sqlite3.Connection, before: float, limit: int) -> Removal:
    """Delete what is older, inside a transaction."""
    wish = {"before": before, "limit": limit, "now": time.time()}
    entries = _prune_journals(connection, before, limit)
    messages, effects = (
        connection.execute(
            f"DELETE FROM {table} WHERE ({key}) IN "
            f"(SELECT {key} FROM {table} WHERE {age} < :before LIMIT :limit)",
            wish,
        ).rowcount
        for table, key, age in (
            ("inbox", "conversation_id, message_id", "received_at"),
            ("effects", "key, digest", "begun_at"),
        )
    )
    idle = connection.execute(_IDLE, wish).fetchall()
    states = sum(_remove_conversation(connection, conversation_id) for (conversation_id,) in idle)
    return Removal(len(idle), states, entries, messages, effects)


def _prune_journals(connection: sqlite3.Connection, before: float, limit: int) -> int:
    """Delete the first entries of journals: what is left of a chain must have no gap."""
    removed = 0
    wish = {"before": before, "limit": limit}
    for conversation_id, first in connection.execute(_OLD_JOURNALS, wish).fetchall():
        (newer,) = connection.execute(
            "SELECT MIN(seq) FROM journal WHERE conversation_id = ? AND at >= ?",
            (conversation_id, before),
        ).fetchone()
        end = min(first + limit - removed, newer or float("inf"))
        removed += connection.execute(
            "DELETE FROM journal WHERE conversation_id = ? AND seq < ?", (conversation_id, end)
        ).rowcount
        if removed >= limit:
            break
    return removed
