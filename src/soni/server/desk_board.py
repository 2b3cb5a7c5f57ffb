"""The board of the desk: the conversations that are with people, as everybody there sees them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from soni.core.storage import ConversationRecord
from soni.core.types import DialogueState
from soni.flow.voice import make_label
from soni.server.conversations import Conversations, describe_entry
from soni.server.models import HandoffBody, HandoffChanges, LastMessage

MOST: Final = 500
"""Conversations on the board. Those who wait longest are on it."""

LOOK_SECONDS: Final = 0.3
"""How long the board waits for more news before it looks: others talk all the time."""

_LAST_ENTRIES: Final = 8
_PREVIEW: Final = 200


class DeskBoard:
    """Reads a conversation again only when it has changed."""

    def __init__(self, talks: Conversations) -> None:
        self._talks = talks
        self._read: dict[str, tuple[ConversationRecord, HandoffBody | None]] = {}
        self._reading = asyncio.Lock()

    async def list_handoffs(self) -> list[HandoffBody]:
        """Conversations that wait for a person or have one, the longest waiting first."""
        return (await self._look())[0]

    async def count(self) -> tuple[int, int]:
        """How many wait for a person, and how many have one. Beyond `MOST` all are said to wait."""
        bodies, beyond = await self._look()
        claimed = sum(body.claimed_by is not None for body in bodies)
        return len(bodies) - claimed + beyond, claimed

    async def _look(self) -> tuple[list[HandoffBody], int]:
        async with self._reading:
            directory = self._talks.runtime.store.directory
            found = await directory.list_conversations(handed_off=True)
            longest = sorted(found, key=_get_waiting_since)
            known, self._read = self._read, {}
            for record in longest[:MOST]:
                name = record.conversation_id
                before = known.get(name)
                is_same = before is not None and before[0] == record
                body = before[1] if is_same and before else await self._read_handoff(name)
                self._read[name] = (record, body)
            bodies = [body for _, body in self._read.values() if body is not None]
            return bodies, len(longest[MOST:])

    async def _read_handoff(self, conversation_id: str) -> HandoffBody | None:
        state = await self._talks.runtime.get_state(conversation_id)
        last, words = await self._find_last(conversation_id)
        body = describe_handoff(conversation_id, state, last)
        if body is not None:
            body.words = words
            body.task = self._name_task(state)
        return body

    def _name_task(self, state: DialogueState) -> str | None:
        """What is open, from the task that people began with to what it has called."""
        stack = state["flow_stack"]
        active = stack[-1] if stack else None
        names: list[str] = []
        while active is not None:
            names.insert(0, make_label(active["flow_name"]))
            caller = active["called_by"]
            active = next((flow for flow in stack if flow["flow_id"] == caller), None)
        return ": ".join(names).capitalize() or None

    async def _find_last(self, conversation_id: str) -> tuple[LastMessage | None, str | None]:
        """What was said last, and what the user said last."""
        journal, last, words = self._talks.runtime.store.journal, None, None
        newest = await self._talks.find_last_entry(conversation_id)
        # Nothing is said in the turn in which somebody takes a conversation.
        for entry in await journal.entries(conversation_id, after=max(0, newest - _LAST_ENTRIES)):
            for said in describe_entry(entry):
                last = said
                words = said.text[:_PREVIEW] if said.author == "user" else words
        if last is None:
            return None, None
        text = last.text[:_PREVIEW]
        return LastMessage(id=last.id, author=last.author, text=text, at=last.at), words

    @asynccontextmanager
    async def follow_changes(self) -> AsyncIterator[AsyncIterator[HandoffChanges | None]]:
        """What is on the board, then what changes; None from time to time."""
        feed = self._talks.runtime.store.feed
        async with feed.subscribe(None) as news:

            async def iter_changes() -> AsyncIterator[HandoffChanges | None]:
                shown: dict[str, HandoffBody] | None = None
                while True:
                    bodies = {body.conversation_id: body for body in await self.list_handoffs()}
                    before = shown or {}
                    changed = [body for name, body in bodies.items() if before.get(name) != body]
                    gone = [name for name in before if name not in bodies]
                    if shown is None or changed or gone:
                        yield HandoffChanges(changed=changed, gone=gone)
                    else:
                        yield None
                    shown = bodies
                    await news.wait(feed.poll_seconds)
                    await asyncio.sleep(LOOK_SECONDS)

            yield iter_changes()


def _get_waiting_since(record: ConversationRecord) -> tuple[float, str]:
    return record.handed_off_at or 0.0, record.conversation_id


def describe_handoff(
    conversation_id: str, state: DialogueState, last: LastMessage | None
) -> HandoffBody | None:
    """What a person is told who may take over; None: it was given back meanwhile."""
    ticket = state["metadata"].get("handoff")
    if not ticket:
        return None
    return HandoffBody(
        conversation_id=conversation_id,
        queue=ticket["queue"],
        reason=ticket["reason"],
        summary=ticket["summary"],
        slots=ticket["slots"],
        context=ticket["context"],
        at=ticket["at"],
        claimed_by=ticket.get("claimed_by"),
        claimed_name=ticket.get("claimed_name"),
        last=last,
    )
