"""The one way to the terminal: whatever is printed, control characters in it do nothing."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import typer
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from soni.core.errors import SoniError

# Marks of text direction, which can make a line read as something else.
_BIDI_MARKS: Final = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_HIDDEN_CATEGORIES: Final = ("Cc", "Cs", "Zl", "Zp")


def clean_text(text: str) -> str:
    """The text without control characters. Line breaks stay."""
    return "".join(
        sign
        if sign == "\n"
        or (unicodedata.category(sign) not in _HIDDEN_CATEGORIES and sign not in _BIDI_MARKS)
        else "\ufffd"
        for sign in text.replace("\r\n", "\n").replace("\t", "    ")
    )


def to_one_line(text: str) -> str:
    """The text without control characters, on one line."""
    return clean_text(text).replace("\n", " ⏎ ")


def format_value(data: Any) -> str:
    """Plain data as people read it."""
    return clean_text(json.dumps(data, ensure_ascii=False, default=str))


def format_fields(data: dict[str, Any]) -> str:
    """`name=value name=value`."""
    return " ".join(f"{to_one_line(name)}={format_value(item)}" for name, item in data.items())


def format_named(data: Any) -> str:
    """Fields with their names if there are any, else the value."""
    return format_fields(data) if isinstance(data, dict) else format_value(data)


def format_plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def format_date(moment: datetime) -> str:
    """A moment in its own zone."""
    zone = moment.strftime("%Z") if moment.utcoffset() is not None else ""
    return f"{moment:%Y-%m-%d %H:%M:%S} {zone}".rstrip()


class CleanConsole(Console):
    """A console on which only its own colours and movements are control characters."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Whatever is printed becomes segments here."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=clean_text(segment.text))


def make_console(*, stderr: bool = False) -> Console:
    """Colours on a terminal, none in a pipe; letters that cannot be written become `?`."""
    _prepare_stream(stderr)
    return CleanConsole(highlight=False, markup=False, emoji=False, stderr=stderr)


def _prepare_stream(stderr: bool) -> None:
    stream = sys.stderr if stderr else sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def print_text(text: str, *, stderr: bool = False) -> None:
    """A text without colours."""
    _prepare_stream(stderr)
    typer.echo(clean_text(text), err=stderr)


def print_document(text: str) -> None:
    """A file's content: a terminal gets it clean, a pipe as it is."""
    shown = clean_text(text) if sys.stdout.isatty() else text
    # As bytes: a terminal's own encoding may lack letters that the texts have.
    typer.echo(shown.encode("utf-8", "replace"), nl=False)


def make_progress(console: Console, text: str, *, auto_refresh: bool = True) -> Progress:
    """A bar below what is printed; nothing where nobody watches."""
    columns = (TextColumn(text), BarColumn(), MofNCompleteColumn())
    hidden = not console.is_terminal
    return Progress(
        *columns, console=console, transient=True, auto_refresh=auto_refresh, disable=hidden
    )


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Lines, never wrapped when they go to a program."""
    for line in lines:
        console.print(line, soft_wrap=True)


def print_verdict(console: Console, text: str, wanted: float | None, *, enough: bool) -> None:
    """Print it in its colour, with the percent that were wanted if there are less."""
    less = "" if enough or wanted is None else f", less than {wanted:g} %"
    style = "bold" if wanted is None else "bold green" if enough else "bold red"
    console.print(Text(f"{text}{less}", style), soft_wrap=True)


def show_table(
    console: Console, title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """A table on a terminal; in a pipe the same in columns. Numbers stand to the right."""
    cells = [[to_one_line(str(cell)) for cell in row] for row in rows]
    right = [all(isinstance(row[at], int | float) for row in rows) for at in range(len(head))]
    if console.is_terminal:
        table = Table(title=Text(title, "bold") if title else None, box=box.SIMPLE_HEAD)
        table.title_justify = "left"
        for name, numbers in zip(head, right, strict=True):
            table.add_column(name, justify="right" if numbers else "left", overflow="fold")
        for row in cells:
            table.add_row(*map(Text, row))
        console.print(table)
        return
    if title:
        console.print(Text(title), soft_wrap=True)
    for line in _align_columns([list(head), *cells], right):
        console.print(Text(line), soft_wrap=True)


def _align_columns(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(right))]
    for row in rows:
        aligned = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, right, strict=True)
        )
        yield "  ".join(aligned).rstrip()


def show_rows(
    console: Console, title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """A table below an empty line; nothing, if it has no rows."""
    if rows:
        console.print()
        show_table(console, title, head, rows)


@contextmanager
def report_errors() -> Iterator[None]:
    """Print an error as safe text, and end the command with 1."""
    try:
        yield
    except SoniError as error:
        make_console(stderr=True).print(Text(to_one_line(str(error)), "red"), soft_wrap=True)
        raise typer.Exit(1) from None
