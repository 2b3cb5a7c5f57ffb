"""The PostgreSQL server: its address, its connections, and what its errors mean."""

from __future__ import annotations

import asyncio
import select
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from soni.core.storage_errors import StorageError
from soni.persistence.postgres.schema import (
    SCHEMA_VERSION,
    apply_migrations,
    quote_name,
    read_version,
)

Connection = AsyncConnection[tuple[Any, ...]]
Values = Sequence[Any] | Mapping[str, Any]

POOL_SIZE: Final = 10
"""How many connections a store has at most for reading and writing. Each statement is a
transaction of its own, so that a few connections serve many conversations."""

WAIT_SECONDS: Final = 10.0
"""How long to wait for a connection, to the server or from the pool."""

OLDEST_SERVER: Final = 14

LOST: Final = ("08", "57P")
"""How the codes of errors begin after which a connection is gone."""

REMEDIES: Final = {
    "42501": "Give this user the right to create a schema in the database, and to use it.",
    "25006": "Name the primary server in settings.persistence.url: this one is read-only.",
    "53": "Check the server: its disk, its memory, and how many connections it allows.",
    "22": "Ids are text of at most a few hundred characters, without control characters.",
    "54": "Ids are text of at most a few hundred characters, without control characters.",
    "42": "Tables were removed or changed while in use. Restore a backup, then restart.",
}
"""By how the code of an error begins; the first that fits."""


@dataclass(frozen=True)
class Address:
    """Where the tables are."""

    conninfo: str
    schema: str
    place: str
    """For people: without the password."""

    @classmethod
    def parse(cls, url: str) -> Self:
        """The address that a URL names; its `schema` is ours, the rest is the driver's."""
        try:
            parts = urlsplit(url)
            query = parse_qsl(parts.query, keep_blank_values=True)
            rest = urlencode([(name, value) for name, value in query if name != "schema"])
            given = conninfo_to_dict(urlunsplit(parts._replace(query=rest)) if query else url)
        except (psycopg.Error, ValueError):
            # The reason would repeat parts of the address, and so maybe of the password.
            raise StorageError(
                "settings.persistence.url: this is no address of a PostgreSQL database. Write "
                "`postgresql://user:password@host:5432/database`, with characters like @ : / % "
                "in the password written as %40 %3A %2F %25."
            ) from None
        schema = dict(query).get("schema") or "soni"
        user, port = given.get("user"), given.get("port")
        host = given.get("host") or given.get("hostaddr") or "localhost"
        place = f"postgresql://{f'{user}@' if user else ''}{host}{f':{port}' if port else ''}"
        conninfo = make_conninfo(
            "", **{"connect_timeout": int(WAIT_SECONDS), "application_name": "soni", **given}
        )
        return cls(conninfo, schema, f"{place}/{given.get('dbname') or ''} (schema {schema})")


