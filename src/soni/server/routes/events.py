"""Events: what is said in a conversation, as it is said, by whomever."""

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Header, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from pydantic import ValidationError

from soni.server.access import Caller, ConversationId, Talks, identify_subject
from soni.server.conversations import Conversations, describe_event
from soni.server.models import MessageRequest
from soni.server.problems import ApiProblem, describe_problems, explain_error
from soni.server.streams import (
    EVENT_STREAM,
    STREAM_HEADERS,
    parse_event_id,
    stream_conversation,
    with_beats,
)
from soni.server.subjects import Subject

PROTOCOL = "soni"
GOING_AWAY = 1001


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
            "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
        },
    },
)
async def follow_conversation(
    conversation_id: ConversationId,
    caller: Caller,
    talks: Talks,
    last_event_id: Annotated[str | None, Header(max_length=50)] = None,
) -> StreamingResponse:
    """Everything said from now on. With `Last-Event-ID` it goes on where it broke."""
    await talks.require(caller, conversation_id, "read")
    after = parse_event_id(last_event_id)
    stream = stream_conversation(talks, caller, conversation_id, after)
    # The gate of connections is passed before the response begins.
    first = await anext(stream)

    async def iter_all() -> Any:
        yield first
        async for line in stream:
            yield line

    return StreamingResponse(iter_all(), media_type=EVENT_STREAM, headers=STREAM_HEADERS)


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

    async def run(self) -> None:
        """Talk until the client leaves."""
        following = asyncio.create_task(self._follow())
        try:
            while True:
                await self._answer(await self._socket.receive_text())
        except (WebSocketDisconnect, KeyError):
            pass  # it is gone, or it sent bytes
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await following

    async def _follow(self) -> None:
        talks = self._talks
        async with talks.follow(self._conversation_id, None) as messages:
            async for message in with_beats(messages, talks.stopping):
                if message is not None:
                    said = message.model_dump(mode="json", exclude_none=True)
                    await self._send("said", said)
        await self._socket.close(GOING_AWAY)

    async def _answer(self, text: str) -> None:
        try:
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
