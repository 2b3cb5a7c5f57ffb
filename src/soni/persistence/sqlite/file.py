"""The SQLite file: its connection, its tables, and the one thread that uses them."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from soni.core.storage import StorageError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE journal (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    message_id TEXT,
    at REAL NOT NULL,
    status TEXT NOT NULL,
    data TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (conversation_id, seq)
);
CREATE INDEX journal_messages ON journal (conversation_id, message_id)
    WHERE message_id IS NOT NULL AND status = 'ok';
CREATE TABLE effects (
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (key, digest)
) WITHOUT ROWID;
CREATE INDEX effects_conversation ON effects (conversation_id);
CREATE TABLE leases (
    conversation_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    expires_at REAL NOT NULL
) WITHOUT ROWID;
"""

BUSY_SECONDS = 20.0
"""How long another process may keep the file before we give up."""

WAL_PAGES = 256
"""About 1 MB: SQLite's own 1000 pages would make the log larger than a long conversation."""

REMEDIES = {
    ("SQLITE_NOTADB", "SQLITE_CORRUPT"): (
        "It is no database, or a damaged one. Restore it from a backup, move it away to start "
        "afresh, or name another file in settings.persistence.url."
    ),
    ("SQLITE_BUSY", "SQLITE_LOCKED"): (
        "Another program keeps the file. End that program, then try again."
    ),
    ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"): (
        "Give write access to the file and its folder."
    ),
    ("SQLITE_FULL", "SQLITE_IOERR"): "Check the disk: it may be full or failing.",
}


class SqliteFile:
    """Runs work on the file, one piece after the other, each in one hop to its thread."""

    _connection: sqlite3.Connection
    """Exists while the worker does; only the worker uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._worker: ThreadPoolExecutor | None = None
        self._durable = True

    async def open(self) -> None:
        """Create or check the file."""
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="soni-sqlite")
        try:
            await self._run_in_thread(self._connect)
        except BaseException:
            self._worker.shutdown(wait=False)
            self._worker = None
            raise

    async def close(self) -> None:
        """Finish the pending work, then close the file."""
        if self._worker is not None:
            await self._run_in_thread(lambda: self._connection.close())
            self._worker.shutdown(wait=False)
            self._worker = None

    async def run(self, work: Work[T]) -> T:
        """Run `work` with the connection, for reading or in single statements."""
        return await self._run_in_thread(lambda: work(self._set_durability(durable=True)))

    async def write(self, work: Work[T], *, durable: bool = True) -> T:
        """Run `work` in a transaction. If it is durable, not even a power cut undoes it."""
        return await self._run_in_thread(lambda: self._transact(work, durable))

    def post(self, work: Work[T]) -> "Future[T]":
        """Queue `work` to run in a transaction after the pending work."""
        return self._thread.submit(self._guard, lambda: self._transact(work, durable=False))

    @property
    def _thread(self) -> ThreadPoolExecutor:
        if self._worker is None:
            raise StorageError(f"{self.path}: the store is not open. Use it inside `async with`.")
        return self._worker

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guard, work)

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            raise StorageError(f"{self.path}: {error}. {_find_remedy(error)}") from error

    def _transact(self, work: Work[T], durable: bool) -> T:
        connection = self._set_durability(durable=durable)
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise
        return result

    def _set_durability(self, *, durable: bool) -> sqlite3.Connection:
        # One connection for both: a second one would empty the first one's cache at each write.
        if durable != self._durable:
            # In WAL mode NORMAL commits without waiting for the disk; it cannot corrupt.
            self._connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._durable = durable
        return self._connection

    def _connect(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"{self.path}: conversations cannot be stored here: {error.strerror}. Give write "
                "access to the folder, or name another file in settings.persistence.url."
            ) from error
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        self._check_version(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
        connection.execute("PRAGMA secure_delete=ON")  # forgotten means gone from the file
        connection.execute("PRAGMA synchronous=FULL")
        self._durable = True
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have created the tables since the first check.
        if self._check_version(connection) == 0:
            for statement in filter(str.strip, SCHEMA.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("COMMIT")

    def _check_version(self, connection: sqlite3.Connection) -> int:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{self.path}: written by a newer Soni (format {version}, this one knows up to "
                f"{SCHEMA_VERSION}). Upgrade Soni, or name another file in "
                "settings.persistence.url."
            )
        return version


def _find_remedy(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    found = (remedy for names, remedy in REMEDIES.items() if name.startswith(names))
    return next(found, "Nothing was changed.")
