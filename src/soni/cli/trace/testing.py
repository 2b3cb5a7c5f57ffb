"""A conversation as a test file, and how that test goes."""

from pathlib import Path

import typer
from rich.text import Text

from soni.audit.as_test import write_tests
from soni.audit.chain import Chain
from soni.audit.source import iter_entries
from soni.audit.turn import RecordedTurn
from soni.cli.chat.logs import log_to_stderr
from soni.cli.trace.showing import verdict
from soni.cli.trace.text import clean, console_for_here
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.storage import Journal


async def write_test(
    config: SoniConfig, journal: Journal, conversation_id: str, out: Path | None
) -> bool:
    """Write it, then say on stderr what should be known about it; whether it passes."""
    log_to_stderr()
    chain = Chain()
    turns = [RecordedTurn(e) async for e in chain.follow(iter_entries(journal, conversation_id))]
    if not any(turn.ok for turn in turns):
        raise SoniError(f"conversation '{conversation_id}' has no turn that a test could hold")
    written = await write_tests(config, turns)
    if out is None:
        # As bytes: a terminal's own encoding may lack letters that the texts have.
        typer.echo(written.text.encode("utf-8", "replace"), nl=False)
    else:
        write_new(out, written.text)
    aside = console_for_here(stderr=True)
    if chain.broken is not None:
        aside.print(verdict(chain), soft_wrap=True)
    for note in written.notes:
        aside.print(Text(clean(f"note: {note}"), "yellow"), soft_wrap=True)
    failed = [result for result in written.results if not result.passed]
    for result in failed:
        what = ", ".join(mismatch.what for mismatch in result.mismatches) or result.error or ""
        said = f"the test does not pass yet: turn {result.turn} differs in {what}"
        aside.print(Text(clean(said), "bold red"), soft_wrap=True)
    if not failed and chain.broken is None:
        aside.print(Text("the test passes with the assistant as it is now", "green"))
    return not failed and chain.broken is None


def write_new(out: Path, text: str) -> None:
    """Write a file that is not there yet; nor need its folder be, such as the first `nlu/`."""
    if out.exists():
        raise SoniError(f"{out} is there already; move it away, or name another file")
    try:
        out.parent.mkdir(exist_ok=True)
        out.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SoniError(f"{out} could not be written: {reason}") from None
