"""The table of the keys that a server accepts."""

from dataclasses import astuple

from soni.core.service_storage import AccessKey
from soni.persistence.sqlite.file import SqliteFile

COLUMNS = "key_id, digest, role, label, created_at, expires_at"


class SqliteAccessKeys:
    """Keys, of which only digests are kept."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def add(self, key: AccessKey) -> None:
        query = f"INSERT INTO access_keys ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
        await self._file.write(lambda connection: connection.execute(query, astuple(key)))

    async def find(self, digest: str) -> AccessKey | None:
        query = f"SELECT {COLUMNS} FROM access_keys WHERE digest = ?"
        row = await self._file.run(
            lambda connection: connection.execute(query, (digest,)).fetchone()
        )
        return AccessKey(*row) if row else None

    async def list_keys(self) -> list[AccessKey]:
        query = f"SELECT {COLUMNS} FROM access_keys ORDER BY created_at, key_id"
        rows = await self._file.run(lambda connection: connection.execute(query).fetchall())
        return [AccessKey(*row) for row in rows]

    async def remove(self, key_id: str) -> bool:
        query = "DELETE FROM access_keys WHERE key_id = ?"
        removed = await self._file.write(
            lambda connection: connection.execute(query, (key_id,)).rowcount
        )
        return bool(removed)
