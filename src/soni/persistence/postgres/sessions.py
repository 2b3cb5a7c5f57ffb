"""Sessions that hold conversations: the server's own locks, which die with their session.

Such a session gives a sign of life again and again, and the server ends one that does not. So
neither a process that died nor one that was stalled keeps a conversation, and nobody polls.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool

from soni.core.storage_errors import StorageError
from soni.persistence.postgres.server import (
    WAIT_SECONDS,
    Connection,
    PostgresServer,
    check_connection,
    execute,
)

WAITERS: Final = 8
"""How many conversations a store waits for at once while other processes have them. Each takes a
connection; more than these wait in this process, in order."""

_DAY: Final = 86400.0

# The locks are taken first. That a token is one greater than all before holds by the row itself,
# whatever the statement could see when it began.
TAKE: Final = """
WITH wish AS (SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS w (lock, id, holder)),
got AS MATERIALIZED (SELECT id, holder FROM wish WHERE pg_try_advisory_lock(lock)),
taken AS (
    INSERT INTO conversations AS c (conversation_id, token, holder) SELECT id, 1, holder FROM got
    ON CONFLICT (conversation_id) DO UPDATE SET token = c.token + 1, holder = excluded.holder
    RETURNING conversation_id, token, life, last_seq, last_hash
)
SELECT taken.*, ARRAY(SELECT DISTINCT key FROM effects WHERE effects.conversation_id
    = taken.conversation_id) FROM taken
"""
FREE: Final = "SELECT pg_advisory_unlock(lock) FROM unnest(%s::bigint[]) AS lock"


@dataclass(frozen=True)
class Wish:
    """A conversation that somebody wants to hold."""

    lock: int
    conversation_id: str
    holder: str


@dataclass(frozen=True)
class Taken:
    """A conversation that was taken, as it was found."""

    session: Connection
    token: int
    life: int
    last: tuple[int, str]
    """Number and hash of its last journal entry."""

    effects: list[str]
    """The keys of the effects that its ledger holds."""


class LockSession:
    """The session for conversations that are free. What is asked at the same time goes together."""

    def __init__(self, server: PostgresServer, term: float) -> None:
        self._server = server
        self._term = term
        self._connection: Connection | None = None
        self._wishes: list[tuple[Wish, asyncio.Future[Taken | None]]] = []
        self._freed: list[tuple[int, Connection]] = []
        self._work: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Give everything back."""
        await self.finish_work()
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def try_take(self, wish: Wish) -> Taken | None:
        """Take a conversation; None if somebody else has it or waits for it."""
        answer: asyncio.Future[Taken | None] = asyncio.get_running_loop().create_future()
        self._wishes.append((wish, answer))
        self._begin_work()
        try:
            return await answer
        except asyncio.CancelledError:
            # The answer may have come just before: then nobody else gives the conversation back.
            taken = None if answer.cancelled() or answer.exception() else answer.result()
            if taken is not None:
                self.free(wish.lock, taken.session)
            raise

    async def finish_work(self) -> None:
        """Wait until what was given back is free."""
        if self._work is not None:
            await asyncio.shield(self._work)

    def free(self, lock: int, session: Connection) -> None:
        """Give a conversation back soon. Whoever asks later is served later."""
        self._freed.append((lock, session))
        self._begin_work()

    async def renew(self) -> None:
        """Give a sign of life."""
        if self._connection is not None:
            await renew_session(self._connection)

    def _begin_work(self) -> None:
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._work_off())

    async def _work_off(self) -> None:
        try:
            while self._wishes or self._freed:
                freed, self._freed = self._freed, []
                wishes, self._wishes = self._wishes, []
                try:
                    await self._exchange(freed, wishes)
                except (psycopg.Error, StorageError) as error:
                    for _, answer in wishes:
                        if not answer.done():
                            answer.set_exception(self._server.explain(error))
        finally:
            self._work = None

    async def _exchange(
        self, freed: list[tuple[int, Connection]], wishes: list[tuple[Wish, Any]]
    ) -> None:
        # What a lost session had is free already.
        locks = [lock for lock, session in freed if session is self._connection]
        if locks and self._connection is not None:
            try:
                await execute(self._connection, FREE, (locks,))
            except psycopg.Error as error:
                await self._give_up(error)
        if wishes:
            try:
                await self._take(await self._get_connection(), wishes)
            except psycopg.Error as error:
                # Nothing was taken, or it went with the session. So it can be tried once more.
                await self._give_up(error)
                await self._take(await self._get_connection(), wishes)

    async def _take(self, connection: Connection, wishes: list[tuple[Wish, Any]]) -> None:
        try:
            found = await take(connection, [wish for wish, _ in wishes])
        except (psycopg.Error, UnicodeEncodeError) as error:
            if connection.closed:
                raise
            # An error undoes what was written, but not the locks.
            await execute(connection, FREE, ([wish.lock for wish, _ in wishes],))
            if len(wishes) > 1:
                for each in wishes:
                    await self._take(connection, [each])
            elif not wishes[0][1].done():
                wishes[0][1].set_exception(self._server.explain(error))
            return
        for wish, answer in wishes:
            taken = found.get(wish.conversation_id)
            if not answer.done():
                answer.set_result(taken)
            elif taken is not None:  # who asked has gone
                self._freed.append((wish.lock, connection))

    async def _get_connection(self) -> Connection:
        if self._connection is not None:
            try:
                await check_connection(self._connection)
            except (psycopg.Error, TimeoutError) as error:
                await self._give_up(error)
        if self._connection is None:
            connection = await self._server.connect()
            await configure_session(connection, self._term)
            self._connection = connection
        return self._connection

    async def _give_up(self, error: Exception) -> None:
        """Close a session that does not work. Who held something by it is fenced."""
        if self._connection is not None:
            structlog.get_logger().warning("lock_session_lost", reason=str(error))
            await self._connection.close()
            self._connection = None


