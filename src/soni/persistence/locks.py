"""The conversations that this process holds, and the queue for each of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakValueDictionary

from soni.core.storage import Lease
from soni.core.storage_errors import make_busy_error, make_not_held_error


class ConversationLocks:
    """One lock per conversation, served in the order of asking, gone when nobody uses it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._leases: dict[str, Lease] = {}

    @asynccontextmanager
    async def hold(self, conversation_id: str, *, wait: bool = True) -> AsyncIterator[None]:
        """Wait for the conversation and keep it from others of this process."""
        # The dictionary holds weak references: this frame and waiting ones keep the lock alive.
        lock = self._locks.get(conversation_id)
        if lock is None:
            lock = self._locks[conversation_id] = asyncio.Lock()
        if not wait and lock.locked():
            raise make_busy_error(conversation_id)
        async with lock:
            yield

    @contextmanager
    def grant_lease(self, lease: Lease) -> Iterator[Lease]:
        """Let the holder change the conversation while the block runs."""
        self._leases[lease.conversation_id] = lease
        try:
            yield lease
        finally:
            del self._leases[lease.conversation_id]

    def require_lease(self, conversation_id: str) -> Lease:
        """The lease on the conversation, or `LockError`."""
        lease = self._leases.get(conversation_id)
        if lease is None:
            raise make_not_held_error(conversation_id)
        return lease

    def list_leases(self) -> list[Lease]:
        """All leases of this process."""
        return list(self._leases.values())

    def __len__(self) -> int:
        return len(self._locks)
