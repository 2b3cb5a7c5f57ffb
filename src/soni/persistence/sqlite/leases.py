"""Which process holds which conversation, so that several may share one file."""

import asyncio
import errno
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import structlog

from soni.core.storage import LockError, StorageError
from soni.persistence.sqlite.file import SqliteFile

TERM_SECONDS = 30.0
"""Seconds after which a lease that nobody renewed is free. It only matters for an owner on
another machine: that a process of this one died is seen at once."""

FIRST_PAUSE, LONGEST_PAUSE = 0.005, 0.1

TAKE_SQL = """
INSERT INTO leases (conversation_id, owner, machine, pid, expires_at)
VALUES (:id, :owner, :machine, :pid, :until)
ON CONFLICT (conversation_id) DO UPDATE
SET owner = :owner, machine = :machine, pid = :pid, expires_at = :until
WHERE owner = :owner OR owner = :dead OR expires_at < :now
"""


class Leases:
    """The leases of this store, which other processes see in the file."""

    def __init__(self, file: SqliteFile, term: float = TERM_SECONDS) -> None:
        self._file = file
        self._term = term
        self._owner = uuid4().hex
        self._machine = _get_machine_id()
        self._held: set[str] = set()
        self._renewal: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to renew what is held."""
        self._renewal = asyncio.create_task(self._renew_forever())

    async def close(self) -> None:
        """Stop to renew."""
        if self._renewal is not None:
            self._renewal.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewal
            self._renewal = None

    @asynccontextmanager
    async def hold(self, conversation_id: str) -> AsyncIterator[None]:
        """Wait until no other process has the conversation, and keep it until the block ends."""
        try:
            pause = FIRST_PAUSE
            take = partial(self._take_lease, conversation_id)
            while not await self._file.write(take, durable=False):
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, LONGEST_PAUSE)
            self._held.add(conversation_id)
            yield
        finally:
            self._held.discard(conversation_id)
            # Not awaited: the turn is over in any case, and the file runs its work in order, so
            # the lease is released before this store uses the file again.
            released = self._file.post(partial(self._release_lease, conversation_id))
            released.add_done_callback(self._report)

    def require_held(self, connection: sqlite3.Connection, conversation_id: str) -> None:
        """Raise unless the conversation is still ours. For use inside a transaction."""
        row = connection.execute(
            "SELECT owner FROM leases WHERE conversation_id = ?", (conversation_id,)
        ).fetchone()
        if row is None or row[0] != self._owner:
            raise LockError(
                f"{self._file.path}: conversation '{conversation_id}' was taken over by another "
                f"process, because this one gave no sign of life for {self._term:g} seconds. "
                "Nothing was stored; send the message again."
            )

    def _take_lease(self, conversation_id: str, connection: sqlite3.Connection) -> bool:
        now = time.time()
        wish = {
            "id": conversation_id,
            "owner": self._owner,
            "machine": self._machine,
            "pid": os.getpid(),
            "until": now + self._term,
            "now": now,
            "dead": None,
        }
        if connection.execute(TAKE_SQL, wish).rowcount == 1:
            return True
        owner, machine, pid = connection.execute(
            "SELECT owner, machine, pid FROM leases WHERE conversation_id = ?", (conversation_id,)
        ).fetchone()
        if machine != self._machine or _is_alive(pid):
            return False
        return connection.execute(TAKE_SQL, {**wish, "dead": owner}).rowcount == 1

    def _release_lease(self, conversation_id: str, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM leases WHERE conversation_id = ? AND owner = ?",
            (conversation_id, self._owner),
        )

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._term / 3)
            if self._held:
                held = [(time.time() + self._term, id_, self._owner) for id_ in self._held]
                try:
                    await self._file.write(partial(_renew_leases, held), durable=False)
                except StorageError as error:
                    structlog.get_logger().warning("leases_not_renewed", reason=str(error))

    def _report(self, released: "Future[None]") -> None:
        if (error := released.exception()) is not None:
            structlog.get_logger().warning("lease_not_released", reason=str(error))


def _renew_leases(held: list[tuple[float, str, str]], connection: sqlite3.Connection) -> None:
    connection.executemany(
        "UPDATE leases SET expires_at = ? WHERE conversation_id = ? AND owner = ?", held
    )


def _get_machine_id() -> str:
    """An id of the machine, or container, in which process numbers are unique."""
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.stat().st_ino if namespace.exists() else 0
    return f"{socket.gethostname()}/{inside}"


def _is_alive(pid: int) -> bool:
    try:
        if os.name == "posix":  # elsewhere signal 0 is a real one, and the lease runs out alone
            os.kill(pid, 0)
    except OSError as error:
        return error.errno != errno.ESRCH  # that it is another user's does not make it dead
    return True
