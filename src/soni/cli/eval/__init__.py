"""soni eval: how well an assistant is understood."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.check import print_problems
from soni.core.errors import ConfigError

if TYPE_CHECKING:
    from soni.testing.evaluate import Evaluation
    from soni.testing.evaluate.held_out import Half

_STOPPED = 130
"""What a shell makes of a program that Ctrl-C ended."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("eval")(evaluate)


def evaluate(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="The assistant's folder, or its only file.")
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILES]...", help="Only these sentences and tests."),
    ] = None,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Only the half that is set apart; figures alone.")
    ] = False,
    tuning: Annotated[bool, typer.Option("--tuning", help="Only the other half.")] = False,
    errors: Annotated[
        bool, typer.Option("--errors", help="List every sentence that was not understood.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one page with plots there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    provider: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who understands: local, llm, cascade; or as set."),
    ] = None,
    curve: Annotated[
        bool,
        typer.Option("--curve", help="Draw what a cascade would bring, and propose its threshold."),
    ] = False,
    target: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0, max=1, help="Exact share for --curve: 0.95."),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0, max=1, help="Fail if less than this is exact: 0.9."),
    ] = None,
) -> None:
    """Measure the understanding on sentences whose meaning is written down.

    They are in DIR/nlu/*.yaml, and in conversation tests wherever a turn has `commands` or expects
    some. Exits with 1 if a file has mistakes, there is no sentence, or too little is exact.
    """
    if held_out and tuning:
        raise typer.BadParameter(
            "are the two halves; leave both out for all", param_hint="--tuning"
        )
    if held_out and errors:
        raise typer.BadParameter(
            "are not shown: whoever has seen what was set apart tunes to it", param_hint="--errors"
        )
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.chat.logs import log_to_stderr
    from soni.cli.eval.making import Wanted, make_evaluation
    from soni.cli.trace.text import errors_told

    log_to_stderr()
    half: Half | None = "held-out" if held_out else "tuning" if tuning else None
    evaluation = _loaded(path, files or (), half)
    wanted = Wanted(
        _name(path),
        errors,
        html,
        as_json,
        fail_under,
        provider,
        curve=curve or target is not None,
        target=target,
    )
    try:
        with errors_told():
            good = asyncio.run(make_evaluation(evaluation, wanted))
    except KeyboardInterrupt:
        typer.echo("\nstopped", err=True)
        raise typer.Exit(_STOPPED) from None
    if not good:
        raise typer.Exit(1)


def _loaded(path: Path, files: Sequence[Path], half: "Half | None") -> "Evaluation":
    """The sentences to ask; ends the command if there is none, or a file has mistakes."""
    from soni.testing.evaluate import Evaluation

    try:
        evaluation = Evaluation.load(path, files, half=half)
    except ConfigError as error:
        print_problems(error.problems, stderr=True)
        raise typer.Exit(1) from None
    if next(evaluation.samples(), None) is None:
        which = f" of the {half} half" if half else ""
        typer.echo(f"no sentences{which} in {path}; write some into its nlu/, or name files")
        raise typer.Exit(1)
    return evaluation


def _name(path: Path) -> str:
    return path.absolute().name or "the assistant"
