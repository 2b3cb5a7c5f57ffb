"""soni check: everything that is wrong with an assistant, at once."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from soni.cli.text import format_plural, make_console, print_text, to_one_line
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.codes import Code, load_codes
from soni.config.language_file import examine_language, is_language_file
from soni.config.load import CheckResult, examine_assistant
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem, clip, find_nearest


class Format(StrEnum):
    """How the problems are printed."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("check")(check)


def check(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="The assistant's folder, or a language's file."),
    ] = None,
    format: Annotated[Format, typer.Option(help="For people or for programs.")] = Format.TEXT,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="STORE|REVISION",
            help="Say what the flows would do to open conversations: those in a store (a file, "
            "a URL, or `store` for the assistant's own), or at every step of a Git revision.",
        ),
    ] = None,
    code: Annotated[
        str | None,
        typer.Option("--explain", metavar="CODE", help="Say what a code such as E104 means."),
    ] = None,
) -> None:
    """Say every mistake in an assistant: where it is, what is wrong, what to write instead."""
    if code is not None:
        raise typer.Exit(0 if _explain(code) else 1)
    if path is None:
        raise typer.BadParameter("missing: give the assistant's folder", param_hint="DIR")
    if against is not None and is_language_file(path):
        raise typer.BadParameter(
            "takes an assistant's folder, not a language", param_hint="--against"
        )
    examined = _examine_path(path)
    failed = bool(examined.errors or (strict and examined.problems))
    told: dict[str, dict[str, Any]] = {}
    if format is Format.TEXT:
        print_problems(examined.problems, ok=None if failed else _summarize_config(examined.config))
    if against is not None and examined.config is not None and not examined.errors:
        # Only this needs the runtime, and a plain check should not wait for it.
        from soni.cli.check.against import check_against

        told = {"against": check_against(examined.config, against, quiet=format is Format.JSON)}
        failed = failed or not told["against"]["ok"]
    if format is Format.JSON:
        keys = ("code", "severity", "file", "line", "column", "length")
        more = ("message", "remedy", "available", "path")
        plain = [{key: getattr(each, key) for key in keys + more} for each in examined.problems]
        print_text(json.dumps({"ok": not failed, "problems": plain, **told}, indent=2))
    if failed:
        raise typer.Exit(1)


def _examine_path(path: Path) -> CheckResult:
    if is_language_file(path):
        return CheckResult(None, examine_language(path))
    try:
        return examine_assistant(path, [_check_program])
    except ConfigError as error:
        return CheckResult(None, error.problems)


def _check_program(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    if assistant.config.settings.nlu.program is not None:
        # Only a program needs the providers, which are slow to import.
        from soni.du.program_check import check_fitness

        check_fitness(assistant, scopes, report)


def print_problems(
    problems: Sequence[Problem], *, stderr: bool = False, ok: str | None = None
) -> None:
    """Every problem as people read it, then how many there are; `ok` if they are no matter."""
    console = make_console(stderr=stderr)
    for problem in problems:
        # Never wrapped: a path or an underlined line must stay whole.
        console.print(_format_problem(problem), soft_wrap=True)
        console.print()
    warnings = sum(problem.severity == "warning" for problem in problems)
    counts = ((len(problems) - warnings, "problem"), (warnings, "warning"))
    found = [format_plural(count, noun) for count, noun in counts if count]
    if ok is None:
        console.print(f"{' and '.join(found)} found")
    else:
        console.print(", ".join([ok, *found]))


@contextmanager
def report_problems(*, stderr: bool = True) -> Iterator[None]:
    """Print what is wrong with an assistant, and end the command with 1."""
    try:
        yield
    except ConfigError as error:
        print_problems(error.problems, stderr=stderr)
        raise typer.Exit(1) from None


def _format_problem(problem: Problem) -> Text:
    colour = "yellow" if problem.severity == "warning" else "red"
    where, title = to_one_line(problem.where), to_one_line(problem.title)
    text = Text.assemble((f"{where}: ", "bold"), (title, f"bold {colour}"))
    if problem.source is not None and problem.column is not None:
        line, marks = problem.excerpt
        text.append(f"\n    {line}\n    ").append(marks, colour)
    if problem.available:
        text.append("\n  available: ", "dim").append(to_one_line(problem.available_text))
    if problem.remedy:
        text.append("\n  remedy: ", "dim").append(problem.remedy, "green")
    return text


def _summarize_config(config: SoniConfig | None) -> str:
    if config is None:
        return "ok"
    counts = (
        (len(config.flows), "flow"),
        (len(config.slots), "slot"),
        (len(config.functions.actions), "action"),
    )
    return "ok: " + ", ".join(format_plural(count, noun) for count, noun in counts)


def _explain(code: str) -> bool:
    """Print what a code means; an unknown one is answered with those there are, and False."""
    console = make_console()
    known = load_codes()
    found = known.get(code.strip().upper())
    for line in _describe_code(found) if found is not None else _list_codes(code):
        # In a terminal sentences are wrapped; what is piped stays as it is.
        console.print(line, soft_wrap=not console.is_terminal)
    return found is not None


def _describe_code(code: Code) -> Iterator[Text]:
    colour = "yellow" if code.severity == "warning" else "red"
    yield Text.assemble((code.code, f"bold {colour}"), (f" {code.title}", "bold"))
    yield Text()
    yield Text(code.cause)
    yield Text()
    yield Text(code.remedy, "green")
    for title, example in (("Wrong", code.wrong), ("Right", code.right)):
        yield Text()
        yield Text(f"{title}:", "bold")
        yield Text()
        yield from (Text(f"    {line}".rstrip()) for line in example.splitlines())


def _list_codes(code: str) -> Iterator[Text]:
    known = load_codes()
    guess = find_nearest(code, known)
    hint = f"; {guess}" if guess else ""
    yield Text(f"there is no code '{clip(code)}'{hint}", "bold red")
    yield Text()
    yield from (Text(f"  {each.code}  {each.title}") for each in known.values())
