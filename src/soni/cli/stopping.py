"""Ctrl-C while a verb is at work."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

STOPPED: Final = 130
"""What a shell makes of a program that Ctrl-C ended."""


@contextmanager
def report_interrupt(text: str = "stopped") -> Iterator[None]:
    """Ctrl-C ends the command with a line, and no traceback."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"\n{text}", err=True)
        raise typer.Exit(STOPPED) from None
