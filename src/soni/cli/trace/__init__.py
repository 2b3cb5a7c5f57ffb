"""soni trace: what the journal of an assistant says about its conversations."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from soni.cli.check import report_problems
from soni.cli.options import Conversation, Folder
from soni.config.soni_config import SoniConfig


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("trace")(trace)


def trace(
    path: Folder,
    user: Annotated[
        str | None, typer.Argument(metavar="USER", help="Whose conversation; none: list all.")
    ] = None,
    conversation: Conversation = None,
    turn: Annotated[int | None, typer.Option(metavar="N", help="Only this turn.")] = None,
    timings: Annotated[bool, typer.Option("--timings", help="How long each turn took.")] = False,
    transitions: Annotated[
        bool, typer.Option("--transitions", help="The states that each turn went through.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The entries as they are, a line of JSON for each.")
    ] = False,
    as_test: Annotated[
        bool, typer.Option("--as-test", help="Write the conversation as a test.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the test goes; else it is printed.")
    ] = None,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what was said and understood there, to edit."),
    ] = None,
) -> None:
    """List the conversations of an assistant, or show one of them turn by turn.

    Exits with 1 if the journal was changed since it was written.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.text import report_errors
    from soni.cli.trace.run import TraceOptions, run_trace

    if as_test and (as_json or turn is not None):
        raise typer.BadParameter("a test is written of a whole conversation, and not as JSON")
    if out is not None and not as_test:
        raise typer.BadParameter("only a test can be written to a file; add --as-test")
    if (as_test or annotate) and user is None and conversation is None:
        what = "a test is" if as_test else "sentences are"
        raise typer.BadParameter(f"{what} written of one conversation; name its USER")
    if annotate is not None and (as_test or as_json or turn is not None):
        raise typer.BadParameter("sentences are written of a whole conversation, and nothing else")
    config = load_assistant(path)
    request = TraceOptions(
        user, conversation, turn, timings, as_json, as_test, out, annotate, transitions
    )
    with report_errors():
        whole = asyncio.run(run_trace(config, request))
    if not whole:
        raise typer.Exit(1)


def load_assistant(path: Path) -> SoniConfig:
    """The assistant, or its problems and the end of the command."""
    with report_problems():
        return SoniConfig.load(path)
