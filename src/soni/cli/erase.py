"""soni erase: removes a person from an assistant's store."""

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import structlog
import typer

from soni.cli.options import FolderOrHere, Person
from soni.cli.trace import load_assistant
from soni.core.errors import SoniError

if TYPE_CHECKING:
    from soni.core.storage import Removal, Store


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("erase")(erase)


def erase(
    user: Person,
    path: FolderOrHere = Path(),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be removed.")
    ] = False,
) -> None:
    """Remove everything that is stored about a person.

    Conversations, journal, messages, effects and lines typed in `soni chat` are deleted. An entry
    without words and names says that something was erased, and when. Of conversations with other
    people only what this person wrote goes, and the state. Ends with 1 if the person is not known.
    """
    from soni.audit.source import open_kept_store
    from soni.cli.chat.history import count_lines, find_history_file, forget_lines
    from soni.cli.options import explain_write_error
    from soni.cli.text import report_errors

    log_warnings()
    config = load_assistant(path)

    async def run() -> None:
        async with open_kept_store(config) as store:
            lines = count_lines(config.folder, user)
            await _erase(store, user, lines, yes=yes, dry_run=dry_run)
        if not dry_run:
            with explain_write_error(find_history_file(config.folder) or ""):
                forget_lines(config.folder, user)

    with report_errors():
        asyncio.run(run())


def log_warnings() -> None:
    """Show warnings beside the output: that a file could not be emptied must be seen."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger("warning"),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


async def _erase(store: "Store", user: str, lines: int, *, yes: bool, dry_run: bool) -> None:
    from soni.cli.text import format_plural, print_text
    from soni.runtime.people import erase_person, find_parts

    parts = await find_parts(store, user)
    if not parts and not lines:
        raise SoniError(f"nothing is stored about '{user}'")
    turns = format_plural(sum(part.removed for part in parts), "turn")
    plan = f"{turns} in {format_plural(len(parts), 'conversation')}"
    typed = describe_lines(lines)
    if dry_run:
        print_text(f"would be removed: {plan}, with their state, messages, effects and jobs{typed}")
        return
    if not yes:
        _confirm(f"Remove {plan}{typed} for good?")
    removed = await erase_person(store, user, at=time.time())
    print_text(f"removed: {describe_removal(removed)}{typed}")


def _confirm(question: str) -> None:
    if not sys.stdin.isatty():
        raise SoniError("nothing was removed: nobody is there to confirm it; add --yes")
    if not typer.confirm(question):
        raise SoniError("nothing was removed")


def describe_lines(lines: int) -> str:
    """How many lines were typed, to follow what else there is."""
    from soni.cli.text import format_plural

    return f", and {format_plural(lines, 'line')} typed in soni chat" if lines else ""


def describe_removal(removed: "Removal") -> str:
    """How much of what."""
    from soni.cli.text import format_plural

    return ", ".join(
        format_plural(count, noun)
        for count, noun in (
            (removed.conversations, "conversation"),
            (removed.entries, "turn"),
            (removed.states, "state"),
            (removed.messages, "message"),
            (removed.effects, "effect"),
            (removed.jobs, "job"),
        )
    )
