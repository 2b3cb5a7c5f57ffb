"""Runs tests and prints their results."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.text import Text

from soni.cli.options import write_file
from soni.cli.text import make_progress, print_lines, print_verdict
from soni.testing.coverage import Coverage, measure_folder, measure_share
from soni.testing.files import find_assistant_folder
from soni.testing.parallel import Selection, choose_process_count, run_suite
from soni.testing.report import Tone, format_reasons, format_transcript, render_junit
from soni.testing.result import Result
from soni.testing.suite import Suite

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
        self._console = Console(highlight=False)
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
