"""The protocols of a store, and its records."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from soni.core.errors import SoniError


class StorageError(SoniError):
    """A store cannot do what was asked: it says where, why, and what to do about it."""


class JournalError(StorageError):
    """A journal entry cannot be written, or the chain of entries is broken."""


class LockError(StorageError):
    """The caller does not hold the conversation it wants to change."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What one turn did. Entries of a conversation form a chain of hashes."""

    conversation_id: str
    seq: int
    """1, 2, 3, ... within the conversation, without gaps."""

    turn: int
    message_id: str | None
    at: float
    """Seconds since the epoch by the conversation's clock."""

    status: str
    """`ok`, `failed` or `reset`."""

    data: dict[str, Any]
    """Plain JSON."""

    prev_hash: str
    """The hash of the entry before; empty for the first."""

    hash: str


@dataclass(frozen=True, slots=True)
class Overview:
    """A conversation in the list of all."""

    conversation_id: str
    turns: int
    """How many are `ok`."""

    failed: int
    last_seq: int
    first_at: float
    last_at: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What the ledger knows of one run of an action."""

    key: str
    digest: str
    state: Literal["begun", "finished"]
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StagedWrites:
    """What one task left pending on a checkpoint, such as its interrupt."""

    task_id: str
    task_path: str
    writes: Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class StagedCheckpoint:
    """The newest checkpoint of a namespace, not stored yet. Its values are LangGraph's."""

    namespace: str
    config: Any
    checkpoint: Any
    metadata: Any
    new_versions: Any
    base: Any = None
    """The stored checkpoint that this one replaces."""

    pending: tuple[StagedWrites, ...] = ()

    @property
    def stored_as(self) -> Any:
        """The config that addresses this checkpoint once it is stored."""
        place = {**self.config["configurable"], "checkpoint_id": self.checkpoint["id"]}
        return {"configurable": place}


@dataclass(frozen=True, slots=True)
class StagedTurn:
    """Everything a successful turn has to store for its graph."""

    conversation_id: str
    checkpoints: tuple[StagedCheckpoint, ...]


class Journal(Protocol):
    """The append-only record of every turn."""

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        """Entries in order, from the one that follows `after`."""

    async def find(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        """The newest `ok` entry of that message: it was handled before."""

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
        """Write an entry on its own, for what commits nothing: a failed turn."""

    async def conversations(self) -> list[str]:
        """The ids of all conversations that have an entry, sorted."""

    async def overview(
        self, *, after: str | None = None, limit: int | None = None
    ) -> list[Overview]:
        """The conversations in the order of their ids, from the one that follows `after`."""


Settled = Callable[[str], bool]
"""Whether the effect with this key can no longer be requested."""


def is_always_settled(key: str) -> bool:
    """Treat every effect of the conversation as settled."""
    return True


class Ledger(Protocol):
    """The effects of actions in uncommitted turns, so that no action runs twice."""

    async def begin(self, key: str, digest: str, conversation_id: str) -> Effect | None:
        """Record the start of an effect. Returns what is already known of it, or None."""

    async def finish(self, key: str, digest: str, result: dict[str, Any]) -> None:
        """Record the result. Once this returns, a crash does not lose it."""


class Store(Protocol):
    """Everything that outlives a turn: checkpoints, conversation locks, journal and ledger."""

    checkpointer: Any
    """A LangGraph saver. A turn does not write to it: see `soni.persistence.staged`."""

    journal: Journal
    ledger: Ledger

    def conversation(self, conversation_id: str) -> AbstractAsyncContextManager[None]:
        """Lock a conversation. Others wait for the lock; it is not re-entrant."""

    async def open(self) -> None:
        """Prepare the store for use, or raise an error that says why it cannot be."""

    async def close(self) -> None: ...

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
        """Store a held conversation's turn as a whole or not at all.

        Its checkpoint replaces the one before, its entry joins the journal as `ok`, and effects
        whose keys are `settled` leave the ledger: they can no longer be requested.
        """

    async def forget(
        self,
        conversation_id: str,
        *,
        turn: int,
        at: float,
        message_id: str | None = None,
        data: dict[str, Any] | None = None,
    ) -> JournalEntry:
        """Delete a held conversation's checkpoint and effects. The journal stays: `reset`."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
