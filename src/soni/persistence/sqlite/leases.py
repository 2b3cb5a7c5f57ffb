"""Which process holds which conversation, so that several may share one file."""

import asyncio
import errno
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import structlog

from soni.core.storage import Lease
from soni.core.storage_errors import StorageError, make_busy_error, make_fenced_error
from soni.persistence.locks import ConversationLocks
from soni.persistence.sqlite.file import SqliteFile

TERM_SECONDS = 30.0
"""Seconds after which a lease that nobody renewed is free. That a process of this machine has
died is seen at once; the term is for those that were stalled, and for other machines."""

FIRST_PAUSE, LONGEST_PAUSE = 0.005, 0.1

TAKE_SQL = """
INSERT INTO conversations (conversation_id, life, token, owner, machine, pid, expires_at)
VALUES (:id, (SELECT next FROM lives), 1, :owner, :machine, :pid, :until)
ON CONFLICT (conversation_id) DO UPDATE
SET token = token + 1, owner = :owner, machine = :machine, pid = :pid, expires_at = :until
WHERE owner IS NULL OR owner = :owner OR owner = :dead OR expires_at < :now
RETURNING token, life
"""


class Leases:
    """The leases of this store, which other processes see in the file."""

    def __init__(self, file: SqliteFile, locks: ConversationLocks, term: float) -> None:
        self._file = file
        self._locks = locks
        self._term = term
        self._owner = uuid4().hex
        self._machine = get_machine_id()
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
    async def hold(self, conversation_id: str, *, wait: bool = True) -> AsyncIterator[Lease]:
        """Wait until no other process has the conversation, and keep it until the block ends."""
        lease = await self._await_lease(conversation_id, wait=wait)
        try:
            with self._locks.grant_lease(lease):
                yield lease
        finally:
            # Not awaited: the turn is over in any case. A release that comes late frees nothing
            # that somebody has taken since, because that lease has another token.
            self._file.post(partial(self._release_lease, lease), "lease_not_released")

    def require_held(self, connection: sqlite3.Connection, conversation_id: str) -> Lease:
        """Raise unless the conversation is still ours. For use inside a transaction."""
        lease = self._locks.require_lease(conversation_id)
        if not self.is_held(connection, lease):
            raise make_fenced_error(conversation_id)
        return lease

    def is_held(self, connection: sqlite3.Connection, lease: Lease) -> bool:
        """Whether nobody has taken the conversation over. For use inside a transaction."""
        row = connection.execute(
            "SELECT owner, token FROM conversations WHERE conversation_id = ?",
            (lease.conversation_id,),
        ).fetchone()
        return row is not None and tuple(row) == (self._owner, lease.token)

    async def _await_lease(self, conversation_id: str, *, wait: bool) -> Lease:
        pause = FIRST_PAUSE
        take = partial(self._take_lease, conversation_id)
        while (lease := await self._file.write(take, durable=False)) is None:
            if not wait:
                raise make_busy_error(conversation_id)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)
        return lease

    def _take_lease(self, conversation_id: str, connection: sqlite3.Connection) -> Lease | None:
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
        row = connection.execute(TAKE_SQL, wish).fetchone()
        if row is None:
            owner, machine, pid = connection.execute(
                "SELECT owner, machine, pid FROM conversations WHERE conversation_id = ?",
                (conversation_id,),
            ).fetchone()
            if machine != self._machine or is_alive(pid):
                return None
            row = connection.execute(TAKE_SQL, {**wish, "dead": owner}).fetchone()
        return Lease(conversation_id, *row)

    def _release_lease(self, lease: Lease, connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE conversations SET owner = NULL, machine = NULL, pid = NULL, expires_at = NULL "
            "WHERE conversation_id = ? AND token = ? AND owner = ?",
            (lease.conversation_id, lease.token, self._owner),
        )

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._term / 3)
            if held := self._locks.list_leases():
                until = time.time() + self._term
                rows = [(until, each.conversation_id, each.token, self._owner) for each in held]
                try:
                    await self._file.write(partial(_renew_leases, rows), durable=False)
                except StorageError as error:
                    structlog.get_logger().warning("leases_not_renewed", reason=str(error))


def _renew_leases(rows: list[tuple[float, str, int, str]], connection: sqlite3.Connection) -> None:
    connection.executemany(
        "UPDATE conversations SET expires_at = ? "
        "WHERE conversation_id = ? AND token = ? AND owner = ?",
        rows,
    )


def get_machine_id() -> str:
    """An id of the machine, or container, in which process numbers are unique."""
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.stat().st_ino if namespace.exists() else 0
    return f"{socket.gethostname()}/{inside}"


def is_alive(pid: int) -> bool:
    """Whether there is a process of that number on this machine."""
    try:
        if os.name == "posix":  # elsewhere signal 0 is a real one, and the lease runs out alone
            os.kill(pid, 0)
    except OSError as error:
        return error.errno != errno.ESRCH  # that it is another user's does not make it dead
    return True
