"""soni test --update: expectations follow what was seen, if somebody agrees."""

import asyncio
import sys
from difflib import unified_diff

import typer
from rich.console import Console
from rich.text import Text

from soni.cli.options import explain_write_error
from soni.cli.text import format_plural
from soni.core.errors import SoniError
from soni.testing.result import Result
from soni.testing.suite import Suite
from soni.testing.update import RewrittenFile, rewrite_expectations, write_back

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def update_tests(suite: Suite, *, ask: bool) -> bool:
    """Run all, show the changes, ask, write. Returns whether nothing is left to do."""
    console = Console(highlight=False)
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
