"""What is stored about a person: to be shown, to be erased, and not to be kept too long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import structlog

from soni.core.masking import mask_slots
from soni.core.storage import JournalEntry, Removal, Store
from soni.persistence.journal import EntryHead, reseal_entries

if TYPE_CHECKING:
    from soni.runtime.engine import Engine

_PAGE_SIZE: Final = 200
_TOLD: Final = (
    "language", "context", "message", "replies", "actions", "slots", "conversation_slots", "error"
)  # fmt: skip
"""What an export tells of a turn."""


class PersonalData:
    """What a runtime does with the data of a person."""

    _engine: Engine

    async def erase(self, user_id: str) -> Removal:
        """Remove a person from the store; how much was removed, nothing if nobody is known.

        A turn under way is waited for. Conversations with other people keep what these said.
        """
        await self._engine.open()
        return await erase_person(self._engine.store, user_id, at=self._engine.now())

    async def export(self, user_id: str) -> dict[str, Any]:
        """Everything that is stored about a person, as plain JSON. Sensitive values are masked."""
        await self._engine.open()
        is_sensitive = self._engine.assistant.is_sensitive
        return await export_person(self._engine.store, user_id, is_sensitive)

    async def apply_retention(self) -> Removal:
        """Remove what is older than `settings.persistence.retention`. Call it from time to time."""
        kept = self._engine.assistant.config.settings.persistence.retention
        if kept is None:
            return Removal()
        await self._engine.open()
        return await remove_older(self._engine.store, self._engine.now() - kept)


@dataclass
class Part:
    """A person's part in one conversation."""

    conversation_id: str
    own: list[JournalEntry] = field(default_factory=list)
    others: list[JournalEntry] = field(default_factory=list)
    is_shared: bool = False
    """Somebody else has written in it."""

    @property
    def removed(self) -> int:
        """How many entries an erasure takes away or empties."""
        return len(self.own) + (0 if self.is_shared else len(self.others))


async def find_parts(store: Store, user_id: str) -> list[Part]:
    """The conversations that a person took part in."""
    return [
        part
        async for conversation_id in _iter_conversation_ids(store, user_id)
        if _concerns(part := await _read_part(store, conversation_id, user_id), user_id)
    ]


def _concerns(part: Part, user_id: str) -> bool:
    # A conversation may by chance have the id of somebody who never wrote in it.
    return bool(part.own) or not part.is_shared


async def _iter_conversation_ids(store: Store, user_id: str) -> AsyncIterator[str]:
    seen, after = False, None
    while page := await store.directory.list_conversations(
        user_id=user_id, after=after, limit=_PAGE_SIZE
    ):
        for record in page:
            seen |= record.conversation_id == user_id
            yield record.conversation_id
        after = page[-1].conversation_id
    # Most often the conversation has the id of its user, and no turn of it need have succeeded.
    if not seen and (
        await store.directory.find(user_id)
        or await store.journal.entries(user_id, limit=1)
        or await store.inbox.list_waiting(user_id)
    ):
        yield user_id


async def _read_part(store: Store, conversation_id: str, user_id: str) -> Part:
    part, after = Part(conversation_id), 0
    while page := await store.journal.entries(conversation_id, after=after, limit=_PAGE_SIZE):
        for entry in page:
            writer = entry.data.get("user_id")
            if writer == user_id or user_id in entry.copied_users:
                part.own.append(entry)
                continue
            part.others.append(entry)
            # Under the conversation's own id the application writes.
            part.is_shared |= writer not in (None, conversation_id)
        after = page[-1].seq
    return part


async def erase_person(
    store: Store, user_id: str, *, at: float, new_id: Callable[[], str] = lambda: uuid4().hex
) -> Removal:
    """Remove a person from a store; an entry without words and names says that it was done."""
    removed = Removal()
    for known in await find_parts(store, user_id):
        async with store.conversation(known.conversation_id):
            # Read again: a turn may have ended while the conversation was waited for.
            part = await _read_part(store, known.conversation_id, user_id)
            remains = _make_remains(part, user_id, at, f"erased-{new_id()}")
            taken = await store.erase(part.conversation_id, remains)
            # Of entries that were only sealed anew nothing was removed.
            removed += replace(taken, entries=part.removed)
    structlog.get_logger().info("person_erased", conversations=removed.conversations)
    return removed


