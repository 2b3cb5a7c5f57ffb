"""Arguments and options that several verbs have."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import structlog
import typer
from structlog.typing import EventDict

from soni.cli.text import clean_text, print_text
from soni.core.errors import SoniError

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The assistant's folder.")]

FolderOrFile = Annotated[
    Path, typer.Argument(metavar="DIR", help="The assistant's folder, or its only file.")
]

FolderOrHere = Annotated[
    Path, typer.Argument(metavar="[DIR]", help="The assistant's folder, if not this one.")
]

Person = Annotated[str, typer.Argument(metavar="USER", help="The person, by the user's id.")]

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
        print_text(f"\n{text}", stderr=True)
        raise typer.Exit(STOPPED) from None


def log_to_stderr(*, verbose: bool = False) -> None:
    """Log everything, or only what is worse than an error: errors are shown in words anyway."""
    level = logging.DEBUG if verbose else logging.CRITICAL
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.StackInfoRenderer(),
            structlog.dev.set_exc_info,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            # Plain tracebacks: the usual ones show the values of variables.
            structlog.processors.format_exc_info,
            _clean_event,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _clean_event(logger: Any, method: str, event: EventDict) -> EventDict:
    return {
        clean_text(key): clean_text(value) if isinstance(value, str) else value
        for key, value in event.items()
    }


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
