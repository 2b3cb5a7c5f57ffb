"""The report as one page that needs nothing else: no network, no script."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from soni.audit.report.figures import OUTCOMES, Figures
from soni.audit.turn import to_datetime
from soni.pages.numbers import format_count, format_duration, format_percent, format_time
from soni.pages.page import (
    Html,
    render_alert,
    render_cards,
    render_page,
    render_section,
    render_table,
)
from soni.pages.plots import Series, draw_bars, draw_columns, draw_stacked_bars

_FLOWS, _STEPS, _TURNS = 30, 15, 20
_SERIES: Final = (
    Series("completed", "good"),
    Series("cancelled", "caution"),
    Series("abandoned", "poor"),
    Series("handed off", "info"),
    Series("failed", "bad"),
    Series("open", "idle"),
)
"""How each of the outcomes is shown, in their order."""


def render_report(figures: Figures, name: str, made: datetime) -> str:
    """The whole page. Nothing that came from people or files is more than text on it."""
    subtitle = f"{_describe_period(figures)}. Made {format_time(made)}."
    return render_page(f"Conversations with {name}", subtitle, *_render_body(figures))


def _render_body(figures: Figures) -> Iterator[Html]:
    yield _render_cards(figures)
    if figures.changed_count:
        yield render_alert(
            "Journals that were changed",
            f"The record of {figures.changed_count} of the conversations is not what was written: "
            f"{', '.join(figures.changed)}. Do not rely on their figures.",
        )
    yield from _render_tasks(figures)
    yield from _render_activity(figures)
    yield from _render_lists(figures)


def _describe_period(figures: Figures) -> str:
    if figures.first_at is None or figures.last_at is None:
        return "No conversation in this time"
    first, last = to_datetime(figures.first_at), to_datetime(figures.last_at)
    return f"{format_time(first)} to {format_time(last)}"


def _render_cards(figures: Figures) -> Html:
    tasks = figures.tasks
    return render_cards(
        (
            ("conversations", figures.conversations),
            ("messages", figures.messages),
            ("tasks started", tasks.total_started),
            ("completed", format_percent(tasks.completion)),
            ("messages per task", format_count(tasks.turns.compute_percentile(0.5))),
            ("not understood", figures.not_understood.total),
            ("handed off", figures.handoffs.total),
            ("half of all turns within", format_duration(figures.latency.compute_percentile(0.5))),
        )
    )


def _render_tasks(figures: Figures) -> Iterator[Html]:
    if not figures.flows:
        return
    shown = figures.ranked_flows[:_FLOWS]
    bars = [(name, [flow.outcomes[each] for each in OUTCOMES]) for name, flow in shown]
    head = ["flow", "started", *(each.name for each in _SERIES), "rate", "median", "p90"]
    yield render_section(
        "Tasks",
        "Abandoned: left without a word for longer than a session lasts. Rate: completed, of "
        "those that are over. Median and p90: messages that a completed task took.",
        draw_stacked_bars("Tasks by what became of them", _SERIES, bars),
        render_table(head, list_tasks(figures)),
    )
    if figures.exits:
        yield render_section(
            "Where people leave",
            "Steps at which a task was cancelled, abandoned, handed off or failed.",
            draw_bars("Where people leave", figures.exits[:_STEPS], "poor"),
            render_table(["step", "tasks"], figures.exits),
        )


def list_tasks(figures: Figures) -> list[tuple[object, ...]]:
    """A row for each flow: its tasks by outcome, how many were completed, how long they took."""
    return [
        (
            name,
            flow.total_started,
            *(flow.outcomes[outcome] for outcome in OUTCOMES),
            format_percent(flow.completion),
            format_count(flow.turns.compute_percentile(0.5)),
            format_count(flow.turns.compute_percentile(0.9)),
        )
        for name, flow in figures.ranked_flows
    ]


def _render_activity(figures: Figures) -> Iterator[Html]:
    days = [(day.isoformat(), count) for day, count in figures.timeline.iter_bars()]
    if not days:
        return
    together = figures.timeline.days
    note = "Turns per day." if together == 1 else f"Turns, {together} days in each column."
    yield render_section("Activity", note, draw_columns("Turns over time", days, "turns"))
    sizes = figures.tasks.turns.counts
    if sizes:
        last = min(max(sizes), _TURNS)
        beyond = sum(count for size, count in sizes.items() if size > last)
        groups = [(str(size), sizes[size]) for size in range(min(sizes), last + 1)]
        groups += [(f"> {last}", beyond)] if beyond else []
        plot = draw_columns("Messages per completed task", groups, "tasks")
        note = "How many messages a completed task took."
        yield render_section("Messages per task", note, plot)
    yield _render_times(figures)


def _render_times(figures: Figures) -> Html:
    slow = [(format_duration(end), count) for end, count in figures.latency.iter_bars()]
    spreads = (("turn", figures.latency), ("understanding", figures.understanding))
    shares = (0.5, 0.9, 0.95, 0.99)
    rows = [
        (name, *(format_duration(spread.compute_percentile(share)) for share in shares))
        for name, spread in spreads
    ]
    return render_section(
        "Time per turn",
        "",
        draw_columns("Time per turn", slow, "turns"),
        render_table(["", "p50", "p90", "p95", "p99"], rows),
    )


def _render_lists(figures: Figures) -> Iterator[Html]:
    tops = (
        ("Not understood", "Messages from which nothing followed.", figures.not_understood),
        ("Questions without an answer", "Asked beside the task.", figures.unanswered),
        ("Rejected commands", "Understood, but not carried out.", figures.rejected),
        ("Handed off", "Why a person took over.", figures.handoffs),
    )
    for title, note, top in tops:
        if top.total:
            rows = top.list_most(30)
            yield render_section(title, note, render_table(["what", "times"], rows))
    if figures.refused:
        rows = figures.refused.most_common(30)
        yield render_section("Refused values", "By slot.", render_table(["slot", "times"], rows))
    corrected = [(name, flow.corrections) for name, flow in figures.flows.items()]
    rows = sorted(((n, c) for n, c in corrected if c), key=lambda row: (-row[1], row[0]))
    if rows:
        yield render_section("Corrections", "By flow.", render_table(["flow", "times"], rows))
