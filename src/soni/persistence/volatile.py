"""Journal, ledger and locks that live as long as the process."""

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from langgraph.checkpoint.base import BaseCheckpointSaver

from soni.core.storage import (
    Effect,
    JournalEntry,
    LockError,
    Overview,
    Settled,
    StagedTurn,
    StorageError,
    Store,
    is_always_settled,
)
from soni.persistence.journal import EntryHead, encode_canonical, seal_entry


class ConversationLocks:
    """One lock per conversation, served in the order of asking, gone when nobody uses it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, conversation_id: str) -> AsyncIterator[None]:
        """Wait for the conversation and keep it until the block ends."""
        # The dictionary holds weak references: this frame and waiting ones keep the lock alive.
        lock = self._locks.get(conversation_id)
        if lock is None:
            lock = self._locks[conversation_id] = asyncio.Lock()
        async with lock:
            yield

    def require_held(self, conversation_id: str) -> None:
        """Raise unless somebody holds the conversation."""
        lock = self._locks.get(conversation_id)
        if lock is None or not lock.locked():
            raise LockError(
                f"Conversation '{conversation_id}' is not held, so it cannot be changed. "
                "Do it inside `async with store.conversation(conversation_id)`."
            )

    def __len__(self) -> int:
        return len(self._locks)


class VolatileJournal:
    """Entries in a list per conversation."""

    def __init__(self) -> None:
        self._entries: dict[str, list[JournalEntry]] = {}

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        end = None if limit is None else after + limit
        return self._entries.get(conversation_id, [])[after:end]

    async def find(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        for entry in reversed(self._entries.get(conversation_id, [])):
            if entry.message_id == message_id and entry.status == "ok":
                return entry
        return None

    async def append(
        self,
        conversation_id: str,
        *,
        turn: int,
        message_id: str | None,
        at: float,
        status: str,
        data: dict[str, Any],
    ) -> JournalEntry:
        before = self._entries.get(conversation_id, [])
        last = (before[-1].seq, before[-1].hash) if before else (0, "")
        head = EntryHead(conversation_id, turn, message_id, at, status)
        entry = seal_entry(last, head, encode_canonical(data))
        self._entries.setdefault(conversation_id, []).append(entry)
        return entry

    async def conversations(self) -> list[str]:
        return sorted(self._entries)

    async def overview(
        self, *, after: str | None = None, limit: int | None = None
    ) -> list[Overview]:
        following = [name for name in sorted(self._entries) if after is None or name > after]
        return [_summarize_entries(self._entries[name]) for name in following[:limit]]


def _summarize_entries(entries: list[JournalEntry]) -> Overview:
    return Overview(
        conversation_id=entries[0].conversation_id,
        turns=sum(entry.status == "ok" for entry in entries),
        failed=sum(entry.status == "failed" for entry in entries),
        last_seq=entries[-1].seq,
        first_at=min(entry.at for entry in entries),
        last_at=max(entry.at for entry in entries),
    )


class VolatileLedger:
    """Effects per conversation."""

    def __init__(self) -> None:
        self._effects: dict[tuple[str, str], Effect] = {}
        self._of: dict[str, list[tuple[str, str]]] = {}

    async def begin(self, key: str, digest: str, conversation_id: str) -> Effect | None:
        known = self._effects.get((key, digest))
        if known is None:
            self._effects[key, digest] = Effect(key, digest, "begun")
            self._of.setdefault(conversation_id, []).append((key, digest))
        return known

    async def finish(self, key: str, digest: str, result: dict[str, Any]) -> None:
        if (key, digest) not in self._effects:
            raise make_not_begun_error(key)
        plain = json.loads(encode_canonical(result))
        self._effects[key, digest] = Effect(key, digest, "finished", plain)

    def clear_effects(self, conversation_id: str, settled: Settled = is_always_settled) -> None:
        """Forget the settled effects of a conversation."""
        kept = []
        for place in self._of.pop(conversation_id, []):
            if settled(place[0]):
                del self._effects[place]
            else:
                kept.append(place)
        if kept:
            self._of[conversation_id] = kept


class VolatileStore(Store):
    """A store whose journal, ledger and locks are in memory; where checkpoints go is open."""

    def __init__(self, checkpointer: BaseCheckpointSaver[Any]) -> None:
        self.checkpointer = checkpointer
        self.journal: VolatileJournal = VolatileJournal()
        self.ledger: VolatileLedger = VolatileLedger()
        self._locks = ConversationLocks()

    @abstractmethod
    async def save_checkpoints(self, staged: StagedTurn) -> None:
        """Store a turn's checkpoints."""

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    @asynccontextmanager
    async def conversation(self, conversation_id: str) -> AsyncIterator[None]:
        async with self._locks.hold(conversation_id):
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
        encode_canonical(data)  # nothing may fail once the checkpoint is stored
        await self.save_checkpoints(staged)
        self.ledger.clear_effects(staged.conversation_id, settled)
        return await self.journal.append(
            staged.conversation_id, turn=turn, message_id=message_id, at=at, status="ok", data=data
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
        given = data or {}
        encode_canonical(given)
        await self.checkpointer.adelete_thread(conversation_id)
        self.ledger.clear_effects(conversation_id)
        return await self.journal.append(
            conversation_id, turn=turn, message_id=message_id, at=at, status="reset", data=given
        )


def make_not_begun_error(key: str) -> StorageError:
    """The error for a result of an effect that was never begun."""
    return StorageError(
        f"Effect '{key}' was not begun, or its turn is over, so it cannot be finished. "
        "Call `begin` before the action runs."
    )


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
