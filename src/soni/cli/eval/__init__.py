"""soni eval: how well an assistant is understood."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from soni.cli.check import print_problems, report_problems
from soni.cli.options import FolderOrFile, Html, Json, Provider, Sentences, report_interrupt
from soni.cli.text import print_text

if TYPE_CHECKING:
    from soni.testing.evaluate import Evaluation
    from soni.testing.evaluate.sample import Half

HeldOut = Annotated[
    bool, typer.Option("--held-out", help="Only the half that is set apart; figures alone.")
]

Tuning = Annotated[bool, typer.Option("--tuning", help="Only the other half.")]

Errors = Annotated[
    bool, typer.Option("--errors", help="List every sentence that was not understood.")
]

Curve = Annotated[
    bool,
    typer.Option("--curve", help="Draw what a cascade would bring, and propose its threshold."),
]

Target = Annotated[
    float | None, typer.Option(metavar="SHARE", min=0, max=1, help="Exact share for --curve: 0.95.")
]

FailUnder = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Fail if less than this is exact: 0.9."),
]

_PROVIDERS_WITH_CONFIDENCE: Final = ("local", "cascade")
"""Providers whose confidence says how likely an answer is right."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("eval")(evaluate)


def evaluate(
    path: FolderOrFile,
    files: Sentences = None,
    held_out: HeldOut = False,
    tuning: Tuning = False,
    errors: Errors = False,
    html: Html = None,
    as_json: Json = False,
    provider: Provider = None,
    curve: Curve = False,
    target: Target = None,
    fail_under: FailUnder = None,
) -> None:
    """Measure the understanding on sentences whose meaning is written down.

    They are in DIR/nlu/*.yaml, and in conversation tests wherever a turn has `commands` or expects
    some. Exits with 1 if a file has mistakes, there is no sentence, too little is exact, or the
    model of --curve fails.
    """
    half = _choose_half(held_out=held_out, tuning=tuning)
    if held_out and errors:
        raise typer.BadParameter(
            "are not shown: whoever has seen what was set apart tunes to it", param_hint="--errors"
        )
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.eval.run import EvalOptions, make_evaluation
    from soni.cli.options import log_to_stderr
    from soni.cli.text import report_errors

    log_to_stderr()
    evaluation = _load_evaluation(path, files or (), half)
    drawn = curve or target is not None
    if drawn:
        _check_unsure(provider or evaluation.config.settings.nlu.provider)
    name = path.absolute().name or "the assistant"
    wanted = EvalOptions(name, errors, html, as_json, fail_under, provider, drawn, target)
    with report_interrupt(), report_errors():
        good = asyncio.run(make_evaluation(evaluation, wanted))
    if not good:
        raise typer.Exit(1)


def _check_unsure(provider: str) -> None:
    if provider not in _PROVIDERS_WITH_CONFIDENCE:
        raise typer.BadParameter(
            f"'{provider}' says of no answer how sure it is, so no threshold can be found with it: "
            "take --provider cascade, or --provider local for a model that is never wrong",
            param_hint="--curve",
        )


def _choose_half(*, held_out: bool, tuning: bool) -> "Half | None":
    """The half that was asked for; None: both."""
    if held_out and tuning:
        raise typer.BadParameter(
            "are the two halves; leave both out for all", param_hint="--tuning"
        )
    return "held-out" if held_out else "tuning" if tuning else None


def _load_evaluation(path: Path, files: Sequence[Path], half: "Half | None") -> "Evaluation":
    """The sentences to ask; ends the command if there is none, or a file has mistakes."""
    from soni.testing.evaluate import Evaluation

    with report_problems():
        evaluation = Evaluation.load(path, files, half=half)
    if next(evaluation.iter_samples(), None) is None:
        which = f" of the {half} half" if half else ""
        print_text(f"no sentences{which} in {path}; write some into its nlu/, or name files")
        raise typer.Exit(1)
    _print_warnings(evaluation)
    return evaluation


def _print_warnings(evaluation: "Evaluation") -> None:
    """Tell what is probably not meant so; of sentences that are set apart, only how often."""
    count = len(evaluation.warnings)
    if count and evaluation.half == "held-out":
        print_text(f"values that their slots do not take (W606): {count}", stderr=True)
    elif count:
        print_problems(evaluation.warnings, stderr=True)
