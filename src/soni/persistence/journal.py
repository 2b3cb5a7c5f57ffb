"""The hash chain of journal entries: sealing an entry and verifying a chain."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from soni.core.storage import JournalEntry, TurnEntry
from soni.core.storage_errors import JournalError

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def encode_canonical(data: Any) -> str:
    """Canonical JSON. ASCII only, so that lone surrogates survive.

    Keys keep their order, because a replay writes slots in the order in which they were said.
    """
    try:
        return _encode(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalError(
            f"Only plain JSON data can be recorded: {error}. "
            "Turn the value into text, a number, a list or a mapping first."
        ) from error


class EntryHead(NamedTuple):
    """What an entry says beside its data and its place in the chain."""

    conversation_id: str
    turn: int
    message_id: str | None
    at: float
    status: str


def make_head(conversation_id: str, entry: TurnEntry, status: str) -> EntryHead:
    """The head of a turn's entry."""
    return EntryHead(conversation_id, entry.turn, entry.message_id, entry.at, status)


def seal_entry(last: tuple[int, str], head: EntryHead, text: str) -> JournalEntry:
    """The entry that follows `last` (its number and hash; `(0, "")` if there is none).

    `text` is the canonical JSON of the entry's data.
    """
    conversation_id, turn, message_id, at, status = head
    number, prev_hash = last
    sealed = (conversation_id, number + 1, turn, message_id, float(at), status)
    chain = f"{prev_hash}{encode_canonical(sealed)}{text}"
    digest = sha256(chain.encode()).hexdigest()
    return JournalEntry(*sealed, json.loads(text), prev_hash, digest)


def reseal_entries(entries: Iterable[tuple[EntryHead, dict[str, Any]]]) -> list[JournalEntry]:
    """A chain of its own made of entries that were in another."""
    chain: list[JournalEntry] = []
    for head, data in entries:
        last = (chain[-1].seq, chain[-1].hash) if chain else (0, "")
        chain.append(seal_entry(last, head, encode_canonical(data)))
    return chain


def list_users(entries: Iterable[JournalEntry]) -> list[str]:
    """Whom entries name, whoever was there last at the end."""
    named = (entry.data.get("user_id") for entry in entries)
    return list(reversed(dict.fromkeys(reversed([user for user in named if user]))))


def verify_chain(entries: Iterable[JournalEntry]) -> None:
    """Raise `JournalError` at the first entry that was changed.

    `entries` are consecutive ones of one conversation; they may start later than the first.
    """
    before: JournalEntry | None = None
    for entry in entries:
        if before is not None:
            last = (before.seq, before.hash)
        else:
            last = (entry.seq - 1, entry.prev_hash if entry.seq > 1 else "")
        head = EntryHead(
            entry.conversation_id, entry.turn, entry.message_id, entry.at, entry.status
        )
        expected = seal_entry(last, head, encode_canonical(entry.data))
        if expected != entry or (before and before.conversation_id != entry.conversation_id):
            raise JournalError(
                f"Journal of conversation '{entry.conversation_id}', entry {entry.seq}: it was "
                "changed, or one before it is missing. Do not rely on what follows; compare it "
                "with a backup."
            )
        before = entry
