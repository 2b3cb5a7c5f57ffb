"""OpenAI's form: the same turns for whatever speaks to a language model."""

from collections.abc import Callable, Coroutine
from secrets import token_hex
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from soni.server.access import Caller, Server, Talks
from soni.server.chat_completion import (
    CONVERSATION_HEADER,
    MODEL,
    ChatCompletion,
    ChatRequest,
    CompletionWriter,
    describe_error,
    read_status,
)
from soni.server.conversations import Conversations
from soni.server.models import MessageRequest, Name
from soni.server.named_conversations import derive_message_id, open_named
from soni.server.problems import (
    PROBLEMS,
    ApiProblem,
    explain_error,
    explain_http,
    explain_validation,
)
from soni.server.routes.conversations import TURN
from soni.server.streams import EVENT_STREAM
from soni.server.subjects import Subject

PREFIX = "o"
IDEMPOTENCY_HEADER = "idempotency-key"
SHOULD_RETRY_HEADER = "x-should-retry"


class OpenAiRoute(APIRoute):
    """A route whose errors have OpenAI's form, which its clients turn into exceptions."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with errors told in that form."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                problem = explain_validation(error)
            except HTTPException as error:
                problem = explain_http(error)
            except Exception as error:
                problem = explain_error(error)
            if problem.code == "turn_timeout" and IDEMPOTENCY_HEADER not in request.headers:
                # The turn goes on; without a key to know it by, a second one would be another.
                problem.headers[SHOULD_RETRY_HEADER] = "false"
            return JSONResponse(describe_error(problem), read_status(problem), problem.headers)

        return answer


class ErrorDetail(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str


class ErrorBody(BaseModel):
    """An error in OpenAI's form."""

    error: ErrorDetail


class ModelCard(BaseModel):
    """The assistant, as a model."""

    id: str = MODEL
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "soni"


class ModelList(BaseModel):
    """The models that there are."""

    object: Literal["list"] = "list"
    data: list[ModelCard]


def _describe_errors(*codes: str) -> dict[int | str, dict[str, Any]]:
    described: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status = read_status(ApiProblem(code))
        told = described.setdefault(status, {"model": ErrorBody, "description": ""})
        told["description"] += f"`{code}`: {PROBLEMS[code].title}. "
    return described


_COMMON = ("unauthenticated", "invalid_request", "too_many_requests", "internal")
_CHUNKS: dict[str, Any] = {
    "description": "The answer; with `stream`, its chunks",
    "headers": {
        CONVERSATION_HEADER: {
            "description": "The conversation, to go on with it",
            "schema": {"type": "string"},
        }
    },
    "content": {EVENT_STREAM: {"schema": {}, "example": "data: [DONE]\n\n"}},
}

router = APIRouter(prefix="/v1", tags=["openai"], route_class=OpenAiRoute)


@router.get("/models", responses=_describe_errors(*_COMMON))
async def list_models(caller: Caller) -> ModelList:
    """The assistant, as the one model that there is."""
    return ModelList(data=[ModelCard()])


@router.get("/models/{model}", responses=_describe_errors(*_COMMON, "not_found"))
async def read_model(model: Annotated[Name, Path()], caller: Caller) -> ModelCard:
    """The assistant, as a model."""
    if model != MODEL:
        raise ApiProblem("not_found", f"no such model; available: {MODEL}")
    return ModelCard()


@router.post(
    "/chat/completions",
    response_model=ChatCompletion,
    responses={**_describe_errors(*TURN, "too_many_conversations", "internal"), 200: _CHUNKS},
)
async def complete_chat(
    chat: ChatRequest,
    caller: Caller,
    talks: Talks,
    server: Server,
    response: Response,
    x_conversation_id: Annotated[Name | None, Header()] = None,
    idempotency_key: Annotated[Name | None, Header()] = None,
) -> ChatCompletion | Response:
    """Answer the newest message of the user, in the conversation that `user` names."""
    text = chat.read_newest()
    conversation_id = await _find_conversation(talks, caller, chat, x_conversation_id)
    key = idempotency_key and derive_message_id(PREFIX, idempotency_key)
    sent = MessageRequest(text=text, message_id=key)
    created, options = int(server.options.clock()), chat.stream_options
    writer = CompletionWriter(
        f"chatcmpl-{token_hex(12)}",
        created,
        chat.model,
        shows_usage=bool(options and options.include_usage),
    )
    if chat.stream:
        events = talks.stream_message(caller, conversation_id, sent)
        # What fails at once is an error of the request, not a part of the stream.
        first = await anext(events)
        return StreamingResponse(
            writer.stream_chunks(first, events),
            media_type=EVENT_STREAM,
            headers={CONVERSATION_HEADER: conversation_id},
        )
    turn = await talks.send(caller, conversation_id, sent)
    response.headers[CONVERSATION_HEADER] = conversation_id
    return writer.make_completion(turn)


async def _find_conversation(
    talks: Conversations, caller: Subject, chat: ChatRequest, named: str | None
) -> str:
    name = named or chat.user
    if name is not None:
        return await open_named(talks, caller, PREFIX, name)
    if chat.is_continued:
        raise ApiProblem(
            "invalid_request",
            "this chat goes on, but nothing says which conversation it is: "
            f"give `user`, or the header {CONVERSATION_HEADER} of the first answer",
        )
    return await talks.open(caller)
