"""Runs tests and prints their results."""

import asyncio
import sys
from collections.abc import Iterator
from datetime import datetime
from difflib import unified_diff
from pathlib import Path
from time import perf_counter
from typing import Final

import typer
from rich.console import Console
from rich.text import Text

from soni.cli.options import explain_write_error, write_file
from soni.cli.text import format_plural, make_console, make_progress, print_lines, print_verdict
from soni.core.errors import SoniError
from soni.testing.coverage import Coverage, measure_folder, measure_share
from soni.testing.files import find_assistant_folder
from soni.testing.parallel import Selection, choose_process_count, run_suite
from soni.testing.report import Tone, format_reasons, format_transcript, render_junit
from soni.testing.result import Result
from soni.testing.suite import Suite
from soni.testing.update import RewrittenFile, rewrite_expectations, write_back

STYLES: Final[dict[Tone, str]] = {
    "": "",
    "title": "bold",
    "faint": "dim",
    "expected": "green",
    "got": "red",
    "wrong": "red",
}


class SuiteRun:
    """One run of a suite, printed as it goes on."""

    def __init__(self, suite: Suite, choice: Selection, jobs: int | None) -> None:
        self._suite = suite
        self._choice = choice
        self._processes = choose_process_count(len(suite), jobs)
        self._console = make_console()
        self._done: list[Result] = []

    def run_tests(self, junit: Path | None) -> bool:
        """Run the tests; whether all passed."""
        at, began = datetime.now(), perf_counter()
        # Without a drawing thread, because the test processes are forked from this one.
        with make_progress(self._console, "  running", auto_refresh=False) as progress:
            task = progress.add_task("", total=len(self._suite))
            for result in run_suite(self._suite, self._choice, self._processes):
                self._done.append(result)
                # Never wrapped: lines of a diff must stay whole.
                print_lines(self._console, _render_result(result))
                progress.update(task, advance=1, refresh=True)
        failed = sum(not result.passed for result in self._done)
        style = "bold red" if failed else "bold green"
        self._console.print(Text(f"{len(self._done) - failed} passed, {failed} failed", style))
        if junit is not None:
            name = find_assistant_folder(self._choice.path).absolute().name
            write_file(junit, render_junit(name, self._done, at, perf_counter() - began))
        return not failed

    def report_coverage(self, fail_under: float | None) -> bool:
        """Tell what was covered; whether it is enough."""
        coverage = measure_folder(find_assistant_folder(self._choice.path), self._done)
        return print_coverage(coverage, self._console, fail_under)


def _render_result(result: Result) -> Iterator[Text]:
    if result.passed:
        yield Text.assemble(("✓ ", "green"), result.name)
        return
    yield Text.assemble(("✗ ", "bold red"), (result.name, "bold"), (f"  {result.where}", "dim"))
    for line in (*format_reasons(result), *format_transcript(result)):
        indented = "    " + line.text.replace("\n", "\n    ")
        yield Text(indented, STYLES[line.tone])


def print_coverage(coverage: Coverage, console: Console, fail_under: float | None) -> bool:
    """Numbers first, then what is missing, by its place; whether it is enough."""
    for title, parts in coverage.iter_missing():
        console.print()
        console.print(Text(title, "bold"))
        width = max(len(part.where) for part in parts)
        for part in parts:
            line = Text.assemble((f"  {part.where:<{width}}  ", "dim"), part.name)
            console.print(line, soft_wrap=True)
    console.print()
    groups = (
        ("flows", coverage.flows),
        ("steps", coverage.steps),
        ("arms", coverage.arms),
        ("responses", coverage.responses),
    )
    for name, group in groups:
        if group:
            counted = f"{sum(part.covered for part in group)} of {len(group)}"
            percent = _format_percent(measure_share(group))
            console.print(Text(f"{name:<10}{counted:>10}  {percent:>6}"))
    covered = f"{_format_percent(coverage.percent)} of steps and arms covered"
    enough = fail_under is None or coverage.percent >= fail_under
    print_verdict(console, covered, fail_under, enough=enough)
    return enough


def _format_percent(percent: float) -> str:
    # Rounded down, so that only full coverage reads as 100 %.
    return f"{int(percent * 10) / 10:g} %"


_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def update_tests(suite: Suite, *, ask: bool) -> bool:
    """Run all, show the changes, ask, write. Returns whether nothing is left to do."""
    console = make_console()
    results = asyncio.run(_run_to_end(suite))
    broken = [result for result in results if result.error is not None]
    for result in broken:
        told = f"✗ {result.name}  {result.where}: {result.error}"
        console.print(Text(told, "red"), soft_wrap=True)
    files = rewrite_expectations(zip(suite.tests, results, strict=True), suite.config)
    by_hand = [file for file in files if file.after is None]
    for file in by_hand:
        told = f"{file.file}: cannot be rewritten here, as with an alias; change it by hand"
        console.print(Text(told, "red"), soft_wrap=True)
    _write_agreed([file for file in files if file.after is not None], suite, console, ask=ask)
    return not broken and not by_hand


def _write_agreed(files: list[RewrittenFile], suite: Suite, console: Console, *, ask: bool) -> None:
    if not files:
        console.print("no expectation to rewrite")
        return
    for file in files:
        assert file.after is not None
        before, after = file.before.splitlines(), file.after.splitlines()
        for line in unified_diff(before, after, file.file, file.file, lineterm=""):
            console.print(Text(line, _STYLES.get(line[:1], "")), soft_wrap=True)
    expectations = format_plural(sum(file.count for file in files), "expectation")
    what = f"{expectations} in {format_plural(len(files), 'file')}"
    if ask and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SoniError(f"nothing was written: nobody can be asked here; --yes rewrites {what}")
    if ask and not typer.confirm(f"Rewrite {what}?"):
        console.print("nothing was written")
        raise typer.Exit(1)
    for file in files:
        assert file.after is not None
        with explain_write_error(file.file):
            write_back(suite.home / file.file, file.after)
    console.print(f"rewrote {what}")


async def _run_to_end(suite: Suite) -> list[Result]:
    return [result async for result in suite.run(to_end=True)]
