"""Events: what is said in a conversation, as it is said, by whomever."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from pydantic import ValidationError

from soni.server.access import Caller, ConversationId, Talks, identify_subject, may_still
from soni.server.conversations import Conversations, describe_event
from soni.server.models import DeskChange, MessageRequest
from soni.server.problems import ApiProblem, describe_problems, explain_error
from soni.server.streams import (
    EVENT_STREAM,
    STREAM_HEADERS,
    parse_event_id,
    stream_conversation,
    with_beats,
)
from soni.server.subjects import Subject

PROTOCOL: Final = "soni"
GOING_AWAY: Final = 1001
WAITING_MESSAGES: Final = 8
"""Messages of one WebSocket that wait for the one before; more stay in the network."""


router = APIRouter(prefix="/api/conversations", tags=["events"])


@router.get(
    "/{conversation_id}/events",
    response_class=StreamingResponse,
    responses={
        **describe_problems(
            "unauthenticated",
            "not_found",
            "invalid_request",
            "too_many_requests",
            "too_many_connections",
            "busy",
        ),
        200: {
            "description": "Events `message`, without end",
            "content": {EVENT_STREAM: {"schema": {}}},
        },
    },
)
async def follow_conversation(
    conversation_id: ConversationId,
    caller: Caller,
    talks: Talks,
    request: Request,
    last_event_id: Annotated[str | None, Header(max_length=50)] = None,
) -> StreamingResponse:
    """Everything said from now on. With `Last-Event-ID` it goes on where it broke."""
    await talks.require(caller, conversation_id, "read")
    after = parse_event_id(last_event_id)
    stream = stream_conversation(
        talks, caller, conversation_id, after, lambda: may_still(request, conversation_id, "read")
    )
    # The gate of connections is passed before the response begins.
    first = await anext(stream)

    async def iter_lines() -> AsyncGenerator[str, None]:
        async with aclosing(stream):
            yield first
            async for line in stream:
                yield line

    return StreamingResponse(iter_lines(), media_type=EVENT_STREAM, headers=STREAM_HEADERS)


@router.websocket("/{conversation_id}/ws")
async def talk_over_websocket(
    socket: WebSocket, conversation_id: ConversationId, talks: Talks
) -> None:
    try:
        caller = await identify_subject(socket)
        await talks.require(caller, conversation_id)
        with talks.connections.enter(caller.id):
            offered = socket.headers.get("sec-websocket-protocol", "")
            await socket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
            await SocketTalk(socket, talks, caller, conversation_id).run()
    except ApiProblem as problem:
        with suppress(RuntimeError):
            await socket.send_denial_response(problem.respond())


class SocketTalk:
    """A conversation over one WebSocket: messages in, events out."""

    def __init__(
        self, socket: WebSocket, talks: Conversations, caller: Subject, conversation_id: str
    ) -> None:
        self._socket = socket
        self._talks = talks
        self._caller = caller
        self._conversation_id = conversation_id
        self._sending = asyncio.Lock()
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(WAITING_MESSAGES)

    async def run(self) -> None:
        """Talk until the client leaves, or may not talk any more."""
        parts = [self._receive(), self._answer_all(), self._follow()]
        tasks = {asyncio.create_task(part) for part in parts}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect):
                explain_error(error)
        with suppress(RuntimeError, WebSocketDisconnect):  # it is closed already
            await self._socket.close(GOING_AWAY)

    async def _receive(self) -> None:
        # Signs of life are read as well while a turn runs.
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._waiting.put(message.get("text"))

    async def _answer_all(self) -> None:
        while True:
            text = await self._waiting.get()
            try:
                self._caller = await identify_subject(self._socket)
                await self._talks.require(self._caller, self._conversation_id)
            except ApiProblem as problem:
                await self._send("error", problem.body)
                if problem.code in ("unauthenticated", "not_found"):
                    return
                continue
            await self._answer(text)

    async def _follow(self) -> None:
        talks, name = self._talks, self._conversation_id
        async with talks.follow(name, None) as messages:
            async for message in with_beats(messages, talks.stopping):
                if isinstance(message, DeskChange):
                    await self._send("desk", message.model_dump(mode="json"))
                elif message is not None:
                    said = message.model_dump(mode="json", exclude_none=True)
                    await self._send("said", said)
                elif not await may_still(self._socket, name, "own"):
                    break

    async def _answer(self, text: str | None) -> None:
        try:
            if text is None:
                raise ApiProblem("malformed_body", "bytes are not read: send text")
            sent = MessageRequest.model_validate(json.loads(text))
            events = self._talks.stream_message(self._caller, self._conversation_id, sent)
            async for event in events:
                await self._send(*describe_event(event))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5]]
            await self._send("error", ApiProblem("invalid_request", "; ".join(faults)).body)
        except (ValueError, RecursionError):
            await self._send("error", ApiProblem("malformed_body").body)
        except WebSocketDisconnect:
            raise
        except Exception as error:
            await self._send("error", explain_error(error).body)

    async def _send(self, event: str, data: Any) -> None:
        async with self._sending:
            await self._socket.send_json({"event": event, "data": data})
