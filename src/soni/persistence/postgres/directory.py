"""The table of conversations, and that of the flows their open tasks run on."""

import json
from collections.abc import Sequence
from typing import Any, Final

from soni.core.storage import ConversationRecord, TurnEntry
from soni.persistence.journal import encode_canonical
from soni.persistence.postgres.server import PostgresServer

_SELECT: Final = (
    "SELECT conversation_id, user_id, life, last_at, due_at, versions, handed_off_at "
    "FROM conversations WHERE (token > 0 OR user_id IS NOT NULL)"
)
"""Without those that only say that something was erased: nobody has held or will hold them."""

# Changes of the statement that writes a turn, with the values of `describe_turn`.
CHANGES: Final = (
    "user_id = COALESCE(%(user_id)s, user_id)",
    "last_at = %(at)s",
    "due_at = %(due_at)s",
    "versions = %(versions)s",
    "handed_off_at = %(handed_off_at)s",
)
NEW_LIFE: Final = "life = life + 1"


def describe_turn(entry: TurnEntry) -> dict[str, Any]:
    """What a turn says of its conversation."""
    return {
        "user_id": entry.user_id,
        "due_at": entry.due_at,
        "versions": list(entry.versions),
        "handed_off_at": entry.handed_off_at,
    }


class PostgresDirectory:
    """Lists conversations."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    async def find(self, conversation_id: str) -> ConversationRecord | None:
        rows = await self._server.run(f"{_SELECT} AND conversation_id = %s", (conversation_id,))
        return _make_record(*rows[0]) if rows else None

    async def register(self, conversation_id: str, user_id: str, *, at: float) -> bool:
        rows = await self._server.run(
            "WITH added AS (INSERT INTO conversations "
            "(conversation_id, user_id, last_at, token, holder) VALUES (%(id)s, %(user)s, %(at)s, "
            "0, '') ON CONFLICT DO NOTHING RETURNING conversation_id), noted AS (INSERT INTO "
            "participants (user_id, conversation_id) SELECT %(user)s, conversation_id FROM added "
            "ON CONFLICT DO NOTHING) SELECT count(*) FROM added",
            {"id": conversation_id, "user": user_id, "at": at},
        )
        return rows == [(1,)]

    async def count_conversations(self, user_id: str) -> int:
        query = "SELECT count(*) FROM participants WHERE user_id = %s"
        [(count,)] = await self._server.run(query, (user_id,))
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
            "conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = %s)": (
                user_id
            ),
            "due_at <= %s": due_before,
            "versions <> '{}' AND %s = ANY(versions)": version,
            "conversation_id > %s": after,
        }
        given = {where: value for where, value in conditions.items() if value is not None}
        here = ["handed_off_at IS NOT NULL"] if handed_off else []
        where = " AND ".join((_SELECT, *given, *here))
        query = f"{where} ORDER BY conversation_id LIMIT %s"
        rows = await self._server.run(query, [*given.values(), limit])
        return [_make_record(*row) for row in rows]


def _make_record(conversation_id: str, *about: Any) -> ConversationRecord:
    user_id, life, last_at, due_at, versions, handed_off_at = about
    return ConversationRecord(
        conversation_id, user_id, life, last_at, due_at, tuple(versions), handed_off_at
    )


class PostgresVersions:
    """Keeps flows by their fingerprint."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    async def save(self, fingerprint: str, content: dict[str, Any]) -> None:
        await self._server.run(
            "INSERT INTO versions (fingerprint, content) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (fingerprint, encode_canonical(content)),
        )

    async def load(self, fingerprint: str) -> dict[str, Any] | None:
        rows = await self._server.run(
            "SELECT content FROM versions WHERE fingerprint = %s", (fingerprint,)
        )
        content: dict[str, Any] | None = json.loads(rows[0][0]) if rows else None
        return content

    async def list_fingerprints(self) -> list[str]:
        rows = await self._server.run("SELECT fingerprint FROM versions ORDER BY arrival")
        return [row[0] for row in rows]

    async def prune(self, *, keep: Sequence[str] = ()) -> list[str]:
        rows = await self._server.run(
            "WITH dropped AS (DELETE FROM versions WHERE NOT fingerprint = ANY(%s) "
            "AND NOT EXISTS (SELECT FROM conversations WHERE conversations.versions <> '{}' "
            "AND fingerprint = ANY(conversations.versions)) RETURNING fingerprint, arrival) "
            "SELECT fingerprint FROM dropped ORDER BY arrival",
            (list(keep),),
        )
        return [row[0] for row in rows]
