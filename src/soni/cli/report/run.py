"""Makes a report and prints or writes it."""

import json
import math
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from soni.audit.report.figures import OUTCOMES, Figures
from soni.audit.report.page import list_tasks, render_report
from soni.audit.report.summary import Period, summarize_journal
from soni.audit.source import keeps_all, open_journal
from soni.audit.turn import to_datetime
from soni.cli.options import write_file
from soni.cli.text import clean_text, make_console, show_rows, show_table
from soni.config.soni_config import SoniConfig
from soni.pages.numbers import format_duration, format_percent, format_time

_MAX_LISTED = 10
_HEAD = ("what", "times")


async def make_report(
    config: SoniConfig,
    name: str,
    span: tuple[datetime | None, datetime | None],
    html: Path | None,
    *,
    as_json: bool,
) -> bool:
    """Print or write the report. Returns whether every journal is unchanged."""
    now = datetime.now().astimezone()
    since, until = span
    period = Period(
        since.timestamp() if since else -math.inf,
        (until or now).timestamp(),
        config.settings.conversation.session_timeout,
        is_pruned=not keeps_all(config),
    )
    async with open_journal(config) as journal:
        figures = await summarize_journal(journal, period)
    console = make_console()
    if html is not None:
        write_file(html, render_report(figures, name, now))
    if as_json:
        console.print(Text(json.dumps(figures.to_dict(), indent=2)), soft_wrap=True)
    elif html is None:
        _print_warnings(figures, console)
    else:
        console.print(Text(clean_text(f"written to {html}")), soft_wrap=True)
    return not figures.changed_count


def _print_warnings(figures: Figures, console: Console) -> None:
    if not figures.turns and not figures.failed_turns:
        console.print("no turns in this time")
        return
    _show_totals(figures, console)
    _show_tasks(figures, console)
    tops = (
        ("not understood", figures.not_understood),
        ("questions without an answer", figures.unanswered),
        ("rejected commands", figures.rejected),
        ("handed off", figures.handoffs),
    )
    for title, top in tops:
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


def _show_tasks(figures: Figures, console: Console) -> None:
    outcomes = (each.replace("_", " ") for each in OUTCOMES)
    head = ("flow", "started", *outcomes, "completion", "median turns", "p90")
    show_rows(console, "tasks", head, list_tasks(figures))
    show_rows(console, "where people leave", _HEAD, figures.exits[:_MAX_LISTED])
