"""soni check: everything that is wrong with an assistant, at once."""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem


class Format(StrEnum):
    """How the problems are printed."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("check")(check)


def check(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The assistant's folder.")],
    format: Annotated[Format, typer.Option(help="For people or for programs.")] = Format.TEXT,
) -> None:
    """Say every mistake in an assistant: where it is, what is wrong, what to write instead."""
    problems: tuple[Problem, ...] = ()
    try:
        config = SoniConfig.load(path)
    except ConfigError as error:
        problems = error.problems
    if format is Format.JSON:
        report = {"ok": not problems, "problems": [_plain(problem) for problem in problems]}
        typer.echo(json.dumps(report, indent=2))
    elif problems:
        print_problems(problems)
    else:
        typer.echo(_summary(config))
    if problems:
        raise typer.Exit(1)


def _plain(problem: Problem) -> dict[str, Any]:
    keys = ("file", "line", "column", "length", "message", "remedy", "available", "path")
    return {key: getattr(problem, key) for key in keys}


def print_problems(problems: Sequence[Problem], *, stderr: bool = False) -> None:
    """Every problem as people read it, then how many there are."""
    console = Console(highlight=False, stderr=stderr)
    for problem in problems:
        # Never wrapped: a path or an underlined line in two parts helps nobody.
        console.print(_pretty(problem), soft_wrap=True)
        console.print()
    console.print("1 problem found" if len(problems) == 1 else f"{len(problems)} problems found")


def _pretty(problem: Problem) -> Text:
    text = Text.assemble((f"{problem.where}: ", "bold"), (problem.message, "bold red"))
    if problem.source is not None and problem.column is not None:
        line, marks = problem.excerpt
        text.append(f"\n    {line}\n    ").append(marks, "red")
    if problem.available:
        text.append("\n  available: ", "dim").append(", ".join(problem.available))
    if problem.remedy:
        text.append("\n  remedy: ", "dim").append(problem.remedy, "green")
    return text


def _summary(config: SoniConfig) -> str:
    counts = (
        (len(config.flows), "flow"),
        (len(config.slots), "slot"),
        (len(config.functions.actions), "action"),
    )
    return "ok: " + ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
