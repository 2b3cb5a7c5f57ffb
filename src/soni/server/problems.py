"""Problems: what a client is told when a request cannot be served.

Each is `application/problem+json` (RFC 9457) with a code that keeps its meaning. None holds a
value of a user, nor anything of the inside.
"""

import math
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from soni.core.errors import ConfigError, InvalidInputError, NotAllowedError, SoniError
from soni.core.storage_errors import BusyError, FencedError, StorageError

MEDIA_TYPE: Final = "application/problem+json"
_MAX_PLACES: Final = 20

_log = structlog.get_logger("soni.server")


@dataclass(frozen=True)
class ProblemKind:
    """One code: its status, what it means, and what to do about it."""

    status: int
    title: str
    remedy: str


PROBLEMS: Final[Mapping[str, ProblemKind]] = {
    "invalid_request": ProblemKind(
        422, "The request is not what this route takes", "Compare it with /openapi.json"
    ),
    "malformed_body": ProblemKind(400, "The body is no JSON in UTF-8", "Send a JSON object"),
    "malformed_request": ProblemKind(
        400, "This is no request of HTTP/1.1, or its head is too large", "Use a library for HTTP"
    ),
    "unauthenticated": ProblemKind(
        401,
        "Nobody is known by these credentials",
        "Send `Authorization: Bearer` with a key of `soni keys add`, or a token",
    ),
    "forbidden": ProblemKind(
        403, "The role of these credentials may not do this", "Use a key of the role it names"
    ),
    "not_found": ProblemKind(
        404, "There is nothing here that is yours", "Open a conversation, and use its id"
    ),
    "method_not_allowed": ProblemKind(
        405, "This route does not take that method", "Use one of those in the header Allow"
    ),
    "body_timeout": ProblemKind(408, "The body took too long to arrive", "Send it faster"),
    "head_timeout": ProblemKind(
        408, "The head of the request took too long to arrive", "Send it faster"
    ),
    "not_allowed": ProblemKind(
        409, "The conversation is not one in which this can be done now", "Read its state first"
    ),
    "button_expired": ProblemKind(
        409,
        "The button belongs to an earlier question",
        "Read what is asked now, and press what is offered there",
    ),
    "development_only": ProblemKind(
        409,
        "This can only be done in development",
        "Serve the assistant on this machine with `soni serve --inspect`",
    ),
    "stale_file": ProblemKind(
        409, "The file has changed since it was read", "Read it again, and change what is there"
    ),
    "conversation_busy": ProblemKind(
        409, "The conversation is busy with another message", "Send this one after its answer"
    ),
    "body_too_large": ProblemKind(413, "The body is too large", "Send less"),
    "unsupported_media_type": ProblemKind(
        415, "The body is of another kind", "Send `Content-Type: application/json`"
    ),
    "misdirected": ProblemKind(
        421, "This server is not known by that name", "Call it localhost or by its address"
    ),
    "invalid_assistant": ProblemKind(
        409,
        "The assistant's files have problems; the one of before goes on",
        "Mend what `soni check` finds, and reload",
    ),
    "too_many_requests": ProblemKind(
        429, "More requests than are allowed", "Wait for the seconds of Retry-After"
    ),
    "too_many_conversations": ProblemKind(
        429,
        "More conversations than are allowed",
        "Go on with one of them; retention and an admin's `erase` remove old ones",
    ),
    "too_many_connections": ProblemKind(
        429, "More open connections than are allowed", "Close some"
    ),
    "turn_failed": ProblemKind(
        500, "The turn failed, and nothing was changed", "Send the message again with the same id"
    ),
    "internal": ProblemKind(500, "Something failed that should not", "Tell who runs this server"),
    "extra_missing": ProblemKind(
        501, "A part of the server is not installed", "Install the extra that it names"
    ),
    "busy": ProblemKind(
        503, "The server has more to do than it can", "Send it again after Retry-After"
    ),
    "identity_unavailable": ProblemKind(
        503, "The keys that tokens are checked with cannot be had", "Send it again with the token"
    ),
    "storage_unavailable": ProblemKind(
        503, "The store does not answer", "Send it again with the same id"
    ),
    "turn_timeout": ProblemKind(
        504,
        "The turn takes longer than a client is kept waiting; it goes on",
        "Send the message again with the same id, or read the conversation's messages",
    ),
}


