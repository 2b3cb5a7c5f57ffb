"""The databases of chaos runs, with what can be done to them."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any, Protocol, Self

import psycopg

from tests.postgres_server import PostgresServer


class Database(AbstractAsyncContextManager["Database"], Protocol):
    """Where the workers of a run keep their conversations."""

    backend: str
    url: str
    owner: int | None
    """The user of the processes that write to the disk; None: this one."""

    async def restart(self) -> None:
        """End the server in the middle of its work and start it again."""

    async def revive(self) -> None:
        """Start the server again if it has ended by itself, as it does where it cannot write."""

    async def drop_connections(self) -> None:
        """End all connections of the workers."""

    def list_writers(self, workers: list[int]) -> list[int]:
        """The ids of the processes that write to the disk."""

    def measure_size(self) -> dict[str, int]:
        """The rows of each table, and the bytes in all."""


class SqliteDatabase:
    """A file: it has no server, and no connections to lose."""

    backend = "sqlite"
    owner = None

    def __init__(self, folder: Path) -> None:
        self.url = str(folder / "talk.db")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Nothing to do: the folder goes with its owner."""

    async def restart(self) -> None:
        """Nothing to do."""

    async def revive(self) -> None:
        """Nothing to do."""

    async def drop_connections(self) -> None:
        """Nothing to do."""

    def list_writers(self, workers: list[int]) -> list[int]:
        return workers

    def measure_size(self) -> dict[str, int]:
        with closing(sqlite3.connect(self.url)) as file:
            named = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            rows = {
                name: file.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for (name,) in named
            }
        found = Path(self.url).parent.glob(f"{Path(self.url).name}*")
        return {**rows, "bytes": sum(each.stat().st_size for each in found)}


class PostgresDatabase:
    """A server of the run's own, which may be ended without its consent."""

    backend = "postgres"

    def __init__(self, folder: Path) -> None:
        # A crash may lose what was written to no disk: here it is written.
        self._server = PostgresServer("-c fsync=on", "-c restart_after_crash=on")
        self.url = f"{self._server.url}&schema=chaos"
        self.owner = self._server.user

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._server.start)
        return self

    async def __aexit__(self, *error: object) -> None:
        await asyncio.to_thread(self._server.stop)
        self._server.remove()

    async def restart(self) -> None:
        await asyncio.to_thread(self._server.stop)
        await asyncio.to_thread(self._server.start)

    async def revive(self) -> None:
        await asyncio.to_thread(self._server.revive)

    async def drop_connections(self) -> None:
        with psycopg.connect(self._server.url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )

    def list_writers(self, workers: list[int]) -> list[int]:
        server = int((self._server.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        # The first has the limits of all that come later.
        return [server, *map(int, children)]

    def measure_size(self) -> dict[str, int]:
        with psycopg.connect(self._server.url, autocommit=True) as connection:
            # As autovacuum does every minute: what was replaced makes room for what comes.
            connection.execute("VACUUM")
            named = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'chaos'"
            ).fetchall()
            rows = {
                name: _read_number(connection, f'SELECT count(*) FROM chaos."{name}"')
                for (name,) in named
            }
            size = (
                "SELECT sum(pg_total_relation_size(format('chaos.%I', tablename)))::bigint "
                "FROM pg_tables WHERE schemaname = 'chaos'"
            )
            return {**rows, "bytes": _read_number(connection, size)}


def _read_number(connection: Any, query: str) -> int:
    (number,) = connection.execute(query).fetchone()
    return int(number)


DATABASES: dict[str, Callable[[Path], Database]] = {
    "postgres": PostgresDatabase,
    "sqlite": SqliteDatabase,
}
"""Every database by its name: it is there while its context is open."""
