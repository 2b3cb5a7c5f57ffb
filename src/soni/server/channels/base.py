"""What a channel is: it verifies and parses what a provider posts, and renders what is answered."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Protocol

from soni.commands.offers import list_pressable
from soni.core.errors import SoniError
from soni.core.records import Reply
from soni.core.types import DialogueState
from soni.server.channels.configuration import ChannelConfig
from soni.steps.ui import list_options

WINDOW_SECONDS: Final = 300
"""How old a signed request may be, and how far ahead a sender's clock may be."""


REFUSALS: Final[Mapping[str, int]] = {
    "bad_signature": 401,
    "request_too_old": 401,
    "bad_payload": 400,
    "no_such_channel": 404,
    "body_too_long": 413,
    "try_again": 503,
}
"""The codes of requests that are not taken, each with its status. They keep their meaning."""


class RequestRefused(SoniError):  # noqa: N818 - what was decided, not what went wrong
    """A request that is not taken: it is not from the provider, or cannot be read."""

    def __init__(self, code: str, reason: str, remedy: str) -> None:
        self.code = code
        self.reason = reason
        self.remedy = remedy
        self.status = REFUSALS[code]
        super().__init__(f"{reason}. {remedy}")


@dataclass(frozen=True)
class ChannelRequest:
    """What a provider posted."""

    headers: Mapping[str, str]
    """Names are in lower case."""

    body: bytes = field(repr=False)
    url: str
    """As the server saw it, with its query: behind a proxy not what the provider called."""

    now: float
    """Seconds since the epoch when it came in."""


@dataclass(frozen=True)
class Incoming:
    """One message of a user's, or a button that was pressed."""

    conversation_id: str
    user_id: str
    delivery_id: str
    """The provider's own id. It is the same when the message is delivered again."""

    text: str | None = None
    button: str | None = None
    """What `make_button_key` gave to the button that was pressed."""

    label: str | None = None
    """The label of the button that was pressed, where the channel does not keep a key."""

    receipt: str | None = None
    """What the provider wants back at once: the id of a button's press."""

    asks_help: bool = False
    """The text is the channel's own word for what the assistant can do."""

    language: str | None = None
    context: dict[str, Any] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """As plain data, for a job."""
        return {name: value for name, value in asdict(self).items() if value not in (None, {})}


@dataclass(frozen=True)
class Answer:
    """What the assistant said in one turn."""

    conversation_id: str
    message_id: str | None
    turn: int
    replies: Sequence[Reply] = field(repr=False)
    waiting: dict[str, Any] | None = None
    """What is asked: `kind`, and where there is one `slot` and `options`."""

    repeated: bool = False

    def dump(self) -> dict[str, Any]:
        """As plain data, for a job or for another system."""
        return {**asdict(self), "replies": [dict(reply) for reply in self.replies]}


@dataclass(frozen=True)
class HttpAnswer:
    """What the request itself is answered with."""

    body: str = ""
    media_type: str = "text/plain"
    status: int = 200


@dataclass(frozen=True)
class Reception:
    """What a request holds: messages to handle, or an answer that needs none."""

    messages: Sequence[Incoming] = ()
    answer: HttpAnswer | None = None


@dataclass(frozen=True)
class Outgoing:
    """A request to a provider. Address and headers may hold secrets, so neither is shown."""

    url: str = field(repr=False)
    body: bytes = field(repr=False)
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ProviderAnswer:
    """What a provider answered to a request."""

    status: int
    headers: Mapping[str, str]
    """Names are in lower case."""

    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Failure:
    """Why a provider did not take a request; the reason holds nothing of its body."""

    reason: str
    permanent: bool = False
    retry_after: float | None = None


class Channel(Protocol):
    """One configured channel: its name is the last part of its route."""

    CONFIG: ClassVar[type[ChannelConfig]]
    """The model of its settings."""

    name: str
    answer_within: float
    """Seconds for which a request waits for the assistant, to be answered with what it says.
    0: it is answered at once, and what is said is sent later."""

    can_send: bool
    """Whether it can send what nobody waits for."""

    def __init__(self, name: str, config: Any) -> None: ...

    def verify(self, request: ChannelRequest) -> None:
        """Raise `RequestRefused` unless the provider has sent it."""

    def parse(self, request: ChannelRequest) -> Reception:
        """What is in a request that was verified."""

    def respond(self, answers: Sequence[Answer]) -> HttpAnswer:
        """What a request is answered with; no answers: they are sent later, or there are none."""

    def acknowledge(self, message: Incoming) -> Sequence[Outgoing]:
        """What the provider wants to hear before there is an answer."""

    def render(self, answer: Answer, now: float) -> Sequence[Outgoing]:
        """The requests that show an answer to its user, in order. The same each time."""

    def find_failure(self, answer: ProviderAnswer) -> Failure | None:
        """Why a request was not taken; None: it was."""


def make_button_key(turn: int, label: str) -> str:
    """A short name for a button: providers limit what a button carries.

    It names the turn, so that an old button does not answer a newer question.
    """
    folded = label.strip().casefold().encode("utf-8", "surrogatepass")
    return f"{turn}:{hashlib.sha256(folded).hexdigest()[:16]}"


def find_pressed_label(message: Incoming, state: DialogueState) -> str | None:
    """The label of the button that was pressed; None if it is not on offer any more."""
    offered = [str(option["label"]) for option in list_pressable(state)]
    if message.button is not None:
        turn = state["turn_count"]
        return next((o for o in offered if make_button_key(turn, o) == message.button), None)
    wanted = str(message.label).strip().casefold()
    return next((o for o in offered if o.strip().casefold() == wanted), None)


def find_pressable(replies: Sequence[Reply]) -> int | None:
    """Which reply has the buttons: of several that have some, only the last can be pressed."""
    having = [n for n, reply in enumerate(replies) if list_options(reply.get("ui") or {})]
    return having[-1] if having else None


def split_text(text: str, limit: int) -> list[str]:
    """A text in pieces of at most that many UTF-16 units, cut at a line or a word if possible.

    Providers count in these units, in which a rare sign has two.
    """
    pieces = []
    rest = text.strip()
    while _count_units(rest) > limit:
        head = _cut(rest, limit)
        end = max(head.rfind("\n"), head.rfind(" "))
        # A piece that is nearly empty is worse than a word in two halves.
        head = head[:end] if end > len(head) // 2 else head
        pieces.append(head.rstrip())
        rest = rest[len(head) :].lstrip()
    return [*pieces, rest] if rest else pieces


def clip_text(text: str, limit: int) -> str:
    """A text of at most that many UTF-16 units."""
    return text if _count_units(text) <= limit else f"{_cut(text, limit - 1)}…"


def _count_units(text: str) -> int:
    return len(text) + sum(sign > "\uffff" for sign in text)


def _cut(text: str, limit: int) -> str:
    head = text[:limit]
    while _count_units(head) > limit:
        head = head[:-1]
    return head
