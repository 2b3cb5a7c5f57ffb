"""Streams: events as the lines of a server-sent stream."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from soni.runtime.turn import Event
from soni.server.conversations import Conversations, EventId, describe_event
from soni.server.models import DeskChange, SpokenMessage
from soni.server.problems import explain_error
from soni.server.subjects import Subject

T = TypeVar("T")

EVENT_STREAM: Final = "text/event-stream"
STREAM_HEADERS: Final = {"x-accel-buffering": "no"}
"""A proxy must not keep events until there are more of them."""

BEAT_SECONDS: Final = 15.0
"""How often a stream gives a sign of life, so that proxies keep it open, and looks whether its
reader still may read."""


def encode_event(name: str, data: Any, event_id: str | None = None) -> str:
    """One event. JSON has no line breaks, so nothing that was said can look like another event."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def stream_turn(events: AsyncGenerator[Event, None]) -> AsyncIterator[str]:
    """The events of one turn; an error is one of them."""
    try:
        async for event in events:
            name, data = describe_event(event)
            yield encode_event(name, data)
    except Exception as error:
        yield encode_event("error", explain_error(error).body)
    finally:
        await events.aclose()


def parse_event_id(event_id: str | None) -> EventId | None:
    """The message that a client has seen last, by the header `Last-Event-ID`."""
    found = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", event_id or "")
    return (int(found[1]), int(found[2])) if found else None


async def stream_conversation(
    talks: Conversations,
    caller: Subject,
    conversation_id: str,
    after: EventId | None,
    is_allowed: Callable[[], Awaitable[bool]],
) -> AsyncGenerator[str, None]:
    """Everything said in a conversation from now on, until the client leaves or loses its right.

    The first line tells at once that the stream stands.
    """
    with talks.connections.enter(caller.id):
        async with talks.follow(conversation_id, after) as messages:
            yield ": listening\n\n"
            async for message in with_beats(messages, talks.stopping):
                if message is None:
                    if not await is_allowed():
                        break
                    yield ": still here\n\n"
                elif isinstance(message, DeskChange):
                    yield encode_event("desk", message.model_dump(mode="json"))
                elif isinstance(message, SpokenMessage):
                    data = message.model_dump(mode="json", exclude_none=True)
                    yield encode_event("message", data, message.id)


async def with_beats(
    messages: AsyncIterator[T | None], stopping: asyncio.Event
) -> AsyncIterator[T | None]:
    """The messages until the server stops, and None every `BEAT_SECONDS`, whatever comes between.

    What the source yields as None tells nobody anything, and puts no beat off.
    """
    now = asyncio.get_running_loop().time
    stop = asyncio.ensure_future(stopping.wait())
    coming = asyncio.ensure_future(anext(messages))
    try:
        next_beat = now() + BEAT_SECONDS
        while not stopping.is_set():
            await asyncio.wait(
                {coming, stop},
                timeout=max(0.0, next_beat - now()),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if now() >= next_beat:
                # Before the message: who may not read any more does not read this one either.
                yield None
                next_beat = now() + BEAT_SECONDS
            if not coming.done():
                continue
            if (message := coming.result()) is not None:
                yield message
            coming = asyncio.ensure_future(anext(messages))
    finally:
        for task in (coming, stop):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
