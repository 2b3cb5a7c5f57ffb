"""soni record: a chat that becomes a conversation test."""

import asyncio
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.options import Folder, explain_write_error, log_to_stderr
from soni.cli.text import print_text
from soni.cli.trace import load_assistant
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError

if TYPE_CHECKING:
    from soni.audit.conversation_test import WrittenTests

_USER = "test"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("record")(record)


def record(
    path: Folder,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the test; a new file in DIR/tests."),
    ] = None,
) -> None:
    """Talk to an assistant as in `soni chat`, and write the conversation down as a test.

    The test holds what was said and understood, and the results of actions as stubs, so that it
    needs no backend. Sensitive values are never written in clear: the slot's first example stands
    in for them. The conversation itself is not kept.
    """
    log_to_stderr()
    config = load_assistant(path)
    name = f"recorded-{_get_current_second():%Y-%m-%d-%H%M%S}.test.yaml"
    file = out or (config.folder or Path()) / "tests" / name
    # Checked before the chat, so that nothing is lost.
    _check_place(file)
    written = _record_conversation(config)
    if written is None:
        print_text("nothing was said, so nothing was written", stderr=True)
        return
    with explain_write_error(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        notes = "".join(f"# {note}\n" for note in written.notes)
        file.write_text(notes + written.text, encoding="utf-8")
    if not _report_result(file, written):
        raise typer.Exit(1)


def _record_conversation(config: SoniConfig) -> "WrittenTests | None":
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.audit.conversation_test import write_tests
    from soni.audit.turn import RecordedTurn
    from soni.cli.chat.history import LineHistory
    from soni.cli.chat.local import LocalPartner
    from soni.cli.chat.screen import choose_screen
    from soni.cli.chat.session import talk
    from soni.persistence import open_store
    from soni.runtime.loop import RuntimeLoop

    clock, store = _MinuteClock(), open_store("memory")
    partner = LocalPartner(config, _USER, lambda: RuntimeLoop(config, clock=clock, store=store))
    with asyncio.Runner() as runner:
        talk(partner, choose_screen(LineHistory()), runner, clock.catch_up)
        entries = runner.run(store.journal.entries(_USER))
        turns = [RecordedTurn(entry) for entry in entries]
        if not any(turn.ok for turn in turns):
            return None
        return runner.run(write_tests(config, turns))


class _MinuteClock:
    """Stands still, and catches up by whole minutes: the seconds between two messages mean nothing.

    What the assistant saw of the time is then exactly what the test says.
    """

    def __init__(self) -> None:
        self._now = _get_current_second()

    def __call__(self) -> datetime:
        return self._now

    def catch_up(self) -> None:
        passed = _get_current_second() - self._now
        self._now += timedelta(minutes=max(0, passed // timedelta(minutes=1)))


def _get_current_second() -> datetime:
    return datetime.now().astimezone().replace(microsecond=0)


def _check_place(file: Path) -> None:
    if file.exists():
        raise SoniError(f"{file} is there already; name a new file with --out")
    folder = next(above for above in file.absolute().parents if above.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        why = f"{folder} is no folder that can be written to; name another file with --out"
        raise SoniError(f"{file} could not be written: {why}")


def _report_result(file: Path, written: "WrittenTests") -> bool:
    """Returns whether the tests pass."""
    from soni.testing.report import format_reasons

    # To stderr: a pipe carries only what the bot says.
    print_text(f"wrote {file}", stderr=True)
    for note in written.notes:
        print_text(f"  {note}", stderr=True)
    failed = [result for result in written.results if not result.passed]
    for result in failed:
        print_text("  tried at once, it does not pass as it stands:", stderr=True)
        for line in format_reasons(result):
            print_text(f"    {line.text}", stderr=True)
    return not failed