class WaitingSessions:
    """Sessions that wait in the server's queue for conversations that others have."""

    def __init__(self, server: PostgresServer, term: float) -> None:
        self._server = server
        self._term = term
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._holding: set[Connection] = set()

    async def open(self) -> None:
        """Prepare for waiting. Connections are made when they are needed."""

        async def configure(connection: Connection) -> None:
            await self._server.configure(connection)
            await configure_session(connection, self._term)

        # Idle ones are closed before the server would do so.
        self._pool = self._server.make_pool(
            min_size=0, max_size=WAITERS, max_idle=self._term / 2, configure=configure
        )
        await self._pool.open()

    async def close(self) -> None:
        """Close all sessions."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.close()

    async def renew(self) -> None:
        """Give a sign of life for all that hold something."""
        await asyncio.gather(*(renew_session(session) for session in self._holding))

    @asynccontextmanager
    async def wait_for(self, wish: Wish) -> AsyncIterator[Taken]:
        """Wait for a conversation and keep it until the block ends."""
        assert self._pool is not None
        pool = self._pool
        session = await self._server.take_connection(pool, _DAY)
        try:
            taken = await self._wait(session, wish)
            self._holding.add(session)
            try:
                yield taken
            finally:
                self._holding.discard(session)
                await self._let_go(session)
        finally:
            await pool.putconn(session)

    async def _wait(self, session: Connection, wish: Wish) -> Taken:
        queued = asyncio.create_task(execute(session, "SELECT pg_advisory_lock(%s)", (wish.lock,)))
        try:
            await asyncio.shield(queued)
            found = await take(session, [wish])
        except psycopg.Error as error:
            await session.close()
            raise self._server.explain(error) from error
        except BaseException:
            await self._leave_queue(session, queued)
            raise
        return found[wish.conversation_id]

    async def _leave_queue(self, session: Connection, queued: asyncio.Task[Any]) -> None:
        # To cancel the statement may come before it has begun; to end the session never does.
        with suppress(StorageError):
            await self._server.run("SELECT pg_terminate_backend(%s)", (session.info.backend_pid,))
        await asyncio.wait({queued}, timeout=WAIT_SECONDS)
        queued.cancel()
        await asyncio.gather(queued, return_exceptions=True)
        await session.close()

    async def _let_go(self, session: Connection) -> None:
        try:
            await execute(session, "SELECT pg_advisory_unlock_all()")
        except psycopg.Error:
            await session.close()
        except BaseException:
            await session.close()
            raise


async def take(session: Connection, wishes: list[Wish]) -> dict[str, Taken]:
    """Take those of the conversations that are free, and find out what is known of them."""
    columns = zip(*((wish.lock, wish.conversation_id, wish.holder) for wish in wishes), strict=True)
    rows = await execute(session, TAKE, [list(column) for column in columns])
    return {
        name: Taken(session, token, life, (seq, digest), effects)
        for name, token, life, seq, digest, effects in rows
    }


async def configure_session(connection: Connection, term: float) -> None:
    """Let the server end the session when it gives no sign of life for that long."""
    milliseconds = str(round(term * 1000))
    # Tokens need not reach the disk by themselves. The log is written in order, so the first
    # effect or commit of a holder makes its token durable. If the server fails before that, all
    # locks are gone, and a number that is given out again goes with another holder's name.
    await connection.execute(
        "SELECT set_config('idle_session_timeout', %s, false), "
        "set_config('synchronous_commit', 'off', false)",
        (milliseconds,),
    )
    # One that waits is not idle: here the server looks whether the other end is still there. Not
    # every system can; the others find out when it is this session's turn.
    with suppress(psycopg.errors.InvalidParameterValue):
        await connection.execute(
            "SELECT set_config('client_connection_check_interval', %s, false)", (milliseconds,)
        )


async def renew_session(session: Connection) -> None:
    """Give a sign of life. That the session is lost shows in its `closed`."""
    try:
        await execute(session, "SELECT 1")
    except psycopg.Error as error:
        structlog.get_logger().warning("lock_session_lost", reason=str(error))
        await session.close()
