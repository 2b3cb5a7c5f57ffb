"""The SQLite store: all tables of one file behind one transaction."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

from soni.core.storage import (
    JournalEntry,
    Settled,
    StagedTurn,
    StorageError,
    Store,
    is_always_settled,
)
from soni.persistence.journal import EntryHead, encode_canonical
from soni.persistence.sqlite.checkpoints import (
    SqliteCheckpoints,
    encode_rows,
    erase_checkpoints,
    replace_checkpoints,
)
from soni.persistence.sqlite.file import SqliteFile, Work
from soni.persistence.sqlite.journal import SqliteJournal, add_entry
from soni.persistence.sqlite.leases import TERM_SECONDS, Leases
from soni.persistence.sqlite.ledger import SqliteLedger, clear_effects
from soni.persistence.volatile import ConversationLocks


class SqliteStore(Store):
    """Keeps conversations in one file. What a commit acknowledged is on the disk."""

    def __init__(self, path: str | Path, *, lease_term: float = TERM_SECONDS) -> None:
        self._file = SqliteFile(Path(path))
        self._locks = ConversationLocks()
        self._leases = Leases(self._file, lease_term)
        self.checkpointer: SqliteCheckpoints = SqliteCheckpoints(self._file)
        self.journal: SqliteJournal = SqliteJournal(self._file)
        self.ledger: SqliteLedger = SqliteLedger(self._file)

    @classmethod
    def from_url(cls, url: str | None) -> Self:
        """A path, or the same with `sqlite:///` before it."""
        path = (url or "").removeprefix("sqlite:///")
        if not path:
            raise StorageError(
                "settings.persistence.url: the sqlite store needs a file. Write its path, for "
                "example `.soni/conversations.db`."
            )
        return cls(path)

    async def open(self) -> None:
        await self._file.open()
        try:
            await self.checkpointer.open()
        except BaseException:
            await self._file.close()
            raise
        self._leases.open()

    async def close(self) -> None:
        await self._leases.close()
        await self._file.close()

    @asynccontextmanager
    async def conversation(self, conversation_id: str) -> AsyncIterator[None]:
        # The lock serves this process in order; the lease is for the other processes.
        async with self._locks.hold(conversation_id), self._leases.hold(conversation_id):
            yield

    async def commit(
        self,
        staged: StagedTurn,
        *,
        turn: int,
        message_id: str | None,
        at: float,
        data: dict[str, Any],
        settled: Settled = is_always_settled,
    ) -> JournalEntry:
        self._locks.require_held(staged.conversation_id)
        rows = encode_rows(staged, self.checkpointer.serde)
        head = EntryHead(staged.conversation_id, turn, message_id, at, "ok")
        return await self._change_held(
            head, data, settled, lambda connection: replace_checkpoints(connection, rows)
        )

    async def forget(
        self,
        conversation_id: str,
        *,
        turn: int,
        at: float,
        message_id: str | None = None,
        data: dict[str, Any] | None = None,
    ) -> JournalEntry:
        self._locks.require_held(conversation_id)
        head = EntryHead(conversation_id, turn, message_id, at, "reset")
        return await self._change_held(
            head,
            data or {},
            is_always_settled,
            lambda connection: erase_checkpoints(connection, conversation_id),
        )

    async def _change_held(
        self, head: EntryHead, data: dict[str, Any], settled: Settled, change: Work[None]
    ) -> JournalEntry:
        text = encode_canonical(data)

        def store(connection: sqlite3.Connection) -> JournalEntry:
            self._leases.require_held(connection, head.conversation_id)
            change(connection)
            clear_effects(connection, head.conversation_id, settled)
            return add_entry(connection, head, text)

        return await self._file.write(store)
