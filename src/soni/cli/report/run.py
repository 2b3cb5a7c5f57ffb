"""Makes a report and prints or writes it."""

import json
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from soni.audit.report.comparison import compare_flows, compare_sentences, compare_sides
from soni.audit.report.figures import OUTCOMES, Figures
from soni.audit.report.funnel import build_funnel
from soni.audit.report.likeness import group_alike
from soni.audit.report.page import render_report
from soni.audit.report.request import ReportRequest, make_report
from soni.audit.report.tables import Report, list_answers, list_measures, list_tasks
from soni.audit.turn import to_datetime
from soni.cli.options import write_file
from soni.cli.text import clean_text, make_console, show_rows, show_table
from soni.config.soni_config import SoniConfig
from soni.pages.numbers import format_duration, format_percent, format_time

_MAX_LISTED = 10
_HEAD = ("what", "times")


@dataclass(frozen=True)
class Output:
    """Where a report goes."""

    html: Path | None = None
    as_json: bool = False


async def show_report(
    config: SoniConfig, name: str, request: ReportRequest, output: Output
) -> bool:
    """Print or write the report. Returns whether every journal is unchanged."""
    report = await make_report(config, name, request)
    console = make_console()
    if output.html is not None:
        write_file(output.html, render_report(report, request.made))
    if output.as_json:
        console.print(Text(json.dumps(report.to_dict(), indent=2)), soft_wrap=True)
    elif output.html is None:
        _print_report(report, console)
    else:
        console.print(Text(clean_text(f"written to {output.html}")), soft_wrap=True)
    return not report.figures.changed_count


def _print_report(report: Report, console: Console) -> None:
    figures = report.figures
    if not figures.turns and not figures.failed_turns:
        console.print("no turns in this time")
        return
    _show_totals(figures, console)
    _show_comparison(report, console)
    _show_tasks(report, console)
    _show_sentences(figures, console)
    for title, top in (("rejected commands", figures.rejected), ("handed off", figures.handoffs)):
        show_rows(console, title, _HEAD, top.list_most(_MAX_LISTED))
    show_rows(console, "refused values", _HEAD, figures.refused.most_common(_MAX_LISTED))
    if figures.changed_count:
        names = ", ".join(figures.changed)
        said = f"{figures.changed_count} journals were changed since they were written: {names}"
        console.print()
        console.print(Text(clean_text(said), "bold red"), soft_wrap=True)


def _show_totals(figures: Figures, console: Console) -> None:
    tasks = figures.tasks
    first, last = figures.first_at or 0.0, figures.last_at or 0.0
    shares = {"median": 0.5, "p95": 0.95, "p99": 0.99}
    times = (
        f"{format_duration(figures.latency.compute_percentile(share))} {name}"
        for name, share in shares.items()
    )
    rows = [
        ("from", format_time(to_datetime(first))),
        ("to", format_time(to_datetime(last))),
        ("conversations", figures.conversations),
        ("turns", f"{figures.turns}, {figures.failed_turns} more failed"),
        ("messages", figures.messages),
        ("not understood", figures.not_understood.total),
        ("tasks started", tasks.total_started),
        ("completed of those over", format_percent(tasks.completion)),
        ("corrections", figures.corrections),
        ("handed off", figures.handoffs.total),
        ("time per turn", ", ".join(times)),
    ]
    show_table(console, "", ("figure", "value"), rows)


def _show_comparison(report: Report, console: Console) -> None:
    sides = report.sides
    if not sides:
        return
    names = [side.name for side in sides]
    head = ("share", *names, "difference")
    title = report.about_sides.lower()
    show_rows(console, title, head, list_measures(compare_sides(sides)))
    flows = list_measures(compare_flows(sides)[:_MAX_LISTED])
    show_rows(console, "completed, by flow", head, flows)
    sentences = [(text, *counts) for text, counts in compare_sentences(sides, _MAX_LISTED)]
    show_rows(console, "not understood, on each side", ("sentence", *names), sentences)


def _show_tasks(report: Report, console: Console) -> None:
    figures = report.figures
    outcomes = (each.replace("_", " ") for each in OUTCOMES)
    head = ("flow", "started", *outcomes, "completion", "median turns", "p90")
    show_rows(console, "tasks", head, list_tasks(figures))
    stages = [
        (f"{name}: {stage.step}", stage.reached, stage.stopped, format_percent(stage.share))
        for name, flow in figures.ranked_flows
        if flow.left_at
        for stage in build_funnel(name, flow, report.flows)
    ]
    head = ("step", "reached", "stopped", "share")
    show_rows(console, "where people stop", head, stages[: 3 * _MAX_LISTED])


def _show_sentences(figures: Figures, console: Console) -> None:
    groups = group_alike(figures.not_understood.list_most(500), _MAX_LISTED)
    rows = [(group.list_sentences(), group.times) for group in groups]
    show_rows(console, "not understood", _HEAD, rows)
    places = figures.lost_at.most_common(_MAX_LISTED)
    show_rows(console, "where it was said", ("place", "times"), places)
    show_rows(
        console, "questions beside the task", ("answered with", "times"), list_answers(figures)
    )
    for title, top in (
        ("questions without an answer", figures.unanswered),
        ("questions answered with a flow's description", figures.described),
    ):
        show_rows(console, title, _HEAD, top.list_most(_MAX_LISTED))
