"""Encrypting anew what was stored with an older key, or with none."""

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from soni.persistence.encryption import SealedSerializer
from soni.persistence.sqlite.file import SqliteFile

BATCH_SIZE: Final = 500
"""Rows in one transaction: others write in between."""


class Place(NamedTuple):
    """A table with encrypted values."""

    table: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


_TEXTS: Final = (
    Place("journal", ("conversation_id", "seq"), ("data",)),
    Place("inbox", ("conversation_id", "message_id"), ("text",)),
    Place("effects", ("key", "digest"), ("result",)),
    Place("jobs", ("key",), ("payload",)),
)
_THREAD = ("thread_id", "checkpoint_ns", "checkpoint_id")
_STATES: Final = (
    Place("checkpoints", _THREAD, ("type", "checkpoint")),
    Place("writes", (*_THREAD, "task_id", "idx"), ("type", "value")),
)

Renew = Callable[..., tuple[Any, ...] | None]
"""The values of a row encrypted anew; None if they may stay."""


async def renew_file(file: SqliteFile, serde: SealedSerializer) -> int:
    """Encrypt everything with the first key. How many values it were."""

    def renew_text(text: str | bytes | None) -> tuple[Any, ...] | None:
        renewed = None if text is None else file.seal.renew(text)
        return None if renewed is None else (renewed,)

    count = 0
    for place in _TEXTS:
        count += await _renew_table(file, place, renew_text)
    for place in _STATES:
        count += await _renew_table(file, place, serde.renew)
    if count:
        await file.empty_log()
    return count


async def _renew_table(file: SqliteFile, place: Place, renew: Renew) -> int:
    count, last = 0, None
    while True:
        renewed, last = await file.write(partial(_renew_rows, place, renew, last))
        count += renewed
        if last is None:
            return count


def _renew_rows(
    place: Place, renew: Renew, last: tuple[Any, ...] | None, connection: sqlite3.Connection
) -> tuple[int, tuple[Any, ...] | None]:
    """Renew a batch after the row `last`; how many, and the last row, or None at the end."""
    table, key, columns = place
    width, names, marks = len(key), ", ".join(key), ", ".join("?" * len(key))
    after = f"WHERE ({names}) > ({marks})" if last else ""
    rows = connection.execute(
        f"SELECT {names}, {', '.join(columns)} FROM {table} {after} ORDER BY {names} LIMIT ?",
        (*(last or ()), BATCH_SIZE),
    ).fetchall()
    changed = [(*new, *row[:width]) for row in rows if (new := renew(*row[width:])) is not None]
    setting = ", ".join(f"{column} = ?" for column in columns)
    connection.executemany(f"UPDATE {table} SET {setting} WHERE ({names}) = ({marks})", changed)
    return len(changed), rows[-1][:width] if len(rows) == BATCH_SIZE else None
