"""soni replay: a recorded conversation, held again with the flows of today."""

import asyncio
from typing import Annotated

import typer

from soni.cli.options import Conversation, Folder, log_to_stderr
from soni.cli.trace import load_assistant


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("replay")(replay)


def replay(
    path: Folder,
    user: Annotated[
        str,
        typer.Argument(
            metavar="USER|FILE",
            help="Whose conversation, or a file that `soni trace --json` wrote.",
        ),
    ],
    conversation: Conversation = None,
    today: Annotated[
        bool, typer.Option("--today", help="Understand the messages anew, as today.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: a line of JSON for each turn.")
    ] = False,
) -> None:
    """Hold a recorded conversation again, and mark every turn that is different now.

    Commands and results of actions are those on record: nothing is understood anew, unless
    `--today` is given, and no action runs. Exits with 1 if anything is different, or the journal
    was changed.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.replay.run import run_replay
    from soni.cli.text import report_errors

    log_to_stderr()
    config = load_assistant(path)
    with report_errors():
        same = asyncio.run(run_replay(config, user, conversation, as_json=as_json, today=today))
    if not same:
        raise typer.Exit(1)