class PostgresServer:
    """Runs statements, each in a transaction of its own and in one round trip."""

    def __init__(self, address: Address, *, stall_seconds: float) -> None:
        self.address = address
        self._stall_milliseconds = round(stall_seconds * 1000)
        self._pool: AsyncConnectionPool[Connection] | None = None

    async def open(self) -> None:
        """Connect, and create the tables or bring them up to date."""
        connection = await self.connect()
        try:
            await self._prepare(connection)
        except psycopg.Error as error:
            raise self.explain(error) from error
        finally:
            await connection.close()
        self._pool = self.make_pool(min_size=1, max_size=POOL_SIZE)
        await self._pool.open()

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.close()

    async def run(self, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Run a statement as a transaction, and return its rows.

        If the connection is lost meanwhile, nobody knows whether it was done: it counts as failed.
        """
        async with self.borrow() as connection:
            return await execute(connection, query, values)

    @asynccontextmanager
    async def transact(self) -> AsyncIterator[Connection]:
        """A connection for several statements, which are done as a whole or not at all."""
        async with self.borrow() as connection, connection.transaction():
            yield connection

    @asynccontextmanager
    async def borrow(self) -> AsyncIterator[Connection]:
        """A connection on which each statement is a transaction of its own."""
        if self._pool is None:
            raise StorageError(
                f"{self.address.place}: the store is not open. Use it inside `async with`."
            )
        pool = self._pool
        connection = await self.take_connection(pool)
        try:
            yield connection
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise self.explain(error) from error
        finally:
            await pool.putconn(connection)

    async def connect(self) -> Connection:
        """A connection of the caller's own."""
        try:
            connection: Connection = await AsyncConnection.connect(
                self.address.conninfo, autocommit=True
            )
            await self.configure(connection)
        except psycopg.Error as error:
            raise self.explain_refusal(error) from error
        return connection

    def make_pool(self, **options: Any) -> AsyncConnectionPool[Connection]:
        """A pool that is not open yet."""
        return AsyncConnectionPool(
            self.address.conninfo,
            kwargs={"autocommit": True},
            configure=options.pop("configure", self.configure),
            check=check_connection,
            timeout=WAIT_SECONDS,
            open=False,
            **options,
        )

    async def take_connection(
        self, pool: AsyncConnectionPool[Connection], seconds: float | None = None
    ) -> Connection:
        """A connection of the pool, to be put back."""
        try:
            return await pool.getconn(seconds)
        except (PoolTimeout, PoolClosed) as error:
            raise StorageError(
                f"{self.address.place}: no connection ({error}). Check that the server runs and "
                "how many connections it allows, then try again."
            ) from error

    def explain(self, error: Exception) -> StorageError:
        """The error for a statement that failed."""
        if isinstance(error, StorageError):
            return error
        if isinstance(error, psycopg.Error):
            code, reason = error.sqlstate, _find_reason(error)
        else:
            code, reason = None, "an id holds half a character"
        if isinstance(error, psycopg.OperationalError) and (code or "08").startswith(LOST):
            return StorageError(
                f"{self.address.place}: the connection was lost ({reason}). Nobody knows whether "
                "the last change was stored; send the message again with the same id."
            )
        found = (text for each, text in REMEDIES.items() if (code or "22").startswith(each))
        return StorageError(
            f"{self.address.place}: {reason}. {next(found, 'Nothing was changed.')}"
        )

    def explain_refusal(self, error: psycopg.Error) -> StorageError:
        """The error for a connection that could not be made."""
        reason = " ".join(str(error).split()).rstrip(".")
        return StorageError(
            f"{self.address.place}: cannot connect: {reason}. Check that the server "
            "runs and that host, user, password and database of settings.persistence.url are right."
        )

    async def configure(self, connection: Connection) -> None:
        await connection.execute(
            "SELECT set_config('search_path', %s, false), "
            "set_config('idle_in_transaction_session_timeout', %s, false)",
            (quote_name(self.address.schema), str(self._stall_milliseconds)),
        )

    async def _prepare(self, connection: Connection) -> None:
        if connection.info.server_version < OLDEST_SERVER * 10000:
            found = connection.info.server_version // 10000
            raise StorageError(
                f"{self.address.place}: the server is PostgreSQL {found}. Soni needs "
                f"{OLDEST_SERVER} or newer, to notice processes that no longer answer."
            )
        version = await read_version(connection, self.address.schema)
        if version < SCHEMA_VERSION:
            await apply_migrations(connection, self.address.schema)
            version = await read_version(connection, self.address.schema)
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{self.address.place}: written by a newer Soni (format {version}, this one knows "
                f"up to {SCHEMA_VERSION}). Upgrade Soni, or name another schema with "
                "`?schema=` in settings.persistence.url."
            )


async def execute(connection: Connection, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """Run a prepared statement and return its rows."""
    cursor = await connection.execute(query, values, prepare=True, binary=True)
    return await cursor.fetchall() if cursor.description else []


async def check_connection(connection: Connection) -> None:
    """Raise if the server has ended an idle connection.

    A server says nothing unasked, except farewell. So this costs no round trip, and one only if
    there is something to hear.
    """
    if connection.closed:
        raise psycopg.OperationalError("the connection is closed")
    if _has_input(connection.fileno()):
        async with asyncio.timeout(WAIT_SECONDS):
            await AsyncConnectionPool.check_connection(connection)


def _has_input(file: int) -> bool:
    if not hasattr(select, "poll"):
        return bool(select.select([file], [], [], 0)[0])
    waiting = select.poll()  # unlike select, it does not mind high numbers
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))


def _find_reason(error: psycopg.Error) -> str:
    # Only the first line: what follows may repeat values.
    reason = error.diag.message_primary or str(error).strip().partition("\n")[0]
    return reason.rstrip(".")
