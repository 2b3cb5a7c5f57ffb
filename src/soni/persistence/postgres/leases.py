"""Which conversations this store holds, and what it may rely on while it does."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from typing import Any, Final
from uuid import uuid4

from soni.core.storage import Lease
from soni.core.storage_errors import make_busy_error, make_fenced_error
from soni.persistence.locks import ConversationLocks
from soni.persistence.postgres.server import Connection, PostgresServer
from soni.persistence.postgres.sessions import LockSession, Taken, WaitingSessions, Wish

HELD: Final = "conversation_id = %(id)s AND token = %(token)s AND holder = %(holder)s"
"""The condition of every statement that only the holder may run. It locks the row, so that nobody
takes the conversation over before the statement is committed."""


@dataclass
class Holding:
    """A conversation that is held. Nobody else changes it, so what was found stays true."""

    lease: Lease
    holder: str
    session: Connection
    last: tuple[int, str] | None
    """Number and hash of the last journal entry; None: it has to be read again."""

    effects: set[str] = field(default_factory=set)
    """At least the keys of the effects that the ledger holds."""

    @property
    def conversation_id(self) -> str:
        return self.lease.conversation_id

    @property
    def identity(self) -> dict[str, Any]:
        """The values of the condition `HELD`."""
        return {"id": self.conversation_id, "token": self.lease.token, "holder": self.holder}


class Leases:
    """The leases of this store, which other processes see as locks of the server."""

    def __init__(self, server: PostgresServer, locks: ConversationLocks, term: float) -> None:
        self._server = server
        self._locks = locks
        self._term = term
        self._session = LockSession(server, term)
        self._waiting = WaitingSessions(server, term)
        self._holdings: dict[str, Holding] = {}
        self._owner = uuid4().hex
        self._numbers = count(1)
        self._renewal: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start to give signs of life."""
        await self._waiting.open()
        self._renewal = asyncio.create_task(self._renew_forever())

    async def close(self) -> None:
        """Give everything back."""
        if self._renewal is not None:
            self._renewal.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewal
            self._renewal = None
        await self._session.close()
        await self._waiting.close()

    @asynccontextmanager
    async def hold(self, conversation_id: str, *, wait: bool = True) -> AsyncIterator[Lease]:
        """Wait until no other process has the conversation, and keep it until the block ends."""
        # The name is never given out again, unlike the token if the server fails: see sessions.
        holder = f"{self._owner}/{next(self._numbers)}"
        wish = Wish(self._make_key(conversation_id), conversation_id, holder)
        taken = await self._session.try_take(wish)
        if taken is not None:
            try:
                with self._grant(wish, taken) as lease:
                    yield lease
            finally:
                # Not awaited: the turn is over in any case.
                self._session.free(wish.lock, taken.session)
        elif not wait:
            raise make_busy_error(conversation_id)
        else:
            async with self._waiting.wait_for(wish) as taken:
                with self._grant(wish, taken) as lease:
                    yield lease

    def require_holding(self, conversation_id: str) -> Holding:
        """What is held, or `LockError`. The statement that writes has to check it as well."""
        self._locks.require_lease(conversation_id)
        holding = self._holdings[conversation_id]
        if holding.session.closed:
            raise make_fenced_error(conversation_id)
        return holding

    def find_holding(self, conversation_id: str) -> Holding:
        """What is held, even if it was lost meanwhile."""
        self._locks.require_lease(conversation_id)
        return self._holdings[conversation_id]

    async def list_locks(self, conversation_ids: Sequence[str]) -> list[int]:
        """The numbers of their locks, once this store has given back what it does not hold."""
        await self._session.finish_work()
        return [self._make_key(each) for each in conversation_ids]

    @contextmanager
    def _grant(self, wish: Wish, taken: Taken) -> Iterator[Lease]:
        lease = Lease(wish.conversation_id, taken.token, taken.life)
        holding = Holding(lease, wish.holder, taken.session, taken.last, set(taken.effects))
        self._holdings[wish.conversation_id] = holding
        try:
            with self._locks.grant_lease(lease):
                yield lease
        finally:
            del self._holdings[wish.conversation_id]

    def _make_key(self, conversation_id: str) -> int:
        # Two conversations with one number would only wait for each other.
        name = f"{self._server.address.schema}/{conversation_id}"
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._term / 3)
            await asyncio.gather(self._session.renew(), self._waiting.renew())
