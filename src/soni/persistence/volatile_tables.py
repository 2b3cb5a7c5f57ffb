"""What a store keeps beside checkpoints, in memory: journal, ledger, inbox, directory, versions."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Literal

from soni.core.storage import (
    ConversationRecord,
    Effect,
    JournalEntry,
    Lease,
    Overview,
    Receipt,
    Settled,
    TurnEntry,
    WaitingMessage,
    is_always_settled,
)
from soni.core.storage_errors import make_not_begun_error
from soni.persistence.journal import encode_canonical, list_users, make_head, seal_entry
from soni.persistence.locks import ConversationLocks


class VolatileInbox:
    """Receipts per conversation."""

    def __init__(self, journal: "VolatileJournal") -> None:
        self._journal = journal
        self._receipts: dict[str, dict[str, Receipt]] = {}
        self._texts: dict[tuple[str, str], str] = {}
        self._received: dict[tuple[str, str], float] = {}
        self._entries: dict[tuple[str, str], JournalEntry] = {}
        journal.inbox = self

    async def receive(
        self, conversation_id: str, message_id: str, *, text: str = "", at: float = 0.0
    ) -> Receipt:
        known = self._receipts.setdefault(conversation_id, {})
        if (before := known.get(message_id)) is not None:
            return replace(before, repeated=True)
        known[message_id] = Receipt(message_id, "waiting")
        self._received[conversation_id, message_id] = at
        self._texts[conversation_id, message_id] = text
        return known[message_id]

    async def find_entry(self, conversation_id: str, message_id: str) -> JournalEntry | None:
        return self._entries.get((conversation_id, message_id))

    async def list_waiting(self, conversation_id: str) -> list[WaitingMessage]:
        return [
            WaitingMessage(receipt.message_id, self._texts[conversation_id, receipt.message_id])
            for receipt in self._receipts.get(conversation_id, {}).values()
            if receipt.state == "waiting"
        ]

    def close_messages(self, entry: JournalEntry, message_ids: Sequence[str]) -> None:
        """Mark the messages of a turn as handled or failed."""
        state: Literal["handled", "failed"] = "handled" if entry.status == "ok" else "failed"
        known = self._receipts.setdefault(entry.conversation_id, {})
        for message_id in message_ids:
            known[message_id] = Receipt(message_id, state)
            self._received.setdefault((entry.conversation_id, message_id), entry.at)
            self._texts.pop((entry.conversation_id, message_id), None)
            if state == "handled":
                self._entries[entry.conversation_id, message_id] = entry

    def has_messages(self, conversation_id: str) -> bool:
        """Whether there is any of a conversation."""
        return bool(self._receipts.get(conversation_id))

    def clear_messages(self, conversation_id: str) -> int:
        """Forget all messages of a conversation; how many."""
        known = list(self._receipts.get(conversation_id, ()))
        for message_id in known:
            self._drop_message(conversation_id, message_id)
        return len(known)

    def drop_old_messages(self, before: float, limit: int) -> int:
        """Forget messages that were received before."""
        old = [place for place, at in self._received.items() if at < before][:limit]
        for place in old:
            self._drop_message(*place)
        return len(old)

    def _drop_message(self, conversation_id: str, message_id: str) -> None:
        place = conversation_id, message_id
        del self._receipts[conversation_id][message_id]
        if not self._receipts[conversation_id]:
            del self._receipts[conversation_id]
        for kept in (self._texts, self._entries, self._received):
            kept.pop(place, None)


class VolatileJournal:
    """Entries in a list per conversation."""

    inbox: VolatileInbox
    directory: "VolatileDirectory"

    def __init__(self, locks: ConversationLocks) -> None:
        self._locks = locks
        self._entries: dict[str, list[JournalEntry]] = {}

    async def entries(
        self, conversation_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[JournalEntry]:
        kept = self._entries.get(conversation_id, [])
        first = next((at for at, each in enumerate(kept) if each.seq > after), len(kept))
        return kept[first : None if limit is None else first + limit]

    async def append(
        self, conversation_id: str, entry: TurnEntry, status: str = "failed"
    ) -> JournalEntry:
        self._locks.require_lease(conversation_id)
        return self.add_entry(conversation_id, entry, status)

    def add_entry(self, conversation_id: str, entry: TurnEntry, status: str) -> JournalEntry:
        """Write the next entry, and close the messages that it answers."""
        before = self._entries.get(conversation_id, [])
        last = (before[-1].seq, before[-1].hash) if before else (0, "")
        sealed = seal_entry(
            last, make_head(conversation_id, entry, status), encode_canonical(entry.data)
        )
        self._entries.setdefault(conversation_id, []).append(sealed)
        self.inbox.close_messages(sealed, entry.message_ids)
        for user_id in entry.user_ids:
            self.directory.note_user(conversation_id, user_id)
        return sealed

    def replace_entries(self, conversation_id: str, remains: Sequence[JournalEntry]) -> int:
        """Put other entries in the place of all those of a conversation; how many it had."""
        count = len(self._entries.pop(conversation_id, ()))
        for entry in remains:
            self._entries.setdefault(entry.conversation_id, []).append(entry)
        return count

    def drop_old_entries(self, before: float, limit: int) -> int:
        """Drop the first entries of journals as far as they are old."""
        dropped = 0
        for name, entries in list(self._entries.items()):
            if len(entries) == 1 and entries[0].status == "erased":
                continue
            old = list(takewhile(lambda each: each.at < before, entries))
            kept = entries[len(old[: limit - dropped]) :]
            dropped += len(entries) - len(kept)
            self._entries[name] = kept
            if not kept:
                del self._entries[name]
        return dropped

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

    def __init__(self, locks: ConversationLocks) -> None:
        self._locks = locks
        self._effects: dict[tuple[str, str], Effect] = {}
        self._settled: set[tuple[str, str]] = set()

    async def begin(
        self, key: str, digest: str, conversation_id: str, *, action: str = ""
    ) -> Effect | None:
        self._locks.require_lease(conversation_id)
        known = self._effects.get((key, digest))
        if known is None:
            begun = Effect(key, digest, "begun", None, conversation_id, action, time.time())
            self._effects[key, digest] = begun
        return known

    async def finish(
        self, key: str, digest: str, conversation_id: str, result: dict[str, Any]
    ) -> None:
        self._locks.require_lease(conversation_id)
        self._record_result(key, digest, result)

    async def list_unknown(self, *, begun_before: float, limit: int = 1000) -> list[Effect]:
        unknown = [
            effect
            for place, effect in self._effects.items()
            if effect.state == "begun"
            and (place in self._settled or effect.begun_at < begun_before)
        ]
        return sorted(unknown, key=lambda effect: effect.begun_at)[:limit]

    async def list_effects(self, conversation_id: str) -> list[Effect]:
        kept = [each for each in self._effects.values() if each.conversation_id == conversation_id]
        return sorted(kept, key=lambda effect: effect.begun_at)

    async def resolve(self, key: str, digest: str, result: dict[str, Any]) -> bool:
        known = self._effects.get((key, digest))
        if known is None or known.state != "begun":
            return False
        self._record_result(key, digest, result)
        return True

    def clear_effects(self, conversation_id: str, settled: Settled = is_always_settled) -> None:
        """Forget the settled effects of a conversation whose outcome is known."""
        for place, effect in list(self._effects.items()):
            if effect.conversation_id != conversation_id or not settled(effect.key):
                continue
            if effect.state == "finished" and place not in self._settled:
                del self._effects[place]
            else:
                self._settled.add(place)

    def has_effects(self, conversation_id: str) -> bool:
        """Whether there is any of a conversation."""
        return any(each.conversation_id == conversation_id for each in self._effects.values())

    def drop_effects(self, unwanted: Callable[[Effect], bool], limit: int | None = None) -> int:
        """Drop effects whatever is known of them; how many."""
        found = [place for place, effect in self._effects.items() if unwanted(effect)][:limit]
        for place in found:
            del self._effects[place]
            self._settled.discard(place)
        return len(found)

    def _record_result(self, key: str, digest: str, result: dict[str, Any]) -> None:
        if (key, digest) not in self._effects:
            raise make_not_begun_error(key)
        plain = json.loads(encode_canonical(result))
        begun = self._effects[key, digest]
        self._effects[key, digest] = replace(begun, state="finished", result=plain)


class VolatileDirectory:
    """Records by id."""

    def __init__(self) -> None:
        self._records: dict[str, ConversationRecord] = {}
        self._tokens: dict[str, int] = {}
        self._users: dict[str, set[str]] = {}
        self._next_life = 0

    async def find(self, conversation_id: str) -> ConversationRecord | None:
        return self._records.get(conversation_id)

    async def register(self, conversation_id: str, user_id: str, *, at: float) -> bool:
        if conversation_id in self._records:
            return False
        self._records[conversation_id] = ConversationRecord(
            conversation_id, user_id, self._next_life, at
        )
        self.note_user(conversation_id, user_id)
        return True

    async def count_conversations(self, user_id: str) -> int:
        return sum(user_id in users for users in self._users.values())

    async def list_conversations(
        self,
        *,
        user_id: str | None = None,
        due_before: float | None = None,
        version: str | None = None,
        handed_off: bool = False,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[ConversationRecord]:
        found = [
            record
            for name, record in sorted(self._records.items())
            if (after is None or name > after)
            and (user_id is None or user_id in self._users.get(name, ()))
            and (version is None or version in record.versions)
            and (not handed_off or record.handed_off_at is not None)
            and (due_before is None or (record.due_at is not None and record.due_at <= due_before))
        ]
        return found[:limit]

    def take_lease(self, conversation_id: str) -> Lease:
        """The lease of the next holder."""
        fresh = ConversationRecord(conversation_id, life=self._next_life)
        record = self._records.setdefault(conversation_id, fresh)
        token = self._tokens[conversation_id] = self._tokens.get(conversation_id, 0) + 1
        return Lease(conversation_id, token, record.life)

    def update_record(self, conversation_id: str, entry: TurnEntry, *, reset: bool = False) -> None:
        """Note what a turn says of its conversation."""
        before = self._records[conversation_id]
        self._records[conversation_id] = replace(
            before,
            user_id=entry.user_id or before.user_id,
            life=before.life + reset,
            last_at=entry.at,
            due_at=entry.due_at,
            versions=entry.versions,
            handed_off_at=entry.handed_off_at,
        )

    def note_user(self, conversation_id: str, user_id: str | None) -> None:
        """Note that somebody takes part."""
        if user_id is not None:
            self._users.setdefault(conversation_id, set()).add(user_id)

    def drop_record(self, conversation_id: str) -> int:
        """Forget a conversation, but never give its life again."""
        record = self._records.pop(conversation_id, None)
        self._users.pop(conversation_id, None)
        self._tokens.pop(conversation_id, None)
        if record is None:
            return 0
        self._next_life = max(self._next_life, record.life + 1)
        return 1

    def restore_record(self, conversation_id: str, entries: Sequence[JournalEntry]) -> None:
        """Note a conversation of which only some entries remain."""
        users = list_users(entries)
        if users:
            self._records[conversation_id] = ConversationRecord(
                conversation_id, users[-1], self._next_life, entries[-1].at
            )
            self._users[conversation_id] = set(users)

    def list_idle(self, before: float) -> list[str]:
        """Conversations whose last turn ended before, or that never had one."""
        return [
            name
            for name, record in self._records.items()
            if record.last_at is None or record.last_at < before
        ]

    def list_versions(self) -> set[str]:
        """The flows that some conversation needs."""
        return {name for record in self._records.values() for name in record.versions}


class VolatileVersions:
    """Flows by fingerprint."""

    def __init__(self, directory: VolatileDirectory) -> None:
        self._directory = directory
        self._contents: dict[str, dict[str, Any]] = {}

    async def save(self, fingerprint: str, content: dict[str, Any]) -> None:
        self._contents.setdefault(fingerprint, content)

    async def load(self, fingerprint: str) -> dict[str, Any] | None:
        return self._contents.get(fingerprint)

    async def list_fingerprints(self) -> list[str]:
        return list(self._contents)

    async def prune(self, *, keep: Sequence[str] = ()) -> list[str]:
        needed = {*keep, *self._directory.list_versions()}
        dropped = [name for name in self._contents if name not in needed]
        for name in dropped:
            del self._contents[name]
        return dropped
