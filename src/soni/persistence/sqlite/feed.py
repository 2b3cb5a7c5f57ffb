"""News of turns, also of those that other processes have written to the file."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from soni.core.storage_errors import StorageError
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.volatile_services import LocalFeed, LocalSubscription

LOOK_SECONDS: Final = 1.0


class SqliteFeed(LocalFeed):
    """Hears of turns of this process at once, and looks for others' while anybody listens.

    One look serves all readers: SQLite counts the commits of other connections.
    """

    def __init__(self, file: SqliteFile) -> None:
        super().__init__()
        self._file = file
        self._watcher: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def subscribe(self, conversation_id: str | None) -> AsyncIterator[LocalSubscription]:
        async with super().subscribe(conversation_id) as listener:
            if self._watcher is None or self._watcher.done():
                self._watcher = asyncio.create_task(self._watch())
            yield listener

    async def close(self) -> None:
        """Look no more."""
        if self._watcher is not None:
            self._watcher.cancel()
            with suppress(asyncio.CancelledError):
                await self._watcher

    async def _watch(self) -> None:
        seen: int | None = None
        while self._listeners:
            try:
                version = await self._file.run(
                    lambda connection: int(connection.execute("PRAGMA data_version").fetchone()[0])
                )
            except StorageError:
                version = None
            if version is None or version != seen:
                seen = version
                for conversation_id in [*self._listeners]:
                    self.publish(conversation_id)
            await asyncio.sleep(LOOK_SECONDS)
