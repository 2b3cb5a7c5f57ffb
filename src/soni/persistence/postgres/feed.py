"""News of changes, by NOTIFY: in the transaction of the turn, to all processes that listen."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import psycopg
import structlog

from soni.core.storage_errors import StorageError
from soni.persistence.postgres.schema import quote_name
from soni.persistence.postgres.server import PostgresServer
from soni.persistence.volatile_services import LocalFeed, LocalSubscription

POLL_SECONDS: Final = 10.0
RECONNECT_SECONDS: Final = 1.0

PUBLISHED: Final = "count(*), count(pg_notify(%(channel)s, conversation_id))"
"""What the statement that commits a turn returns, and tells."""


class PostgresFeed(LocalFeed):
    """Listens on one connection, from the first subscription on."""

    def __init__(self, server: PostgresServer) -> None:
        super().__init__(POLL_SECONDS)
        self._server = server
        self._listener: asyncio.Task[None] | None = None
        # Channels belong to the database, and several schemas may be in one. Their names are short.
        digest = hashlib.sha256(server.address.schema.encode()).hexdigest()
        self.channel = f"soni_{digest[:16]}"

    async def close(self) -> None:
        """Stop to listen."""
        if self._listener is not None:
            listener, self._listener = self._listener, None
            listener.cancel()
            with suppress(asyncio.CancelledError):
                await listener

    @asynccontextmanager
    async def subscribe(self, conversation_id: str | None) -> AsyncIterator[LocalSubscription]:
        if self._listener is None:
            self._listener = asyncio.create_task(self._listen(), name="soni-feed")
        async with super().subscribe(conversation_id) as listener:
            yield listener

    async def _listen(self) -> None:
        while True:
            try:
                connection = await self._server.connect()
                async with connection:
                    await connection.execute(f"LISTEN {quote_name(self.channel)}")
                    self._notify_all()  # what happened before is not told again
                    async for news in connection.notifies():
                        self.publish(news.payload)
            except (psycopg.Error, StorageError) as error:
                structlog.get_logger().warning("feed_interrupted", reason=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)

    def _notify_all(self) -> None:
        for conversation_id in list(self._listeners):
            self.publish(conversation_id)
