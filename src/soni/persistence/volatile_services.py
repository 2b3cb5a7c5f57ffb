"""Access keys, counters and news of changes, in memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from soni.core.service_storage import AccessKey


class VolatileAccessKeys:
    """Keys by their digest."""

    def __init__(self) -> None:
        self._keys: dict[str, AccessKey] = {}

    async def add(self, key: AccessKey) -> None:
        self._keys[key.digest] = key

    async def find(self, digest: str) -> AccessKey | None:
        return self._keys.get(digest)

    async def list_keys(self) -> list[AccessKey]:
        return sorted(self._keys.values(), key=lambda key: key.created_at)

    async def remove(self, key_id: str) -> bool:
        found = [digest for digest, key in self._keys.items() if key.key_id == key_id]
        for digest in found:
            del self._keys[digest]
        return bool(found)


class VolatileCounters:
    """Counters of this process alone."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}

    async def increment(self, key: str, amount: int, *, now: float, expires_at: float) -> int:
        count, until = self._counts.get(key, (0, expires_at))
        if until <= now:
            count, until = 0, expires_at
        self._counts[key] = count + amount, until
        return count + amount

    async def read(self, key: str, *, now: float) -> int:
        count, until = self._counts.get(key, (0, now))
        return count if until > now else 0

    async def clear_expired(self, *, now: float) -> int:
        old = [key for key, (_, until) in self._counts.items() if until <= now]
        for key in old:
            del self._counts[key]
        return len(old)


class LocalSubscription:
    """Waits for a change that a process hears of."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    def notify(self) -> None:
        """End the wait."""
        self._changed.set()

    async def wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        self._changed.clear()


class LocalFeed:
    """Tells the readers in this process of the changes made in it."""

    def __init__(self, poll_seconds: float = 60.0) -> None:
        self.poll_seconds = poll_seconds
        self._listeners: dict[str | None, set[LocalSubscription]] = {}

    def publish(self, conversation_id: str | None) -> None:
        """Wake the readers of a conversation, and those of all."""
        for name in {conversation_id, None}:
            for listener in self._listeners.get(name, ()):
                listener.notify()

    @asynccontextmanager
    async def subscribe(self, conversation_id: str | None) -> AsyncIterator[LocalSubscription]:
        listener = LocalSubscription()
        self._listeners.setdefault(conversation_id, set()).add(listener)
        try:
            yield listener
        finally:
            self._listeners[conversation_id].discard(listener)
            if not self._listeners[conversation_id]:
                del self._listeners[conversation_id]
