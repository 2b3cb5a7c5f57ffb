"""What `soni trace` was asked for, and who answers it."""

from dataclasses import dataclass
from pathlib import Path

from soni.audit.source import open_journal
from soni.cli.trace.annotating import annotate
from soni.cli.trace.choice import choose_conversation
from soni.cli.trace.listing import list_conversations
from soni.cli.trace.showing import show_entries, show_turns
from soni.cli.trace.testing import write_test
from soni.cli.trace.text import console_for_here
from soni.config.soni_config import SoniConfig


@dataclass(frozen=True)
class Request:
    """The options as they were given."""

    user: str | None
    conversation: str | None
    turn: int | None
    timings: bool
    as_json: bool
    as_test: bool
    out: Path | None
    annotate: Path | None = None
    transitions: bool = False


async def answer_request(config: SoniConfig, request: Request) -> bool:
    """Print it; whether all is well."""
    console = console_for_here()
    async with open_journal(config) as journal:
        if request.user is None and request.conversation is None:
            await list_conversations(journal, console, as_json=request.as_json)
            return True
        found = await choose_conversation(journal, request.user, request.conversation)
        if request.as_test:
            return await write_test(config, journal, found, request.out)
        if request.annotate is not None:
            return await annotate(config, journal, found, request.annotate)
        if request.as_json:
            return await show_entries(journal, found, console, only=request.turn)
        return await show_turns(
            journal,
            found,
            console,
            only=request.turn,
            timings=request.timings,
            transitions=request.transitions,
        )
