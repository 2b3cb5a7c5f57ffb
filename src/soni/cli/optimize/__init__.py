"""soni optimize: understanding an assistant better, from sentences whose meaning is known."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from soni.cli.check import report_problems
from soni.cli.options import FolderOrFile, Provider, Sentences, log_to_stderr, report_interrupt

NO_BETTER = 3
"""How the command ends if nothing was saved because nothing is better."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("optimize")(optimize)


def optimize(
    path: FolderOrFile,
    files: Sentences = None,
    provider: Provider = None,
    budget: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most calls of a language model.")
    ] = 300,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Another one sets other conversations apart.")
    ] = 0,
    share: Annotated[
        float, typer.Option("--share-held-out", min=0.1, max=0.9, help="How much is set apart.")
    ] = 0.3,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the program goes; in DIR.")
    ] = None,
    tuning: Annotated[
        bool, typer.Option("--tuning", help="Only the half that `soni eval --tuning` takes.")
    ] = False,
) -> None:
    """Learn from sentences whose meaning is written down, and save what helps with others.

    Part of the conversations is set apart. What was learnt from the rest is saved only if more
    sentences of that part are understood than before; otherwise it exits with 3.
    """
    # Only this verb needs all of Soni, and `soni --help` should not wait for it.
    from soni.cli.optimize.run import OptimizeOptions, optimize_and_save
    from soni.cli.text import report_errors

    log_to_stderr()
    wanted = OptimizeOptions(
        path, tuple(files or ()), provider, budget, seed, share, output, tuning
    )
    with report_interrupt("stopped; nothing was saved"), report_errors(), report_problems():
        better = asyncio.run(optimize_and_save(wanted))
    if not better:
        raise typer.Exit(NO_BETTER)
