"""The SQLite store: all tables of one file behind one transaction."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from soni.core.storage import (
    Cipher,
    JournalEntry,
    Lease,
    Removal,
    Settled,
    StagedTurn,
    Store,
    StoreOptions,
    TurnEntry,
    is_always_settled,
)
from soni.core.storage_errors import StorageError
from soni.persistence.journal import encode_canonical, make_head
from soni.persistence.locks import ConversationLocks
from soni.persistence.sqlite.access_keys import SqliteAccessKeys
from soni.persistence.sqlite.checkpoints import (
    SqliteCheckpoints,
    encode_rows,
    erase_checkpoints,
    replace_checkpoints,
)
from soni.persistence.sqlite.directory import SqliteDirectory, SqliteVersions, update_record
from soni.persistence.sqlite.feed import SqliteFeed
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.sqlite.inbox import SqliteInbox, clear_messages
from soni.persistence.sqlite.jobs import SqliteJobs
from soni.persistence.sqlite.journal import SqliteJournal, add_entry
from soni.persistence.sqlite.leases import TERM_SECONDS, Leases
from soni.persistence.sqlite.ledger import SqliteLedger, clear_effects
from soni.persistence.sqlite.removal import erase_conversation, prune_conversations
from soni.persistence.sqlite.renewal import renew_file
from soni.persistence.volatile_services import VolatileCounters


class SqliteStore(Store):
    """Keeps conversations in one file. What a commit acknowledged is on the disk."""

    def __init__(
        self, path: str | Path, *, lease_term: float = TERM_SECONDS, cipher: Cipher | None = None
    ) -> None:
        self._file = SqliteFile(Path(path), cipher)
        self._locks = ConversationLocks()
        self._leases = Leases(self._file, self._locks, lease_term)
        self.checkpointer: SqliteCheckpoints = SqliteCheckpoints(self._file)
        self.journal: SqliteJournal = SqliteJournal(self._file, self._leases)
        self.ledger: SqliteLedger = SqliteLedger(self._file, self._locks, self._leases)
        self.inbox: SqliteInbox = SqliteInbox(self._file)
        self.directory: SqliteDirectory = SqliteDirectory(self._file)
        self.versions: SqliteVersions = SqliteVersions(self._file)
        self.jobs: SqliteJobs = SqliteJobs(self._file)
        self.access_keys: SqliteAccessKeys = SqliteAccessKeys(self._file)
        # A write to the file for each request would cost more than what it counts.
        self.counters: VolatileCounters = VolatileCounters()
        self.feed: SqliteFeed = SqliteFeed(self._file)

    @classmethod
    def from_options(cls, options: StoreOptions) -> Self:
        """Its URL is a path, or the same with `sqlite:///` before it."""
        path = (options.url or "").removeprefix("sqlite:///")
        if not path:
            raise StorageError(
                "settings.persistence.url: the sqlite store needs a file. Write its path, for "
                "example `.soni/conversations.db`."
            )
        return cls(path, lease_term=options.lease_seconds, cipher=options.cipher)

    async def open(self) -> None:
        await self._file.open()
        try:
            await self.checkpointer.open()
        except BaseException:
            await self._file.close()
            raise
        self._leases.open()

    async def close(self) -> None:
        await self.feed.close()
        await self._leases.close()
        await self._file.close()

    async def check_keys(self) -> None:
        query = "SELECT data FROM journal ORDER BY rowid DESC LIMIT 1"
        row = await self._file.run(lambda connection: connection.execute(query).fetchone())
        if row is not None:
            self._file.seal.open(row[0])

    @asynccontextmanager
    async def conversation(
        self, conversation_id: str, *, wait: bool = True
    ) -> AsyncIterator[Lease]:
        # The lock serves this process in order; the lease is for the other processes.
        async with (
            self._locks.hold(conversation_id, wait=wait),
            self._leases.hold(conversation_id, wait=wait) as lease,
        ):
            yield lease

    async def commit(
        self, staged: StagedTurn, entry: TurnEntry, settled: Settled = is_always_settled
    ) -> JournalEntry:
        conversation_id = staged.conversation_id
        self._locks.require_lease(conversation_id)
        rows = encode_rows(staged, self.checkpointer.serde)
        head, text = make_head(conversation_id, entry, "ok"), encode_canonical(entry.data)

        def store(connection: sqlite3.Connection) -> JournalEntry:
            self._leases.require_held(connection, conversation_id)
            replace_checkpoints(connection, rows)
            clear_effects(connection, conversation_id, settled)
            update_record(connection, conversation_id, entry, reset=False)
            return add_entry(connection, head, text, self._file.seal, entry.message_ids)

        written = await self._file.write(store)
        self.feed.publish(conversation_id)
        if entry.purge:
            self._file.post_purge()
        return written

    async def forget(self, conversation_id: str, entry: TurnEntry) -> JournalEntry:
        self._locks.require_lease(conversation_id)
        head, text = make_head(conversation_id, entry, "reset"), encode_canonical(entry.data)

        def store(connection: sqlite3.Connection) -> JournalEntry:
            self._leases.require_held(connection, conversation_id)
            erase_checkpoints(connection, conversation_id)
            clear_effects(connection, conversation_id, is_always_settled)
            clear_messages(connection, conversation_id)
            update_record(connection, conversation_id, entry, reset=True)
            return add_entry(connection, head, text, self._file.seal)

        written = await self._file.write(store)
        await self._file.purge_log()
        return written

    async def erase(self, conversation_id: str, remains: Sequence[JournalEntry] = ()) -> Removal:
        self._locks.require_lease(conversation_id)

        def store(connection: sqlite3.Connection) -> Removal:
            self._leases.require_held(connection, conversation_id)
            return erase_conversation(connection, conversation_id, remains, self._file.seal)

        removed = await self._file.write(store)
        await self._file.purge_log()
        return removed

    async def prune(self, *, before: float, limit: int = 500) -> Removal:
        removed = await self._file.write(
            lambda connection: prune_conversations(connection, before, limit)
        )
        if removed:
            await self._file.purge_log()
        return removed

    async def renew_encryption(self) -> int:
        return await renew_file(self._file, self.checkpointer.sealed)
