"""The route of channels: `POST /channels/{name}`."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from soni.core.errors import InvalidInputError, SoniError
from soni.server.access import get_network
from soni.server.channels.base import RequestRefused
from soni.server.channels.exchange import ChannelExchange
from soni.server.problems import ApiProblem, explain_error

MAX_BODY_BYTES: Final = 1_000_000
"""No provider sends more; a longer body is not read."""

_PROBLEM: Final[dict[str, Any]] = {
    "application/problem+json": {
        "schema": {
            "type": "object",
            "required": ["title", "status", "code", "detail", "remedy"],
            "properties": {
                "title": {"type": "string"},
                "status": {"type": "integer"},
                "code": {"type": "string"},
                "detail": {"type": "string"},
                "remedy": {"type": "string"},
            },
        }
    }
}
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Taken; where the channel waits for it, with the answer",
        "content": {
            "text/plain": {"schema": {"type": "string"}},
            "application/xml": {
                "schema": {"type": "string"},
                "example": "<Response><Message>How much?</Message></Response>",
            },
            "application/json": {
                "schema": {"type": "object"},
                "example": {"conversation": "ann", "turn": 1, "replies": [{"text": "How much?"}]},
            },
        },
    },
    202: {
        "description": "Taken; the answer is posted later",
        "content": {
            "application/json": {"schema": {"type": "object"}, "example": {"accepted": True}}
        },
    },
    400: {"description": "The body cannot be read", "content": _PROBLEM},
    401: {"description": "The signature is wrong, or too old", "content": _PROBLEM},
    404: {"description": "There is no such channel", "content": _PROBLEM},
    413: {"description": "The body is too long", "content": _PROBLEM},
    429: {"description": "More requests than are allowed; send it later", "content": _PROBLEM},
    503: {"description": "It could not be handled now; send it again", "content": _PROBLEM},
    504: {"description": "The turn takes longer; ask again with the same id", "content": _PROBLEM},
}
_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {},
                "example": {"conversation": "ann", "text": "send money"},
            },
            "application/x-www-form-urlencoded": {
                "schema": {},
                "example": {"MessageSid": "SM1", "From": "+4917012345", "Body": "send money"},
            },
        },
    }
}


def make_router(exchange: ChannelExchange) -> APIRouter:
    """The route, to be included in an app. It needs no key: each provider signs what it posts."""
    router = APIRouter(tags=["channels"])

    @router.post(
        "/channels/{name}",
        summary="What a provider of messages posts",
        response_class=Response,
        responses=_RESPONSES,
        openapi_extra=_BODY,
    )
    async def receive_from_channel(name: str, request: Request) -> Response:
        try:
            body = await _read_body(request)
            answer = await exchange.receive(
                name, request.headers, body, str(request.url), get_network(request)
            )
        except (ApiProblem, TimeoutError) as error:
            return explain_error(error).respond()
        except SoniError as error:
            return _respond_refused(_explain_refusal(error))
        return Response(answer.body, answer.status, media_type=answer.media_type)

    return router


async def _read_body(request: Request) -> bytes:
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > MAX_BODY_BYTES:
            reason = f"the body has more than {MAX_BODY_BYTES:,} bytes"
            raise RequestRefused("body_too_long", reason, "Send a shorter one")
    return bytes(read)


def _explain_refusal(error: SoniError) -> RequestRefused:
    match error:
        case RequestRefused():
            return error
        case InvalidInputError():
            reason = "the message is not one that can be handled"
            return RequestRefused("bad_payload", reason, "Send a text that is not too long")
    # The journal says why; a stranger learns nothing.
    reason = "the message could not be handled now"
    return RequestRefused("try_again", reason, "Send it again, with the same id")


def _respond_refused(refused: RequestRefused) -> JSONResponse:
    content = {
        "type": "about:blank",
        "title": refused.code.replace("_", " "),
        "status": refused.status,
        "code": refused.code,
        "detail": refused.reason,
        "remedy": refused.remedy,
    }
    headers = {"retry-after": "5"} if refused.status == 503 else None
    return JSONResponse(content, refused.status, headers, "application/problem+json")
