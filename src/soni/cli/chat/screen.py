"""Screen: the input and output of a chat, a terminal or a pipe."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from typing import Protocol

from rich.text import Text

from soni.cli.chat.history import LineHistory
from soni.cli.text import print_text


class Screen(Protocol):
    """The input and output of a chat."""

    is_watched: bool
    """Whether a person is there, who is not to be kept waiting without a word."""

    def read(self, runner: asyncio.Runner) -> str | None:
        """The next line; None: there are no more."""

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        """Show what the question can be answered with, and complete it."""

    def keep(self, line: str) -> None:
        """Have the line ready for the arrow keys."""

    def draft(self, line: str) -> None:
        """Begin the next line with this: it was typed, and not sent."""

    def fail(self, error: Exception) -> None:
        """End the reading of a line with an error."""

    def bot(self, text: str) -> None:
        """Show a message of the bot."""

    def person(self, name: str, text: str) -> None:
        """Show what somebody else said."""

    def view(self, text: Text) -> None:
        """Show the answer to a /command."""

    def note(self, text: str) -> None:
        """Show a note about the chat itself, if a person watches."""

    def error(self, text: str) -> None:
        """Show an error."""


class Pipe:
    """A program at a pipe: only messages and answers are printed."""

    is_watched = False

    def read(self, runner: asyncio.Runner) -> str | None:
        # In this thread and between runs of the loop: Ctrl-C could not end a thread that waits.
        return sys.stdin.readline() or None

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        """A program completes nothing."""

    def keep(self, line: str) -> None:
        """A program has no arrow keys."""

    draft = keep

    def fail(self, error: Exception) -> None:
        """Whoever waits for what failed is told."""

    def bot(self, text: str) -> None:
        print_text(text)

    def person(self, name: str, text: str) -> None:
        print_text(f"{name}: {text}")

    def view(self, text: Text) -> None:
        print_text(text.plain)

    def note(self, text: str) -> None:
        """Nobody watches."""

    def error(self, text: str) -> None:
        print_text(text, stderr=True)


def choose_screen(history: LineHistory) -> Screen:
    """A terminal if both ends are one, else a pipe."""
    if is_interactive():
        from soni.cli.chat.terminal import Terminal

        return Terminal(history)
    if hasattr(sys.stdin, "reconfigure"):
        # Invalid UTF-8 must not end the conversation.
        sys.stdin.reconfigure(errors="replace")
    return Pipe()


def is_interactive() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()
