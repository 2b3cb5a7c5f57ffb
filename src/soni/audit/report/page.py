"""The report as one page that needs nothing else: no network, no script."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from soni.audit.report.comparison import compare_flows, compare_sentences, compare_sides
from soni.audit.report.counts import TopCounter
from soni.audit.report.figures import OUTCOMES, Figures
from soni.audit.report.funnel import build_funnel
from soni.audit.report.likeness import group_alike
from soni.audit.report.tables import Report, list_answers, list_measures, list_tasks, list_versions
from soni.audit.turn import to_datetime
from soni.pages.numbers import format_count, format_duration, format_percent, format_time
from soni.pages.page import (
    Html,
    render_alert,
    render_cards,
    render_folded,
    render_page,
    render_part,
    render_section,
    render_table,
)
from soni.pages.plots import Series, Tone, draw_bars, draw_columns, draw_shares, draw_stacked_bars

_FLOWS, _FUNNELS, _STEPS, _TURNS, _LISTED = 30, 8, 15, 20, 30
_SERIES: Final = (
    Series("completed", "good"),
    Series("cancelled", "caution"),
    Series("abandoned", "poor"),
    Series("handed off", "info"),
    Series("failed", "bad"),
    Series("open", "idle"),
)
"""How each of the outcomes is shown, in their order."""

_FUNNEL: Final = (Series("went on", "plain"), Series("stopped here", "poor"))
_SIDES: Final[tuple[Tone, ...]] = ("idle", "plain", "good", "caution")


def render_report(report: Report, made: datetime) -> str:
    """The whole page. Nothing that came from people or files is more than text on it."""
    subtitle = f"{_describe_period(report.figures)}. Made {format_time(made)}."
    return render_page(f"Conversations with {report.name}", subtitle, *_render_body(report))


def _render_body(report: Report) -> Iterator[Html]:
    figures = report.figures
    yield _render_cards(figures)
    if figures.changed_count:
        yield render_alert(
            "Journals that were changed",
            f"The record of {figures.changed_count} of the conversations is not what was written: "
            f"{', '.join(figures.changed)}. Do not rely on their figures.",
        )
    if figures.is_sample:
        yield render_alert(
            "A part of the conversations",
            f"There are more than may be read at once. These are {figures.conversations} of them.",
        )
    yield from _render_comparison(report)
    yield from _render_tasks(report)
    yield from _render_not_understood(figures)
    yield from _render_questions(figures)
    yield from _render_lists(figures)
    yield from _render_activity(figures)


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


def _render_comparison(report: Report) -> Iterator[Html]:
    sides = report.sides
    if len(sides) < 2:
        return
    series = [Series(side.name, tone) for side, tone in zip(sides, _SIDES, strict=False)]
    measures, flows = compare_sides(sides), compare_flows(sides)[:_FLOWS]
    bars = [(each.name, [share.value for share in each.shares]) for each in measures]
    completed = [(each.name, [share.value for share in each.shares]) for each in flows]
    names = [side.name for side in sides]
    head = ["share", *names, "difference"]
    sizes = [
        ("conversations", *(side.figures.conversations for side in sides)),
        ("tasks started", *(side.figures.tasks.total_started for side in sides)),
        ("messages", *(side.figures.messages for side in sides)),
    ]
    sentences = [(text, *counts) for text, counts in compare_sentences(sides, _LISTED)]
    yield render_section(
        f"{report.about_sides}",
        "A difference between the first two that is more than chance (95 %) is marked as clear. "
        "A task counts where it began.",
        draw_shares("Shares on each side", series, bars),
        render_table(head, list_measures(measures)),
        render_table(["count", *names], sizes),
        render_part("Completed, by flow", draw_shares("Completed, by flow", series, completed)),
        render_folded("As a table", render_table(head, list_measures(flows))),
        render_part("Not understood", render_table(["sentence", *names], sentences)),
    )


def _render_tasks(report: Report) -> Iterator[Html]:
    figures = report.figures
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
            "Where people stop",
            "The steps at which tasks stood, in the order of the flow. Stopped: cancelled, "
            "abandoned, handed off or failed there. Whoever says all at once passes steps by.",
            *_render_funnels(report),
            render_folded(
                "All steps at which tasks stopped", render_table(["step", "tasks"], figures.exits)
            ),
        )


def _render_funnels(report: Report) -> Iterator[Html]:
    left = [(name, flow) for name, flow in report.figures.ranked_flows if flow.left_at]
    for name, flow in left[:_FUNNELS]:
        stages = build_funnel(name, flow, report.flows)[:_STEPS]
        bars = [(each.step, [each.reached - each.stopped, each.stopped]) for each in stages]
        rows = [
            (each.step, each.reached, each.stopped, format_percent(each.share)) for each in stages
        ]
        head = ["step", "reached", "stopped", "share"]
        yield render_part(
            name,
            draw_stacked_bars(f"Where people stop in {name}", _FUNNEL, bars),
            render_folded("As a table", render_table(head, rows)),
        )


def _render_not_understood(figures: Figures) -> Iterator[Html]:
    if not figures.not_understood.total:
        return
    groups = group_alike(figures.not_understood.list_most(500), _LISTED)
    texts: tuple[int, ...] = (0, 1)
    head = ["sentence", "some that are like it", "sentences", "times"]
    rows: list[Sequence[object]] = [
        (each.sentence, "; ".join(each.others), each.sentences, each.times) for each in groups
    ]
    if not any(each.others for each in groups):
        head, texts = ["sentence", "times"], (0,)
        rows = [(each.sentence, each.times) for each in groups]
    places = figures.lost_at.most_common(_STEPS)
    yield render_section(
        "Not understood",
        "Messages from which nothing followed. Sentences that share most of their letters are in "
        "one row. Sensitive values, long numbers and mail addresses are masked.",
        render_table(head, rows, texts=texts),
        render_part("Where it was said", draw_bars("Where it was said", places, "poor")),
    )


def _render_questions(figures: Figures) -> Iterator[Html]:
    if not figures.questions:
        return
    yield render_section(
        "Questions beside the task",
        "A flow's description that is read out may be no answer, so it is counted by itself.",
        draw_bars("What questions were answered with", list_answers(figures)),
        *_render_top("Without an answer", figures.unanswered),
        *_render_top("Answered with a flow's description", figures.described),
    )


def _render_top(title: str, top: TopCounter) -> Iterator[Html]:
    if top.total:
        rows = top.list_most(_LISTED)
        yield render_part(title, render_table(["sentence", "times"], rows))


def _render_lists(figures: Figures) -> Iterator[Html]:
    tops = (
        ("Handed off", "Why a person took over.", figures.handoffs),
        ("Rejected commands", "Understood, but not carried out.", figures.rejected),
    )
    for title, note, top in tops:
        if top.total:
            rows = top.list_most(_LISTED)
            yield render_section(title, note, render_table(["what", "times"], rows))
    if figures.refused:
        rows = figures.refused.most_common(_LISTED)
        yield render_section("Refused values", "By slot.", render_table(["slot", "times"], rows))
    corrected = [(name, flow.corrections) for name, flow in figures.flows.items()]
    rows = sorted(((n, c) for n, c in corrected if c), key=lambda row: (-row[1], row[0]))
    if rows:
        yield render_section("Corrections", "By flow.", render_table(["flow", "times"], rows))


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
    if len(figures.versions) > 1:
        rows = list_versions(figures)
        table = render_table(["version", "first used", "turns"], rows, texts=(0, 1))
        yield render_section("Versions", "Of the assistant, the newest first.", table)


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
