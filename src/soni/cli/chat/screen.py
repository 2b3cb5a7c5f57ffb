"""Where a chat is read and shown: a terminal, or a pipe that carries only the bot's messages."""

import sys
import unicodedata
from contextlib import suppress
from typing import Protocol

from rich.console import Console
from rich.text import Text


class Screen(Protocol):
    """What a chat needs of the place it happens in."""

    def read(self) -> str | None:
        """The next line; None: there are no more."""

    def bot(self, text: str) -> None:
        """Something the bot said."""

    def view(self, text: str) -> None:
        """The answer to a /command."""

    def note(self, text: str) -> None:
        """Something about the chat itself, for a person who watches."""

    def error(self, text: str) -> None:
        """Something went wrong."""


class Terminal:
    """A person types and reads."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._errors = Console(highlight=False, stderr=True)
        with suppress(ImportError):
            # Its import alone gives `input` arrow keys and a history.
            import readline  # noqa: F401

    def read(self) -> str | None:
        try:
            return input("> ")
        except EOFError:
            self._console.print()
            return None

    def bot(self, text: str) -> None:
        self._console.print(Text(visible(text), "bold cyan"), soft_wrap=True)

    def view(self, text: str) -> None:
        self._console.print(Text(visible(text)), soft_wrap=True)

    def note(self, text: str) -> None:
        self._console.print(Text(visible(text), "dim"), soft_wrap=True)

    def error(self, text: str) -> None:
        self._errors.print(Text(visible(text), "red"), soft_wrap=True)


class Pipe:
    """A program writes and reads: what is printed is what was asked for, and nothing else."""

    def read(self) -> str | None:
        return sys.stdin.readline() or None

    def bot(self, text: str) -> None:
        print(visible(text), flush=True)

    def view(self, text: str) -> None:
        print(visible(text), flush=True)

    def note(self, text: str) -> None:
        """Nobody watches."""

    def error(self, text: str) -> None:
        print(visible(text), file=sys.stderr, flush=True)


def screen_for_here() -> Screen:
    """A terminal if both ends are one, else a pipe."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return Terminal()
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            # A byte that is no text must not end the conversation.
            stream.reconfigure(errors="replace")
    return Pipe()


def visible(text: str) -> str:
    """The text without what a terminal would obey: messages carry values from users."""
    return "".join(
        sign if sign in "\n\t" or unicodedata.category(sign) != "Cc" else "\ufffd" for sign in text
    )
