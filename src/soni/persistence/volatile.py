"""Stores whose journal, ledger, inbox and locks live as long as the process."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from soni.core.storage import (
    JournalEntry,
    Lease,
    Removal,
    Settled,
    StagedTurn,
    Store,
    TurnEntry,
    is_always_settled,
)
from soni.core.storage_errors import BusyError
from soni.persistence.journal import encode_canonical
from soni.persistence.locks import ConversationLocks
from soni.persistence.volatile_jobs import VolatileJobs
from soni.persistence.volatile_services import LocalFeed, VolatileAccessKeys, VolatileCounters
from soni.persistence.volatile_tables import (
    VolatileDirectory,
    VolatileInbox,
    VolatileJournal,
    VolatileLedger,
    VolatileVersions,
)


class VolatileStore(Store):
    """A store whose tables are in memory; where checkpoints go is open."""

    def __init__(self, checkpointer: BaseCheckpointSaver[Any]) -> None:
        self.checkpointer = checkpointer
        self._locks = ConversationLocks()
        self.journal: VolatileJournal = VolatileJournal(self._locks)
        self.ledger: VolatileLedger = VolatileLedger(self._locks)
        self.inbox: VolatileInbox = VolatileInbox(self.journal)
        self.directory: VolatileDirectory = VolatileDirectory()
        self.journal.directory = self.directory
        self.versions: VolatileVersions = VolatileVersions(self.directory)
        self.jobs: VolatileJobs = VolatileJobs()
        self.access_keys: VolatileAccessKeys = VolatileAccessKeys()
        self.counters: VolatileCounters = VolatileCounters()
        self.feed: LocalFeed = LocalFeed()

    @abstractmethod
    async def save_checkpoints(self, staged: StagedTurn) -> None:
        """Store a turn's checkpoints."""

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    @asynccontextmanager
    async def conversation(
        self, conversation_id: str, *, wait: bool = True
    ) -> AsyncIterator[Lease]:
        async with self._locks.hold(conversation_id, wait=wait):
            lease = self.directory.take_lease(conversation_id)
            with self._locks.grant_lease(lease):
                yield lease

    async def commit(
        self, staged: StagedTurn, entry: TurnEntry, settled: Settled = is_always_settled
    ) -> JournalEntry:
        conversation_id = staged.conversation_id
        self._locks.require_lease(conversation_id)
        encode_canonical(entry.data)  # nothing may fail once the checkpoint is stored
        await self.save_checkpoints(staged)
        self.ledger.clear_effects(conversation_id, settled)
        self.directory.update_record(conversation_id, entry)
        sealed = self.journal.add_entry(conversation_id, entry, "ok")
        self.feed.publish(conversation_id)
        return sealed

    async def forget(self, conversation_id: str, entry: TurnEntry) -> JournalEntry:
        self._locks.require_lease(conversation_id)
        encode_canonical(entry.data)
        await self.checkpointer.adelete_thread(conversation_id)
        self.ledger.clear_effects(conversation_id)
        self.directory.update_record(conversation_id, entry, reset=True)
        sealed = self.journal.add_entry(conversation_id, entry, "reset")
        self.inbox.clear_messages(conversation_id)
        return sealed

    async def erase(self, conversation_id: str, remains: Sequence[JournalEntry] = ()) -> Removal:
        self._locks.require_lease(conversation_id)
        removed = await self._remove(conversation_id)
        jobs = await self.jobs.cancel_conversation(conversation_id)
        entries = self.journal.replace_entries(conversation_id, remains)
        removed += Removal(entries=entries, jobs=jobs)
        if remains:
            self.directory.restore_record(remains[0].conversation_id, remains)
        return removed

    async def prune(self, *, before: float, limit: int = 500) -> Removal:
        removed = Removal(
            entries=self.journal.drop_old_entries(before, limit),
            messages=self.inbox.drop_old_messages(before, limit),
            effects=self.ledger.drop_effects(lambda each: each.begun_at < before, limit),
        )
        idle = [name for name in self.directory.list_idle(before) if not await self._has_rest(name)]
        for conversation_id in idle[:limit]:
            with suppress(BusyError):
                async with self.conversation(conversation_id, wait=False):
                    if not await self._has_rest(conversation_id):
                        removed += await self._remove(conversation_id)
        return removed

    async def _has_rest(self, conversation_id: str) -> bool:
        """Whether there is anything beside the state, which is then newer."""
        return (
            bool(await self.journal.entries(conversation_id, limit=1))
            or self.inbox.has_messages(conversation_id)
            or self.ledger.has_effects(conversation_id)
        )

    async def _remove(self, conversation_id: str) -> Removal:
        """Delete a conversation but for its journal."""
        place: Any = {"configurable": {"thread_id": conversation_id, "checkpoint_ns": ""}}
        found = await self.checkpointer.aget_tuple(place)
        await self.checkpointer.adelete_thread(conversation_id)
        return Removal(
            conversations=self.directory.drop_record(conversation_id),
            states=int(found is not None),
            messages=self.inbox.clear_messages(conversation_id),
            effects=self.ledger.drop_effects(lambda each: each.conversation_id == conversation_id),
        )

    async def renew_encryption(self) -> int:
        """Nothing is encrypted in memory."""
        return 0


class ForeignStore(VolatileStore):
    """Hands a successful turn's checkpoint to the caller's saver."""

    async def save_checkpoints(self, staged: StagedTurn) -> None:
        for part in staged.checkpoints:
            # The checkpoint is written last: its writes are invisible until it is there.
            for task in part.pending:
                await self.checkpointer.aput_writes(
                    part.stored_as, task.writes, task.task_id, task.task_path
                )
            await self.checkpointer.aput(
                part.config, part.checkpoint, part.metadata, part.new_versions
            )
