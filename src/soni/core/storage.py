"""The protocols of a store, and its records."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import astuple, dataclass, field
from typing import Any, Literal, Protocol, Self

from soni.core.directory import ConversationRecord as ConversationRecord
from soni.core.directory import Directory
from soni.core.jobs import JobQueue
from soni.core.service_storage import AccessKeys, Counters, Feed
from soni.core.staged import StagedCheckpoint as StagedCheckpoint
from soni.core.staged import StagedTurn as StagedTurn
from soni.core.staged import StagedWrites as StagedWrites
from soni.core.storage_errors import make_unable_error


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to change a conversation, until another process takes it over."""

    conversation_id: str
    token: int
    """Fencing token: greater than that of every holder before."""

    life: int
    """Greater than that of every conversation that had this id before: one that was reset, erased
    or pruned. 0 if there was none."""


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
    """`ok`, `failed`, `reset` or `erased`."""

    data: dict[str, Any]
    """Plain JSON."""

    prev_hash: str
    """The hash of the entry before; empty for the first."""

    hash: str

    @property
    def copied_users(self) -> list[str]:
        """Whose words the fork was made of that the entry belongs to; none: it is of no fork."""
        facts = self.data.get("facts")
        origin = facts.get("forked_from") if isinstance(facts, dict) else None
        users = origin.get("user_ids") if isinstance(origin, dict) else None
        return [str(user) for user in users] if isinstance(users, list) else []


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """What a turn records beside its checkpoints."""

    turn: int
    at: float
    data: dict[str, Any]
    message_id: str | None = None
    joined: tuple[str, ...] = ()
    """Ids of further messages that this turn handled."""

    user_id: str | None = None
    concerns: tuple[str, ...] = ()
    """Further people whose words the conversation holds: they take part in it, too."""

    due_at: float | None = None
    """When the conversation should be looked at even if nobody writes; None: never."""

    handed_off_at: float | None = None
    """Since when the conversation is with a person, or waits for one; None: it does not."""

    versions: tuple[str, ...] = ()
    """Fingerprints of the flows that open tasks run on."""

    purge: bool = False
    """A sensitive value was stored before and is not any more: as soon as may be, nothing of it
    should be readable in the store's files."""

    @property
    def user_ids(self) -> tuple[str, ...]:
        """Everybody who takes part."""
        return self.concerns if self.user_id is None else (self.user_id, *self.concerns)

    @property
    def message_ids(self) -> tuple[str, ...]:
        """All messages that this turn handled."""
        return self.joined if self.message_id is None else (self.message_id, *self.joined)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the inbox knows of a message."""

    message_id: str
    state: Literal["waiting", "handled", "failed"]
    repeated: bool = False
    """The message had been received before."""


@dataclass(frozen=True, slots=True)
class WaitingMessage:
    """A message that was received and not handled yet."""

    message_id: str
    text: str


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
    conversation_id: str = field(default="", compare=False)
    action: str = field(default="", compare=False)
    begun_at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Removal:
    """How much was removed from a store."""

    conversations: int = 0
    states: int = 0
    entries: int = 0
    messages: int = 0
    effects: int = 0
    jobs: int = 0

    def __add__(self, other: "Removal") -> "Removal":
        return Removal(
            *(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True))
        )

    def __bool__(self) -> bool:
        return any(astuple(self))


class Journal(Protocol):
    """The append-only record of every turn."""

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        """Entries in order, from the one that follows `after`."""

    async def append(
        self, conversation_id: str, entry: TurnEntry, status: str = "failed"
    ) -> JournalEntry:
        """Write the entry of a turn that commits nothing, for a conversation that is held.

        The inbox marks the messages of the entry as failed, so that they may be sent again.
        """

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
    """The effects of actions in uncommitted turns, so that no action runs twice.

    Whoever begins or finishes an effect must hold its conversation. This is checked in the
    transaction that writes, so that a process that was stalled too long cannot begin anything.
    """

    async def begin(
        self, key: str, digest: str, conversation_id: str, *, action: str = ""
    ) -> Effect | None:
        """Record the start of an effect. Returns what is already known of it, or None."""

    async def finish(
        self, key: str, digest: str, conversation_id: str, result: dict[str, Any]
    ) -> None:
        """Record the result. Once this returns, a crash does not lose it.

        A holder that was fenced gets `FencedError`, but the result of its own effect is kept:
        the outcome is no longer unknown.
        """

    async def list_unknown(self, *, begun_before: float, limit: int = 1000) -> list[Effect]:
        """Effects whose outcome nobody knows, oldest first.

        Their turn is over without a result, or they were begun before that time.
        """

    async def list_effects(self, conversation_id: str) -> list[Effect]:
        """All effects of a conversation that are kept, oldest first.

        Beside those of an uncommitted turn these are the unknown ones, and those whose result
        came after their turn was over.
        """

    async def resolve(self, key: str, digest: str, result: dict[str, Any]) -> bool:
        """Record the outcome of an effect that was unknown; False if it is not unknown."""


class Inbox(Protocol):
    """The messages that came with an id, within the present life of their conversation."""

    async def receive(
        self, conversation_id: str, message_id: str, *, text: str = "", at: float = 0.0
    ) -> Receipt:
        """Record a message before anything runs. The conversation need not be held."""

    async def find_entry(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        """The entry of the turn that handled the message; None if none has."""

    async def list_waiting(self, conversation_id: str) -> list[WaitingMessage]:
        """Messages that were received and neither handled nor failed, in order of arrival."""


class VersionArchive(Protocol):
    """The flows as they were, for the conversations that still need them."""

    async def save(self, fingerprint: str, content: dict[str, Any]) -> None:
        """Keep the flows of that fingerprint, if they are not there yet."""

    async def load(self, fingerprint: str) -> dict[str, Any] | None:
        """The flows of that fingerprint."""

    async def list_fingerprints(self) -> list[str]:
        """All that are kept, oldest first."""

    async def prune(self, *, keep: Sequence[str] = ()) -> list[str]:
        """Delete those that no conversation names; what was deleted."""


class Cipher(Protocol):
    """Encrypts what a store writes."""

    def encrypt(self, content: bytes) -> bytes: ...

    def decrypt(self, content: bytes) -> bytes: ...

    def is_current(self, content: bytes) -> bool:
        """Whether it is encrypted with the key that `encrypt` uses."""


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """What a store is made with."""

    url: str | None = None
    lease_seconds: float = 30.0
    """How long a holder may give no sign of life before another may take its conversation."""

    cipher: Cipher | None = None
    """Encrypts states, journal data, results and waiting messages; None: they are readable."""


class Store(Protocol):
    """Everything that outlives a turn.

    What changes a conversation checks in its own transaction that the caller still holds it, and
    raises `FencedError` if not: then nothing was changed.
    """

    checkpointer: Any
    """A LangGraph saver. A turn does not write to it: see `soni.persistence.staged`."""

    journal: Journal
    ledger: Ledger
    inbox: Inbox
    directory: Directory
    versions: VersionArchive
    jobs: JobQueue
    access_keys: AccessKeys
    counters: Counters
    feed: Feed

    def conversation(
        self, conversation_id: str, *, wait: bool = True
    ) -> AbstractAsyncContextManager[Lease]:
        """Lock a conversation. It is not re-entrant.

        Others wait for it, in the order of asking; without `wait` they get `BusyError` at once.
        """

    async def open(self) -> None:
        """Prepare the store for use, or raise an error that says why it cannot be."""

    async def close(self) -> None: ...

    async def check_keys(self) -> None:
        """Raise if what was stored last cannot be read with the keys that are given.

        Otherwise new conversations would be stored beside the others in another form, or in clear.
        """
        return None

    async def commit(
        self, staged: StagedTurn, entry: TurnEntry, settled: Settled = is_always_settled
    ) -> JournalEntry:
        """Store a held conversation's turn as a whole or not at all.

        Its checkpoint replaces the one before, its entry joins the journal as `ok`, its messages
        are handled, and effects whose keys are `settled` leave the ledger, since they can no
        longer be requested. Those whose outcome is unknown stay, to be looked after.
        """

    async def forget(self, conversation_id: str, entry: TurnEntry) -> JournalEntry:
        """Begin a new life of a held conversation: delete its checkpoint, inbox and effects.

        The journal stays; the entry joins it as `reset`.
        """

    async def erase(self, conversation_id: str, remains: Sequence[JournalEntry] = ()) -> Removal:
        """Delete all of a held conversation: state, journal, inbox, effects, jobs, directory.

        In the same transaction `remains` is written: a whole chain of sealed entries that takes
        the journal's place, under the same id or another one. The users that they name still take
        part. Afterwards nothing that was deleted can be read from the store's files.
        """
        raise make_unable_error(self, "erase")

    async def prune(self, *, before: float, limit: int = 500) -> Removal:
        """Delete what is older, at most about `limit` of each kind; call it until it is nothing.

        That is: the first entries of journals, up to one that is newer (an `erased` one that is
        alone stays); messages that were received and effects that were begun before; the state
        and the record of conversations whose last turn ended before, once nothing else is left of
        them, unless somebody holds them.
        """
        raise make_unable_error(self, "prune")

    async def renew_encryption(self) -> int:
        """Encrypt anew, in small transactions, what is not encrypted with the first key.

        Texts that were stored before there was a key are encrypted too. How many values it were.
        """
        raise make_unable_error(self, "renew_encryption")

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