class ProblemBody(BaseModel):
    """What is wrong, in the form of RFC 9457."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["There is nothing here that is yours"])
    status: int = Field(examples=[404])
    code: str = Field(examples=["not_found"], description="Keeps its meaning")
    detail: str = Field(description="The reason here", examples=["no such conversation"])
    remedy: str = Field(examples=["Open a conversation, and use its id"])


class ApiProblem(Exception):  # noqa: N818 - an answer
    """An answer other than the one that was asked for."""

    def __init__(
        self, code: str, detail: str | None = None, *, retry_after: float | None = None
    ) -> None:
        kind = PROBLEMS[code]
        super().__init__(detail or kind.title)
        self.code = code
        self.kind = kind
        self.detail = detail or kind.title
        self.headers: dict[str, str] = {}
        if retry_after is not None:
            self.headers["retry-after"] = str(max(1, math.ceil(retry_after)))
        if kind.status == HTTPStatus.UNAUTHORIZED:
            self.headers["www-authenticate"] = "Bearer"

    @property
    def body(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {
            "type": "about:blank",
            "title": self.kind.title,
            "status": self.kind.status,
            "code": self.code,
            "detail": self.detail,
            "remedy": self.kind.remedy,
        }

    @property
    def sentence(self) -> str:
        """The problem in words, for protocols that have only words for it."""
        reason = "" if self.detail == self.kind.title else f": {self.detail}"
        return f"{self.kind.title}{reason}. {self.kind.remedy}."

    def respond(self) -> JSONResponse:
        """The problem as a response."""
        return JSONResponse(self.body, self.kind.status, self.headers, MEDIA_TYPE)


def describe_problems(*codes: str) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of its problems."""
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        by_status.setdefault(PROBLEMS[code].status, []).append(code)
    schema = {"$ref": "#/components/schemas/ProblemBody"}
    return {
        status: {
            "description": "; ".join(f"`{code}`: {PROBLEMS[code].title}" for code in named),
            "content": {MEDIA_TYPE: {"schema": schema, "example": ApiProblem(named[0]).body}},
        }
        for status, named in by_status.items()
    }


def explain_error(error: Exception) -> ApiProblem:
    """The problem that an error of the runtime is to a client."""
    match error:
        case ApiProblem():
            return error
        case BusyError():
            return ApiProblem("conversation_busy", retry_after=1)
        case ConfigError():
            return ApiProblem("invalid_assistant", _clip(_list_faults(error), 2000))
        case InvalidInputError():
            return ApiProblem("invalid_request", _clip(str(error)))
        case NotAllowedError():
            return ApiProblem("not_allowed", _clip(str(error)))
        case FencedError():
            return ApiProblem("turn_failed")
        case StorageError():
            return ApiProblem("storage_unavailable", retry_after=2)
        case TimeoutError():
            return ApiProblem("turn_timeout")
        case SoniError():
            return ApiProblem("turn_failed")
    _log.error("request_failed", error=type(error).__name__, where=_list_places(error))
    return ApiProblem("internal")


def _list_places(error: Exception) -> list[str]:
    """Where it happened, innermost last. The error's own words may hold what somebody said."""
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_PLACES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


def _list_faults(error: ConfigError) -> str:
    return "; ".join(f"{each.code} {each.message}" for each in error.problems) or str(error)


def explain_validation(error: RequestValidationError) -> ApiProblem:
    """The problem that a request of another form is. Values stay out: they may be anybody's."""
    faults = error.errors()
    if isinstance(error.body, bytes):
        return ApiProblem("unsupported_media_type")
    if any(fault["type"] == "json_invalid" for fault in faults):
        return ApiProblem("malformed_body")
    told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults[:5]]
    return ApiProblem("invalid_request", _clip("; ".join(told)))


def explain_http(error: HTTPException) -> ApiProblem:
    """The problem that an error of the framework is: no such route, a body it cannot read."""
    codes = {kind.status: code for code, kind in reversed([*PROBLEMS.items()])}
    problem = ApiProblem(codes.get(error.status_code, "invalid_request"))
    problem.headers |= error.headers or {}
    return problem


def install_handlers(app: FastAPI) -> None:
    """Answer every error of the app with a problem."""

    @app.exception_handler(RequestValidationError)
    async def refuse_request(_: Request, error: RequestValidationError) -> JSONResponse:
        return explain_validation(error).respond()

    @app.exception_handler(HTTPException)
    async def refuse_http(_: Request, error: HTTPException) -> JSONResponse:
        return explain_http(error).respond()

    async def explain(_: Request, error: Exception) -> JSONResponse:
        return explain_error(error).respond()

    for kind in (ApiProblem, SoniError, TimeoutError, Exception):
        app.add_exception_handler(kind, explain)


def _clip(text: str, most: int = 400) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
