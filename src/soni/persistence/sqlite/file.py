"""The SQLite file: its connection, and the one thread that uses it."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import structlog

from soni.core.storage import Cipher
from soni.core.storage_errors import StorageError
from soni.persistence.encryption import Seal
from soni.persistence.sqlite.schema import SCHEMA_VERSION, apply_migrations, read_version

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

BUSY_SECONDS = 10.0
"""How long another process may keep the file before we give up, waiting in a queue included."""

# SQLite itself would wait in the thread and keep reads from going on, so the loop waits.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05

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


class FileBusyError(StorageError):
    """Another process is writing to the file."""


class SqliteFile:
    """Runs work on the file, one piece after the other, each in one hop to its thread."""

    _connection: sqlite3.Connection
    """Exists while the worker does; only the worker uses it."""

    _identity: tuple[int, int] | None
    """The device and number of the open file."""

    def __init__(self, path: Path, cipher: Cipher | None = None) -> None:
        self.path = path
        self.seal = Seal(cipher)
        self._worker: ThreadPoolExecutor | None = None
        self._durable = True
        self._posted: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Create the file, or check it and bring its tables up to date."""
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="soni-sqlite")
        try:
            await self._run_patiently(self._connect)
        except BaseException:
            self._worker.shutdown(wait=False)
            self._worker = None
            raise

    async def close(self) -> None:
        """Finish the pending work, then close the file."""
        if self._worker is not None:
            await asyncio.gather(*self._posted, return_exceptions=True)
            await self._run_in_thread(lambda: self._connection.close())
            self._worker.shutdown(wait=False)
            self._worker = None

    async def run(self, work: Work[T]) -> T:
        """Run `work` with the connection, for reading or in single statements."""
        return await self._run_patiently(lambda: work(self._set_durability(durable=True)))

    async def write(self, work: Work[T], *, durable: bool = True) -> T:
        """Run `work` in a transaction. If it is durable, not even a power cut undoes it.

        `work` may run several times: it is repeated while another process writes.
        """
        return await self._run_patiently(lambda: self._transact(work, durable))

    def post(self, work: Work[None], failure: str) -> None:
        """Run `work` in a transaction without waiting for it; log `failure` if it fails."""

        async def write() -> None:
            try:
                await self.write(work, durable=False)
            except StorageError as error:
                structlog.get_logger().warning(failure, reason=str(error))

        self._start(write())

    def post_purge(self) -> None:
        """Empty the log without waiting for it."""
        self._start(self.purge_log())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._posted.add(task)
        task.add_done_callback(self._posted.discard)

    async def purge_log(self) -> None:
        """Empty the log: what was deleted stays readable in it until it is written anew."""
        if not await self.empty_log():
            structlog.get_logger().warning("log_not_emptied", path=str(self.path))

    async def empty_log(self) -> bool:
        """Move the write-ahead log into the file and truncate it; False if readers prevent it."""

        def checkpoint() -> bool:
            (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise FileBusyError(f"{self.path}: another process reads the file")
            return True

        try:
            return await self._run_patiently(checkpoint)
        except FileBusyError:
            return False

    @property
    def _thread(self) -> ThreadPoolExecutor:
        if self._worker is None:
            raise StorageError(f"{self.path}: the store is not open. Use it inside `async with`.")
        return self._worker

    async def _run_patiently(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + BUSY_SECONDS, _FIRST_PAUSE
        while True:
            try:
                return await self._run_in_thread(work)
            except FileBusyError:
                if loop.time() + pause > deadline:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guard, work)

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            kind = FileBusyError if name.startswith("SQLITE_BUSY") else StorageError
            raise kind(f"{self.path}: {error}. {_find_remedy(name)}") from error

    def _transact(self, work: Work[T], durable: bool) -> T:
        connection = self._set_durability(durable=durable)
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            self._require_same_file()
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

    def _require_same_file(self) -> None:
        """Raise if the file was deleted or replaced: what is written now would be lost."""
        if _identify_file(self.path) != self._identity:
            raise StorageError(
                f"{self.path}: the file was deleted or replaced while it was in use, so nothing "
                "can be stored in it. Put it back or restore a backup, then restart."
            )

    def _connect(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"{self.path}: conversations cannot be stored here: {error.strerror}. Give write "
                "access to the folder, or name another file in settings.persistence.url."
            ) from error
        connection = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self._identity = _identify_file(self.path)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        self._refuse_newer(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
        connection.execute("PRAGMA secure_delete=ON")  # forgotten means gone from the file
        connection.execute("PRAGMA synchronous=FULL")
        self._durable = True
        # The lock keeps other processes from migrating at the same time; one may have before.
        connection.execute("BEGIN IMMEDIATE")
        self._refuse_newer(connection)
        apply_migrations(connection)
        connection.execute("COMMIT")

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        version = read_version(connection)
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{self.path}: written by a newer Soni (format {version}, this one knows up to "
                f"{SCHEMA_VERSION}). Upgrade Soni, or name another file in "
                "settings.persistence.url."
            )


def _identify_file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _find_remedy(error_name: str) -> str:
    found = (remedy for names, remedy in REMEDIES.items() if error_name.startswith(names))
    return next(found, "Nothing was changed.")
