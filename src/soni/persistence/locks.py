"""Conversation locks inside one process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from soni.core.storage import LockError


class ConversationLocks:
    """One lock per conversation, served in the order of asking, gone when nobody uses it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, conversation_id: str) -> AsyncIterator[None]:
        """Wait for the conversation and keep it until the block ends."""
        # The dictionary is weak: this frame, and those of others that wait, keep the lock alive.
        lock = self._locks.get(conversation_id)
        if lock is None:
            lock = self._locks[conversation_id] = asyncio.Lock()
        async with lock:
            yield

    def require(self, conversation_id: str) -> None:
        """Raise unless somebody holds the conversation."""
        lock = self._locks.get(conversation_id)
        if lock is None or not lock.locked():
            raise LockError(
                f"Conversation '{conversation_id}' is not held, so it cannot be changed. "
                "Do it inside `async with store.conversation(conversation_id)`."
            )

    def __len__(self) -> int:
        return len(self._locks)
