"""Arguments and options that several verbs have."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import structlog
import typer

from soni.core.errors import SoniError

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The assistant's folder.")]

FolderOrFile = Annotated[
    Path, typer.Argument(metavar="DIR", help="The assistant's folder, or its only file.")
]

Sentences = Annotated[
    list[Path] | None, typer.Argument(metavar="[FILES]...", help="Only these sentences and tests.")
]

Conversation = Annotated[
    str | None, typer.Option(metavar="ID", help="The conversation, if its id is another.")
]

Provider = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who understands: local, llm, cascade; or as set."),
]

Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page with plots there.")]

Json = Annotated[bool, typer.Option("--json", help="For programs.")]

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


def log_to_stderr(*, verbose: bool = False) -> None:
    """Log everything, or only what is worse than an error: errors are shown in words anyway."""
    level = logging.DEBUG if verbose else logging.CRITICAL
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


@contextmanager
def explain_write_error(file: Path | str) -> Iterator[None]:
    """Say which file could not be written, and why."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SoniError(f"{file} could not be written: {reason}") from None


def write_file(file: Path, content: str | bytes) -> None:
    """Write it, or say why not. What UTF-8 does not have becomes a question mark."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with explain_write_error(file):
        file.write_bytes(data)
