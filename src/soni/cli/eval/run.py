"""Runs an evaluation and prints or writes it."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from soni.cli.eval.curve import CurveView, show_curve
from soni.cli.eval.page import render_evaluation
from soni.cli.eval.render import show_errors, show_figures, show_summary
from soni.cli.options import write_file
from soni.cli.text import clean_text, make_console, make_progress, print_verdict
from soni.pages.numbers import format_interval, format_share
from soni.testing.evaluate import Evaluation, Figures
from soni.testing.evaluate.curve import Curve


@dataclass(frozen=True)
class EvalOptions:
    """What is to be told, and where."""

    name: str
    """The assistant's."""

    errors: bool
    html: Path | None
    as_json: bool
    fail_under: float | None
    provider: str | None = None
    """Who is asked, if not the one that the settings name."""

    curve: bool = False
    """Whether to tell what a cascade would bring."""

    target: float | None = None
    """The share of exact sentences that its threshold is to reach."""


async def make_evaluation(evaluation: Evaluation, wanted: EvalOptions) -> bool:
    """Evaluate, then print or write. Returns whether enough is exact and the curve complete."""
    console = make_console()
    figures = await _collect_figures(evaluation, console, wanted)
    curve = CurveView(Curve.of_readings(figures.readings), wanted.target) if wanted.curve else None
    exact = figures.exact
    enough = wanted.fail_under is None or (exact.value or 0.0) >= wanted.fail_under
    answered = curve is None or not curve.curve.failed
    # Reading held-out sentences would lead to tuning on them.
    sentences = evaluation.half != "held-out"
    if wanted.html is not None:
        made = datetime.now().astimezone()
        page = render_evaluation(figures, wanted.name, made, curve, sentences=sentences)
        write_file(wanted.html, page)
    if wanted.as_json:
        data = figures.to_dict(sentences=sentences)
        if curve is not None:
            data["curve"] = curve.curve.to_dict(wanted.target)
        console.print(Text(json.dumps(data, indent=2)), soft_wrap=True)
        return answered and enough
    if wanted.errors:
        show_errors(figures, console)
    if wanted.html is None:
        show_figures(figures, console, sentences=sentences)
        if curve is not None:
            show_curve(curve, console)
    else:
        show_summary(figures, console, sentences=sentences)
        console.print()
        console.print(Text(clean_text(f"written to {wanted.html}")), soft_wrap=True)
    share = f"{format_share(exact.value)} {format_interval(exact.interval)}".strip()
    percent = None if wanted.fail_under is None else 100 * wanted.fail_under
    console.print()
    line = f"{exact.count} of {exact.total} exact, {share}"
    print_verdict(console, line, percent, enough=enough)
    return answered and enough


async def _collect_figures(
    evaluation: Evaluation, console: Console, wanted: EvalOptions
) -> Figures:
    total = sum(1 for _ in evaluation.iter_samples())
    with make_progress(console, "  asking") as progress:
        task = progress.add_task("", total=total)
        outcome = await evaluation.run(
            heard=lambda reading: progress.advance(task),
            provider=wanted.provider,
            apart=wanted.curve,
        )
    return Figures(outcome)
