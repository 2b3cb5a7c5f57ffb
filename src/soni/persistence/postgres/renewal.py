"""Encrypting anew what was stored with an older key, or with none."""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from psycopg.errors import LockNotAvailable

from soni.core.storage_errors import StorageError
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.postgres.values import StoredValues

BATCH_SIZE: Final = 100
"""Rows that are read at once, and changed in one transaction."""

WAIT_MILLISECONDS: Final = 200
"""How long to wait for a row that somebody changes. It is less than the second after which a
server looks for transactions that wait for each other, so that no turn is ever the one to fail."""

PAUSE_SECONDS: Final = 0.05


class Place(NamedTuple):
    """A column with encrypted values."""

    table: str
    key: tuple[str, ...]
    value: str
    change: str
    """How a row gets its new value."""


_STATES: Final = Place("checkpoints", ("conversation_id", "namespace"), "content", "content = %s")
_TEXTS: Final = (
    Place("journal", ("conversation_id", "seq"), "data", "data = %s"),
    Place("inbox", ("conversation_id", "message_id"), "text", "text = %s"),
    Place("effects", ("key", "digest"), "result", "result = %s"),
)
_JOBS: Final = Place(
    "procrastinate_jobs",
    ("id",),
    "args->>'payload'",
    "args = jsonb_set(args, '{payload}', to_jsonb(%s::text))",
)

Renew = Callable[[Any], Any]
"""A value encrypted anew; None if it may stay."""


async def renew_schema(server: PostgresServer, values: StoredValues) -> int:
    """Encrypt everything with the first key. How many values it were."""
    count = 0
    for place in _TEXTS:
        count += await _renew_column(server, place, values.renew_text)
    count += await _renew_column(server, _STATES, values.renew_bytes)
    # The tables of jobs are made when one is first meant.
    if await server.run("SELECT to_regclass(%s) IS NOT NULL", (_JOBS.table,)) == [(True,)]:
        count += await _renew_column(server, _JOBS, values.renew_text)
    return count


async def _renew_column(server: PostgresServer, place: Place, renew: Renew) -> int:
    names, width = ", ".join(place.key), len(place.key)
    marks = ", ".join(["%s"] * width)
    count, last = 0, None
    while True:
        after = f"AND ({names}) > ({marks})" if last else ""
        rows = await server.run(
            f"SELECT {names}, {place.value} FROM {place.table} WHERE {place.value} IS NOT NULL "
            f"{after} ORDER BY {names} LIMIT %s",
            (*(last or ()), BATCH_SIZE),
        )
        stale = [(new, *row) for row in rows if (new := renew(row[width])) is not None]
        # What was changed in between was encrypted by whoever changed it.
        query = (
            f"UPDATE {place.table} SET {place.change} "
            f"WHERE ({names}) = ({marks}) AND {place.value} = %s"
        )
        count += await _change_rows(server, query, stale)
        if len(rows) < BATCH_SIZE:
            return count
        last = rows[-1][:width]


async def _change_rows(server: PostgresServer, query: str, rows: list[tuple[Any, ...]]) -> int:
    """Change all in one transaction, as soon as nobody else is changing one of them."""
    while rows:
        try:
            async with server.transact() as connection:
                await connection.execute(f"SET LOCAL lock_timeout = {WAIT_MILLISECONDS}")
                cursor = connection.cursor()
                await cursor.executemany(query, rows)
                return cursor.rowcount
        except StorageError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            await asyncio.sleep(PAUSE_SECONDS)
    return 0
