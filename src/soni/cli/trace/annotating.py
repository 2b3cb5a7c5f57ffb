"""A conversation as a file of sentences to correct, and to learn from."""

from pathlib import Path

import typer
from rich.text import Text

from soni.audit.annotating import annotate_turns
from soni.audit.chain import Chain
from soni.audit.source import iter_entries
from soni.audit.turn import RecordedTurn
from soni.cli.chat.logs import log_to_stderr
from soni.cli.trace.showing import verdict
from soni.cli.trace.testing import write_new
from soni.cli.trace.text import clean, console_for_here
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.storage import Journal


async def annotate(config: SoniConfig, journal: Journal, conversation_id: str, out: Path) -> bool:
    """Write it, then say what was left out; whether the journal is whole."""
    log_to_stderr()
    chain = Chain()
    turns = [RecordedTurn(e) async for e in chain.follow(iter_entries(journal, conversation_id))]
    written = await annotate_turns(config, turns) if any(turn.ok for turn in turns) else None
    if written is None or not written.sentences:
        raise SoniError(f"conversation '{conversation_id}' has no message that could be annotated")
    write_new(out, written.text)
    aside = console_for_here(stderr=True)
    if chain.broken is not None:
        aside.print(verdict(chain), soft_wrap=True)
    for note in written.notes:
        aside.print(Text(clean(f"note: {note}"), "yellow"), soft_wrap=True)
    typer.echo(f"{written.sentences} sentences written to {clean(str(out))}")
    return chain.broken is None
