"""A conversation on the screen, or as lines for programs."""

from rich.console import Console
from rich.text import Text

from soni.audit.chain import Chain
from soni.audit.source import as_line, iter_entries
from soni.audit.turn import RecordedTurn
from soni.cli.trace.telling import render_turn
from soni.cli.trace.text import clean, console_for_here, print_lines
from soni.core.errors import SoniError
from soni.core.storage import Journal


async def show_turns(
    journal: Journal,
    conversation_id: str,
    console: Console,
    *,
    only: int | None,
    timings: bool,
    transitions: bool = False,
) -> bool:
    """Print every turn, or one; whether the journal is whole."""
    chain, shown = Chain(), 0
    async for entry in chain.follow(iter_entries(journal, conversation_id)):
        if only in (None, entry.turn):
            if shown:
                console.print()
            print_lines(
                console, render_turn(RecordedTurn(entry), timings=timings, transitions=transitions)
            )
            shown += 1
    if only is not None and not shown:
        raise SoniError(f"there is no turn {only} in conversation '{conversation_id}'")
    console.print()
    console.print(verdict(chain), soft_wrap=True)
    return chain.broken is None


async def show_entries(
    journal: Journal, conversation_id: str, console: Console, *, only: int | None
) -> bool:
    """Print every entry as JSON; that the journal is broken is said on stderr."""
    chain = Chain()
    async for entry in chain.follow(iter_entries(journal, conversation_id)):
        if only in (None, entry.turn):
            console.print(Text(as_line(entry)), soft_wrap=True)
    if chain.broken is not None:
        console_for_here(stderr=True).print(verdict(chain), soft_wrap=True)
    return chain.broken is None


def verdict(chain: Chain) -> Text:
    """Whether the journal is what was once written."""
    if chain.broken is not None:
        return Text(clean(f"the journal was changed: {chain.broken}"), "bold red")
    count = f"{chain.length} entr{'y' if chain.length == 1 else 'ies'}"
    return Text(f"{count} verified: the chain of hashes is whole", "green")
