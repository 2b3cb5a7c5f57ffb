"""Running tests and telling what became of them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from soni.cli.files import write_file
from soni.cli.test.covering import print_coverage
from soni.testing.coverage import coverage_of_folder
from soni.testing.files import home_of
from soni.testing.junit import junit_xml
from soni.testing.parallel import Choice, processes_for, run_suite
from soni.testing.report import Shown, Tone, reasons, transcript
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


class Run:
    """One run of a suite, printed while it goes on."""

    def __init__(self, suite: Suite, choice: Choice, jobs: int | None) -> None:
        self._suite = suite
        self._choice = choice
        self._processes = processes_for(len(suite), jobs)
        self._console = Console(highlight=False)
        self._done: list[Result] = []

    def results(self, junit: Path | None) -> bool:
        """Run the tests; whether all passed."""
        at, began = datetime.now(), perf_counter()
        with _progress(self._console) as progress:
            task = progress.add_task("", total=len(self._suite))
            for result in run_suite(self._suite, self._choice, self._processes):
                self._done.append(result)
                for line in _render_result(result):
                    # Never wrapped: a diff in two parts is no diff.
                    self._console.print(line, soft_wrap=True)
                progress.update(task, advance=1, refresh=True)
        failed = sum(not result.passed for result in self._done)
        style = "bold red" if failed else "bold green"
        self._console.print(Text(f"{len(self._done) - failed} passed, {failed} failed", style))
        if junit is not None:
            name = home_of(self._choice.path).absolute().name
            write_file(junit, junit_xml(name, self._done, at, perf_counter() - began))
        return not failed

    def report_coverage(self, fail_under: float | None) -> bool:
        """Tell what was covered; whether it is enough."""
        coverage = coverage_of_folder(home_of(self._choice.path), self._done)
        return print_coverage(coverage, self._console, fail_under)


def style_line(line: Shown, indent: str = "") -> Text:
    """A line in its colour."""
    return Text(indent + line.text.replace("\n", f"\n{indent}"), STYLES[line.tone])


def _render_result(result: Result) -> Iterator[Text]:
    if result.passed:
        yield Text.assemble(("✓ ", "green"), result.name)
        return
    yield Text.assemble(("✗ ", "bold red"), (result.name, "bold"), (f"  {result.where}", "dim"))
    lines: Sequence[Shown] = [*reasons(result), *transcript(result)]
    yield from (style_line(line, "    ") for line in lines)


def _progress(console: Console) -> Progress:
    """A bar below the results; nothing where nobody watches."""
    columns = (TextColumn("  running"), BarColumn(), MofNCompleteColumn())
    # Without a thread that draws: the processes of the tests are forked from this one.
    watched = console.is_terminal
    return Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not watched
    )
