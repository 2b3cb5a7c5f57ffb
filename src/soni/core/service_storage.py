"""What a server keeps in a store beside conversations: access keys, counters, news of changes."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from soni.core.access_key import AccessKey as AccessKey


class AccessKeys(Protocol):
    """The keys that a server accepts."""

    async def add(self, key: AccessKey) -> None:
        """Keep a new key."""

    async def find(self, digest: str) -> AccessKey | None:
        """The key with this digest, whether it has expired or not."""

    async def list_keys(self) -> list[AccessKey]:
        """All keys, oldest first."""

    async def remove(self, key_id: str) -> bool:
        """Delete a key; False if there is none of that name."""


class Counters(Protocol):
    """Numbers that all processes of a server share, each for a limited time."""

    async def increment(self, key: str, amount: int, *, now: float, expires_at: float) -> int:
        """Add to a counter, and return it. One that has expired begins at zero again.

        A running counter keeps the time at which it expires.
        """

    async def read(self, key: str, *, now: float) -> int:
        """What a counter has come to; 0 if it has expired."""

    async def clear_expired(self, *, now: float) -> int:
        """Delete what has expired; how many."""


class Subscription(Protocol):
    """Waits for changes of one conversation, or of any."""

    async def wait(self, seconds: float) -> None:
        """Return when the journal may have grown since the last call, or when time is up."""


class Feed(Protocol):
    """Tells when a conversation has changed, whoever changed it."""

    poll_seconds: float
    """How often a reader should look for itself: news may get lost, the journal does not."""

    def subscribe(self, conversation_id: str | None) -> AbstractAsyncContextManager[Subscription]:
        """Listen to a conversation while the block runs; to all of them if it is None."""
