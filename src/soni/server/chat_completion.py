"""Chat completions: a turn in the form of OpenAI's API."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from soni.runtime.turn import Event, MessageEvent, PieceEvent, Turn, TurnEvent
from soni.server.models import MAX_TEXT, Name
from soni.server.problems import ApiProblem, explain_error

MODEL: Final = "soni"
_SPOKEN: Final = ("text",)
"""The parts of a message that are words."""

CONVERSATION_HEADER: Final = "x-conversation-id"


class ContentPart(BaseModel):
    """A part of a message. Of those that are no text nothing is read."""

    model_config = ConfigDict(extra="ignore")

    type: str = Field(examples=["text"])
    text: str | None = None


class ChatMessage(BaseModel):
    """One message of the chat so far."""

    model_config = ConfigDict(extra="ignore")

    role: str = Field(examples=["user"])
    content: str | list[ContentPart] | None = Field(default=None, examples=["send 50 to Bob"])

    def join_texts(self) -> str:
        """What it says."""
        if isinstance(self.content, list):
            return "\n".join(
                part.text for part in self.content if part.text and part.type in _SPOKEN
            )
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream tells beside the text."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool | None = None


class ChatRequest(BaseModel):
    """A chat. Flows decide what is answered, so `temperature`, `tools` and the like do nothing."""

    model_config = ConfigDict(extra="ignore")

    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    model: Name = Field(default=MODEL, examples=[MODEL])
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    user: Name | None = Field(
        default=None, description="The conversation, by a name of your own", examples=["ann-1"]
    )

    def read_newest(self) -> str:
        """The text of the newest message of the user: the server knows what was said before."""
        spoken = [message for message in self.messages if message.role == "user"]
        text = spoken[-1].join_texts() if spoken else ""
        if not text.strip():
            raise ApiProblem("invalid_request", "messages: the newest of role `user` has no text")
        if len(text) > MAX_TEXT:
            raise ApiProblem(
                "invalid_request", f"messages: at most {MAX_TEXT:,} characters of text"
            )
        return text

    @property
    def is_continued(self) -> bool:
        """Whether something was answered before."""
        return any(message.role == "assistant" for message in self.messages)


class TokenCounts(BaseModel):
    """What a language model has used; without one, nothing."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class CompletionMessage(BaseModel):
    """What the assistant said."""

    role: Literal["assistant"] = "assistant"
    content: str = Field(examples=["To whom?"])
    refusal: None = None


class Choice(BaseModel):
    """The one answer that there is."""

    index: Literal[0] = 0
    message: CompletionMessage
    logprobs: None = None
    finish_reason: Literal["stop"] = "stop"


class ChatCompletion(BaseModel):
    """A turn, as clients of OpenAI's API expect it."""

    id: str = Field(examples=["chatcmpl-c_Zk3v9mQ2xT7wB1nL5rYd8A-1"])
    object: Literal["chat.completion"] = "chat.completion"
    created: int = Field(examples=[1795003500])
    model: str = Field(examples=[MODEL])
    choices: list[Choice]
    usage: TokenCounts


def count_tokens(turn: Turn) -> TokenCounts:
    """The tokens of the language models that the turn asked."""
    used: dict[str, Any] = {} if turn.repeated else (turn.state["turn"].get("usage") or {})
    prompt, completion = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    return TokenCounts(
        prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion
    )


@dataclass(frozen=True)
class CompletionWriter:
    """Writes the answers to one request."""

    id: str
    created: int
    model: str
    shows_usage: bool = False

    def make_completion(self, turn: Turn) -> ChatCompletion:
        """The whole answer."""
        return ChatCompletion(
            id=self.id,
            created=self.created,
            model=self.model,
            choices=[Choice(message=CompletionMessage(content=turn.text))],
            usage=count_tokens(turn),
        )

    async def stream_chunks(
        self, first: Event, events: AsyncGenerator[Event, None]
    ) -> AsyncIterator[str]:
        """The answer in chunks, as it comes."""
        text = _GrowingText()
        yield self._encode_chunk({"role": "assistant", "content": ""})
        try:
            event: Event | None = first
            while event is not None:
                if added := text.add(event):
                    yield self._encode_chunk({"content": added})
                if isinstance(event, TurnEvent):
                    yield self._encode_chunk({}, "stop")
                    if self.shows_usage:
                        counts = count_tokens(event.turn).model_dump()
                        yield _encode_data({**self._head, "choices": [], "usage": counts})
                event = await anext(events, None)
            yield "data: [DONE]\n\n"
        except Exception as error:
            yield _encode_data(describe_error(explain_error(error)))
        finally:
            await events.aclose()

    @property
    def _head(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
        }

    def _encode_chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        # With include_usage, each chunk but the last has a usage of null.
        usage = {"usage": None} if self.shows_usage else {}
        return _encode_data({**self._head, "choices": [choice], **usage})


class _GrowingText:
    """A text that can only grow, made of messages and of pieces that came before them."""

    def __init__(self) -> None:
        self._pieces = ""
        self._has_text = False

    def add(self, event: Event) -> str:
        """What follows the text so far."""
        match event:
            case PieceEvent(text):
                added = text if self._pieces else self._separate(text)
                self._pieces += text
                return added
            case MessageEvent(text):
                pieces, self._pieces = self._pieces, ""
                if pieces and text.startswith(pieces):
                    return text[len(pieces) :]
                # What was sent cannot be taken back: another text stands below it.
                return self._separate(text)
        return ""

    def _separate(self, text: str) -> str:
        separator = "\n" if self._has_text else ""
        self._has_text = True
        return f"{separator}{text}"


def _encode_data(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


_ERROR_TYPES: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


def describe_error(problem: ApiProblem) -> dict[str, Any]:
    """A problem as OpenAI's API tells of one."""
    status = read_status(problem)
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {
        "error": {
            "message": problem.sentence,
            "type": _ERROR_TYPES.get(status, kind),
            "param": None,
            "code": problem.code,
        }
    }


def read_status(problem: ApiProblem) -> int:
    """The status of a problem; there, what cannot be read is 400."""
    return 400 if problem.code == "invalid_request" else problem.kind.status