def _make_remains(part: Part, user_id: str, at: float, pseudonym: str) -> list[JournalEntry]:
    """The chain that takes the place of a journal.

    All hashes are made anew: a hash of what was erased would let anybody check a guess at it.
    """
    if not part.is_shared:
        note = {"erased_at": at, "entries": part.removed}
        return reseal_entries([(EntryHead(pseudonym, 0, None, at, "erased"), note)])
    erased = {entry.seq for entry in part.own}
    name = pseudonym if part.conversation_id == user_id else part.conversation_id
    return reseal_entries(
        (EntryHead(name, entry.turn, None, entry.at, "erased"), {"erased_at": at})
        if entry.seq in erased
        else (EntryHead(name, entry.turn, entry.message_id, entry.at, entry.status), entry.data)
        for entry in sorted((*part.own, *part.others), key=lambda entry: entry.seq)
    )


async def export_person(
    store: Store, user_id: str, is_sensitive: Callable[[str], bool]
) -> dict[str, Any]:
    """Everything that a store has about a person, as plain JSON."""
    parts = await find_parts(store, user_id)
    return {
        "user_id": user_id,
        "conversations": [
            {
                "conversation_id": part.conversation_id,
                "shared": part.is_shared,
                "state": None if part.is_shared else await _tell_state(store, part, is_sensitive),
                "turns": [_tell_turn(entry) for entry in _list_told(part)],
                "waiting_messages": [] if part.is_shared else await _tell_waiting(store, part),
                "effects": [] if part.is_shared else await _tell_effects(store, part),
            }
            for part in parts
        ],
    }


def _list_told(part: Part) -> list[JournalEntry]:
    """The person's entries, and what the application did where nobody else is."""
    told = part.own if part.is_shared else [*part.own, *part.others]
    return sorted(told, key=lambda entry: entry.seq)


def _tell_turn(entry: JournalEntry) -> dict[str, Any]:
    about = {name: entry.data[name] for name in _TOLD if entry.data.get(name)}
    at = _tell_time(entry.at)
    return {"turn": entry.turn, "at": at, "status": entry.status, **about}


async def _tell_state(
    store: Store, part: Part, is_sensitive: Callable[[str], bool]
) -> dict[str, Any] | None:
    place = {"configurable": {"thread_id": part.conversation_id, "checkpoint_ns": ""}}
    stored = await store.checkpointer.aget_tuple(place)
    if stored is None:
        return None
    state = stored.checkpoint["channel_values"]
    return {
        "conversation_slots": mask_slots(state.get("conversation_slots", {}), is_sensitive),
        "open_flows": [
            {
                "flow": flow["flow_name"],
                "slots": mask_slots(state["flow_slots"].get(flow["flow_id"], {}), is_sensitive),
            }
            for flow in state.get("flow_stack", [])
        ],
        "messages": [
            {"by": each.name or each.type, "text": each.text} for each in state.get("messages", [])
        ],
    }


async def _tell_waiting(store: Store, part: Part) -> list[dict[str, str]]:
    waiting = await store.inbox.list_waiting(part.conversation_id)
    return [{"message_id": each.message_id, "text": each.text} for each in waiting]


async def _tell_effects(store: Store, part: Part) -> list[dict[str, str]]:
    """Actions that have begun in turns that were not stored. What they returned is not told:
    nobody has marked secrets in it yet."""
    return [
        {"action": each.action, "begun_at": _tell_time(each.begun_at), "state": each.state}
        for each in await store.ledger.list_effects(part.conversation_id)
    ]


def _tell_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


async def remove_older(store: Store, before: float) -> Removal:
    """Remove what is older than that, in small transactions."""
    removed = Removal()
    while taken := await store.prune(before=before):
        removed += taken
        await asyncio.sleep(0)  # messages come first
    return removed
