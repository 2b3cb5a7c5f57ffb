"""soni test: an assistant's conversation tests."""

import asyncio
import json
from collections.abc import Iterator
from difflib import ndiff
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from soni.cli.check import print_problems
from soni.core.errors import ConfigError

if TYPE_CHECKING:
    from soni.testing import Mismatch, Result, Suite


class Understanding(StrEnum):
    """Who understands the messages that have no commands."""

    LOCAL = "local"
    SCRIPTED = "scripted"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("test")(test)


def test(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="An assistant, or one test file.")],
    pattern: Annotated[
        str, typer.Option("-k", metavar="PATTERN", help="Only tests whose name holds this.")
    ] = "",
    nlu: Annotated[
        Understanding,
        typer.Option(
            help="What a message without `commands` goes through: the offline understanding, "
            "or, with `scripted`, nothing: every message must have its commands."
        ),
    ] = Understanding.LOCAL,
) -> None:
    """Run the conversation tests of an assistant: *.test.yaml in DIR and in DIR/tests.

    `commands` written in a turn always go past the understanding. Exits with 1 if a test fails,
    a file has mistakes, or there is no test.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.chat.logs import log_to_stderr
    from soni.testing import Suite

    log_to_stderr()
    try:
        suite = Suite.load(path, nlu=nlu.value)
    except ConfigError as error:
        print_problems(error.problems)
        raise typer.Exit(1) from None
    chosen = suite.select(pattern)
    if not chosen:
        typer.echo(f"no test's name holds '{pattern}'" if suite.tests else f"no tests in {path}")
        raise typer.Exit(1)
    if asyncio.run(_run(chosen, Console(highlight=False))):
        raise typer.Exit(1)


async def _run(suite: "Suite", console: Console) -> int:
    """Run and print; how many failed."""
    failed = 0
    async for result in suite.run():
        failed += not result.passed
        for line in _report(result):
            # Never wrapped: a diff in two parts is no diff.
            console.print(line, soft_wrap=True)
    style = "bold red" if failed else "bold green"
    console.print(Text(f"{len(suite) - failed} passed, {failed} failed", style))
    return failed


def _report(result: "Result") -> Iterator[Text]:
    if result.passed:
        yield Text.assemble(("✓ ", "green"), result.name)
        return
    yield Text.assemble(("✗ ", "bold red"), (result.name, "bold"), (f"  {result.where}", "dim"))
    if result.error is not None:
        yield Text(f"    turn {result.turn} could not be run: {result.error}", "red")
    for mismatch in result.mismatches:
        yield Text(f"    turn {result.turn}, {mismatch.what}:")
        yield from _difference(mismatch)
    yield Text("    transcript:", "dim")
    for line in result.transcript:
        said = line.text.replace("\n", "\n            ")
        yield Text(f"      {line.who:>4}: {said}", "dim")


def _difference(mismatch: "Mismatch") -> Iterator[Text]:
    expected, got = mismatch.expected, mismatch.got
    if mismatch.what in ("contains", "not_contains", "matches"):
        word = "unexpected" if mismatch.what == "not_contains" else "missing"
        yield from (Text(f"      {word}  {_plain(text)}", "red") for text in expected)
        yield from (Text(f"      in  {_plain(message)}") for message in got or ["no message"])
    elif isinstance(expected, list | dict) and isinstance(got, list | dict):
        yield Text("      - expected  + got", "dim")
        yield from _lines(_entries(expected), _entries(got))
    else:
        yield Text(f"      - expected  {_plain(expected)}", "green")
        yield Text(f"      + got       {_plain(got)}", "red")


def _lines(expected: list[str], got: list[str]) -> Iterator[Text]:
    styles = {"- ": "green", "+ ": "red", "  ": ""}
    for line in ndiff(expected, got):
        # Its hints below a line mark letters, which helps nobody among sentences.
        if line[:2] in styles:
            yield Text(f"      {line}", styles[line[:2]])


def _entries(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {_plain(entry)}" for name, entry in value.items()]
    return [_plain(entry) for entry in value] or ["(none)"]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
