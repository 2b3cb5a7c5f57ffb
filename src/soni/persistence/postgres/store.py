"""The PostgreSQL store: all tables of one schema behind one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Self

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
from soni.persistence.locks import ConversationLocks
from soni.persistence.postgres.checkpoints import ERASED, REPLACED, PostgresCheckpoints
from soni.persistence.postgres.directory import (
    CHANGES,
    NEW_LIFE,
    PostgresDirectory,
    PostgresVersions,
    describe_turn,
)
from soni.persistence.postgres.feed import PUBLISHED, PostgresFeed
from soni.persistence.postgres.inbox import CLEARED, PostgresInbox
from soni.persistence.postgres.journal import PostgresJournal, make_write
from soni.persistence.postgres.leases import Leases
from soni.persistence.postgres.ledger import SETTLED, PostgresLedger
from soni.persistence.postgres.removal import PostgresRemoval
from soni.persistence.postgres.renewal import renew_schema
from soni.persistence.postgres.server import Address, PostgresServer
from soni.persistence.postgres.services import PostgresAccessKeys, PostgresCounters
from soni.persistence.postgres.values import StoredValues

if TYPE_CHECKING:
    from soni.persistence.postgres.jobs import PostgresJobs

# Each is one statement, so one transaction and one round trip.
COMMIT: Final = make_write(CHANGES, [REPLACED, *SETTLED], PUBLISHED)
FORGET: Final = make_write([*CHANGES, NEW_LIFE], [ERASED, CLEARED, *SETTLED])


class PostgresStore(Store):
    """Keeps conversations in a schema of a database that many processes share."""

    def __init__(
        self, url: str, *, lease_seconds: float = 30.0, cipher: Cipher | None = None
    ) -> None:
        server = PostgresServer(Address.parse(url), stall_seconds=lease_seconds)
        values = StoredValues(cipher)
        self._server = server
        self._locks = ConversationLocks()
        self._leases = Leases(server, self._locks, lease_seconds)
        self.checkpointer: PostgresCheckpoints = PostgresCheckpoints(server, values)
        self.journal: PostgresJournal = PostgresJournal(server, self._leases, values)
        self.ledger: PostgresLedger = PostgresLedger(server, self._leases, values)
        self.inbox: PostgresInbox = PostgresInbox(server, self.journal, values)
        self.directory: PostgresDirectory = PostgresDirectory(server)
        self.versions: PostgresVersions = PostgresVersions(server)
        self.access_keys: PostgresAccessKeys = PostgresAccessKeys(server)
        self.counters: PostgresCounters = PostgresCounters(server)
        self.feed: PostgresFeed = PostgresFeed(server)
        self._removal = PostgresRemoval(server, self._leases, self.journal)
        self._values = values
        self._lease_seconds = lease_seconds
        self._jobs: PostgresJobs | None = None

    @classmethod
    def from_options(cls, options: StoreOptions) -> Self:
        """Its URL is `postgresql://user:password@host:port/database`, maybe with `?schema=`."""
        if not options.url:
            raise StorageError(
                "settings.persistence.url: the postgres store needs an address. Write "
                "`postgresql://user:password@host:5432/database`."
            )
        return cls(options.url, lease_seconds=options.lease_seconds, cipher=options.cipher)

    @property
    def jobs(self) -> PostgresJobs:  # type: ignore[override]
        # Most processes have no jobs, and their engine takes long to load.
        if self._jobs is None:
            from soni.persistence.postgres.jobs import PostgresJobs

            self._jobs = PostgresJobs(self._server, self._values, self._lease_seconds)
        return self._jobs

    async def open(self) -> None:
        await self._server.open()
        await self._leases.open()

    async def close(self) -> None:
        if self._jobs is not None:
            await self._jobs.close()
        await self.feed.close()
        await self._removal.close()
        await self._leases.close()
        await self._server.close()

    async def check_keys(self) -> None:
        rows = await self._server.run(
            "SELECT data FROM conversations JOIN journal ON journal.conversation_id = "
            "conversations.conversation_id AND seq = last_seq ORDER BY last_at DESC LIMIT 1"
        )
        for (data,) in rows:
            self._values.unpack_text(data)

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
        holding = self._leases.require_holding(conversation_id)
        keys = [key for key in holding.effects if settled(key)]
        rows = self.checkpointer.encode_turn(staged)
        return await self.journal.write(
            conversation_id,
            entry,
            "ok",
            COMMIT,
            **rows,
            **describe_turn(entry),
            keys=keys,
            channel=self.feed.channel,
        )

    async def forget(self, conversation_id: str, entry: TurnEntry) -> JournalEntry:
        return await self.journal.write(
            conversation_id, entry, "reset", FORGET, **describe_turn(entry), keys=None
        )

    async def erase(self, conversation_id: str, remains: Sequence[JournalEntry] = ()) -> Removal:
        return await self._removal.erase(conversation_id, remains)

    async def prune(self, *, before: float, limit: int = 500) -> Removal:
        return await self._removal.prune(before, limit)

    async def renew_encryption(self) -> int:
        return await renew_schema(self._server, self._values)
