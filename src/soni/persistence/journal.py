"""The hash chain of journal entries: sealing an entry and verifying a chain."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from soni.core.storage import JournalEntry, JournalError

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


def seal_entry(
    last: tuple[int, str],
    conversation_id: str,
    *,
    turn: int,
    message_id: str | None,
    at: float,
    status: str,
    text: str,
) -> JournalEntry:
    """The entry that follows `last` (its number and hash; `(0, "")` if there is none).

    `text` is the canonical JSON of the entry's data.
    """
    seq, prev_hash = last[0] + 1, last[1]
    head = encode_canonical([conversation_id, seq, turn, message_id, float(at), status])
    return JournalEntry(
        conversation_id=conversation_id,
        seq=seq,
        turn=turn,
        message_id=message_id,
        at=float(at),
        status=status,
        data=json.loads(text),
        prev_hash=prev_hash,
        hash=sha256(f"{prev_hash}{head}{text}".encode()).hexdigest(),
    )


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
        expected = seal_entry(
            last,
            entry.conversation_id,
            turn=entry.turn,
            message_id=entry.message_id,
            at=entry.at,
            status=entry.status,
            text=encode_canonical(entry.data),
        )
        if expected != entry or (before and before.conversation_id != entry.conversation_id):
            raise JournalError(
                f"Journal of conversation '{entry.conversation_id}', entry {entry.seq}: it was "
                "changed, or one before it is missing. Do not rely on what follows; compare it "
                "with a backup."
            )
        before = entry
