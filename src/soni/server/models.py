"""What clients send and get, as the documentation of the API shows it."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

_ID = Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
Name = Annotated[str, _ID]
_NAME: Final[TypeAdapter[str]] = TypeAdapter(Name)
_EXAMPLE_ID: Final = "c_Zk3v9mQ2xT7wB1nL5rYd8A"


MAX_TEXT: Final = 20_000
"""Characters of one message."""


def is_name(text: str) -> bool:
    """Whether a text is a `Name`, for what other libraries have read."""
    try:
        _NAME.validate_python(text)
    except ValidationError:
        return False
    return True


def describe_example(example: Any) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation shows of an answer that has no model."""
    return {200: {"content": {"application/json": {"example": example}}}}


class Incoming(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(extra="forbid")


class OpenedConversation(BaseModel):
    """A new conversation."""

    id: str = Field(examples=[_EXAMPLE_ID])
    token: str | None = Field(
        default=None, description="Of somebody unknown: send it with every further request"
    )


class MessageRequest(Incoming):
    """Words, or the label of a button that was offered."""

    text: str | None = Field(default=None, max_length=MAX_TEXT, examples=["send 50 to Bob"])
    press: str | None = Field(default=None, max_length=500, examples=["Yes"])
    turn: int | None = Field(
        default=None,
        ge=0,
        le=2**31 - 1,
        description="Of a press: the turn that offered it, so that it answers no later question",
        examples=[3],
    )
    message_id: Name | None = Field(
        default=None,
        description="Sent again with the same id, a message is answered as before",
        examples=["m-1"],
    )
    language: str | None = Field(default=None, max_length=20, examples=["en"])
    context: dict[str, Any] | None = Field(
        default=None, description="What the caller knows of the user: `session.*` in flows"
    )

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if (self.text is None) == (self.press is None):
            raise ValueError("give either `text` or `press`")
        if self.turn is not None and self.press is None:
            raise ValueError("`turn` goes with `press`")
        return self


class FlowRequest(Incoming):
    """What a flow is started with."""

    inputs: dict[str, Any] = Field(default_factory=dict, examples=[{"amount": 50}])
    message_id: Name | None = None
    language: str | None = Field(default=None, max_length=20)
    context: dict[str, Any] | None = None


class ReplyBody(BaseModel):
    """A message of the assistant's."""

    text: str = Field(examples=["Send 50.00 to Bob?"])
    ui: dict[str, Any] | None = Field(
        default=None, description="Buttons, quick replies, cards, a carousel, an image"
    )
    by: str | None = Field(default=None, description="The person who wrote it, if one did")
    source: str | None = Field(default=None, description="The entry of knowledge it comes from")


class Waiting(BaseModel):
    """What the assistant waits for."""

    kind: Literal["collect", "confirm", "cancel", "disambiguate", "limit"]
    slot: str | None = None
    options: list[str] | None = Field(
        default=None, description="What can be pressed", examples=[["Yes", "No"]]
    )
    choices: list[str] | None = Field(
        default=None, description="What can be said instead, where nothing can be pressed"
    )


class TurnBody(BaseModel):
    """What one message led to."""

    conversation_id: str = Field(examples=[_EXAMPLE_ID])
    turn: int = Field(examples=[1])
    message_id: str | None
    replies: list[ReplyBody]
    waiting: Waiting | None
    state: str = Field(examples=["confirming"])
    handed_off: bool = Field(default=False, description="A person answers, or will")
    repeated: bool = Field(description="The message had been handled before")


class SpokenMessage(BaseModel):
    """One thing that was said."""

    id: str = Field(description="Its place in the conversation", examples=["3:1"])
    turn: int = Field(examples=[3])
    author: Literal["user", "bot", "agent", "application"]
    text: str = Field(examples=["send 50 to Bob"])
    at: float = Field(description="Seconds since 1970", examples=[1795003500.8])
    message_id: str | None = None
    ui: dict[str, Any] | None = None
    by: str | None = None


class DeskChange(BaseModel):
    """A person has taken the conversation, or has given it back."""

    desk: Literal["answering"] | None
    agent: str | None = Field(description="The name of the person, if they have one")


class MessageList(BaseModel):
    """What was said, in order."""

    messages: list[SpokenMessage]
    next: int | None = Field(description="The `after` of the next page; null: there is none")


class OpenTask(BaseModel):
    """A flow that is not done."""

    flow: str = Field(examples=["transfer"])
    step: str | None = Field(examples=["collect_recipient"])
    slots: dict[str, Any] = Field(
        description="Sensitive values are masked", examples=[{"amount": 50}]
    )


class ConversationBody(BaseModel):
    """Where a conversation stands."""

    conversation_id: str = Field(examples=[_EXAMPLE_ID])
    turn: int = Field(examples=[2])
    state: str = Field(examples=["waiting_for_slot"])
    tasks: list[OpenTask] = Field(description="The active one last")
    slots: dict[str, Any] = Field(
        description="Of the conversation as a whole", examples=[{"language": "en"}]
    )
    waiting: Waiting | None
    handed_off: bool
    desk: Literal["waiting", "answering"] | None = Field(
        default=None, description="While it is handed over: whether a person has it"
    )
    agent: str | None = Field(
        default=None, description="The name of that person, if they have one", examples=["Ann"]
    )


class FlowSummary(BaseModel):
    """A flow of the assistant."""

    name: str = Field(examples=["transfer"])
    description: str | None = Field(examples=["Send money"])
    startable: bool = Field(description="Whether people can start it by what they say")


class LastMessage(BaseModel):
    """What was said last."""

    id: str = Field(examples=["3:1"])
    author: Literal["user", "bot", "agent", "application"]
    text: str = Field(description="Its beginning", examples=["It is still broken"])
    at: float = Field(examples=[1795003500.8])


class HandoffBody(BaseModel):
    """A conversation that waits for a person, or has one."""

    conversation_id: str = Field(examples=[_EXAMPLE_ID])
    queue: str | None = Field(examples=["complaints"])
    reason: str = Field(examples=["request"])
    summary: str = Field(examples=["complain: topic is a late parcel"])
    slots: dict[str, Any] = Field(
        description="Sensitive values are masked", examples=[{"topic": "a late parcel"}]
    )
    context: dict[str, Any] = Field(
        description="What the flow's author passes on", examples=[{"order": "A-17"}]
    )
    at: float = Field(description="Since when, in seconds since 1970", examples=[1795003500.8])
    task: str | None = Field(
        default=None, description="What is open, in words", examples=["Send money"]
    )
    claimed_by: str | None = Field(default=None, description="The id of the person who has it")
    claimed_name: str | None = Field(default=None, description="What others call them")
    last: LastMessage | None = None
    words: str | None = Field(
        default=None,
        description="The beginning of what the user said last",
        examples=["It is still broken"],
    )


class HandoffChanges(BaseModel):
    """What is different at the desk."""

    changed: list[HandoffBody]
    gone: list[str] = Field(description="Conversations that were given back")


class SubjectBody(BaseModel):
    """Who makes the request."""

    id: str | None = Field(
        description="Null: they need credentials, or others", examples=["key:1f2e3d4c"]
    )
    name: str | None = Field(
        description="The label of the key, or the token's claim `name`", examples=["Ann"]
    )
    roles: list[str] = Field(examples=[["client", "agent"]])
    token: str | None = Field(
        default=None, description="Of somebody unknown: send it with every further request"
    )


class AgentMessage(Incoming):
    """What a person of the desk says."""

    text: str = Field(min_length=1, max_length=MAX_TEXT, examples=["How can I help?"])
    message_id: Name | None = None


class Removed(BaseModel):
    """How much was removed."""

    conversations: int = Field(examples=[1])
    entries: int = Field(examples=[12])
