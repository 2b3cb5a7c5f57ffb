"""The tables of a server: the keys that it accepts, and what it counts."""

from dataclasses import astuple
from typing import Final

from soni.core.service_storage import AccessKey
from soni.persistence.postgres.server import PostgresServer

COLUMNS: Final = "key_id, digest, role, label, created_at, expires_at"


class PostgresAccessKeys:
    """Keys, of which only digests are kept."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    async def add(self, key: AccessKey) -> None:
        query = f"INSERT INTO access_keys ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)"
        await self._server.run(query, astuple(key))

    async def find(self, digest: str) -> AccessKey | None:
        query = f"SELECT {COLUMNS} FROM access_keys WHERE digest = %s"
        rows = await self._server.run(query, (digest,))
        return AccessKey(*rows[0]) if rows else None

    async def list_keys(self) -> list[AccessKey]:
        query = f"SELECT {COLUMNS} FROM access_keys ORDER BY created_at, key_id"
        return [AccessKey(*row) for row in await self._server.run(query)]

    async def remove(self, key_id: str) -> bool:
        query = "DELETE FROM access_keys WHERE key_id = %s RETURNING key_id"
        return bool(await self._server.run(query, (key_id,)))


class PostgresCounters:
    """Counters that all processes share. They do not outlive a crash of the server."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    async def increment(self, key: str, amount: int, *, now: float, expires_at: float) -> int:
        [(count,)] = await self._server.run(
            "INSERT INTO counters AS c (key, count, expires_at) "
            "VALUES (%(key)s, %(amount)s, %(until)s) ON CONFLICT (key) DO UPDATE SET "
            "count = CASE WHEN c.expires_at <= %(now)s THEN 0 ELSE c.count END + excluded.count, "
            "expires_at = CASE WHEN c.expires_at <= %(now)s THEN excluded.expires_at "
            "ELSE c.expires_at END RETURNING count",
            {"key": key, "amount": amount, "now": now, "until": expires_at},
        )
        return int(count)

    async def read(self, key: str, *, now: float) -> int:
        query = "SELECT count FROM counters WHERE key = %s AND expires_at > %s"
        rows = await self._server.run(query, (key, now))
        return int(rows[0][0]) if rows else 0

    async def clear_expired(self, *, now: float) -> int:
        rows = await self._server.run(
            "WITH dropped AS (DELETE FROM counters WHERE expires_at <= %s RETURNING 1) "
            "SELECT count(*) FROM dropped",
            (now,),
        )
        return int(rows[0][0])
