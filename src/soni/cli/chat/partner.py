"""Partner: whom a chat is held with, an assistant in this process or one behind a server."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rich.text import Text


@dataclass(frozen=True)
class Utterance:
    """Something that was said."""

    text: str
    by: str | None = None
    """The person who said it; None: the bot."""


@dataclass(frozen=True)
class Notice:
    """Something about the chat itself."""

    text: str


@dataclass(frozen=True)
class Standing:
    """Where the conversation stands, as far as a chat shows it."""

    is_begun: bool = True
    question: str | None = None
    """What was asked last, if the answer is still awaited."""

    options: tuple[str, ...] = ()
    """The labels of buttons and quick replies that can be answered with."""

    handoff: str | None = None
    """What to say of the person who has the conversation; None: the assistant has it."""

    stored: str | None = None
    """The message as it was stored; another text than what was typed, if something is masked."""

    notice: str | None = None
    """What else is to be known before somebody types."""

    error: str | None = None
    """Why nothing was understood, for who runs the assistant."""


Said = Utterance | Notice | Standing
View = Callable[[], Awaitable[Text]]


class Partner(Protocol):
    """Whom a chat is held with."""

    name: str
    leaving: str
    """What Ctrl-C says while a message is under way; empty: nothing waits for it."""

    opens_quickly: bool
    """Whether the prompt may wait for `open`."""

    @property
    def views(self) -> Mapping[str, tuple[str, View]]:
        """What /commands show, each with a line of help."""

    async def open(self) -> Standing:
        """Load or connect, so that the conversation can be looked at."""

    async def prepare(self) -> None:
        """Load what only messages need."""

    def send(self, text: str) -> AsyncIterator[Said]:
        """Send a message: what is said, as it is said, then where the conversation stands."""

    def speak_as_person(self, text: str) -> AsyncIterator[Said]:
        """Say something as the person to whom the conversation was handed over."""

    def release(self) -> AsyncIterator[Said]:
        """Give the conversation back to the assistant."""

    def listen(self) -> AsyncIterator[Said]:
        """What is said without having been asked for, as long as the chat lasts."""

    async def reset(self) -> None:
        """Forget the conversation."""

    async def close(self) -> None:
        """Leave. Whatever is under way is finished first, if it cannot be left alone."""
