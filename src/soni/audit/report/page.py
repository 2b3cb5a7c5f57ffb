"""The report as one page that needs nothing else: no network, no script."""

from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import Any, Final

from soni.audit.report.document import cards, document, key, section, table
from soni.audit.report.figures import OUTCOMES, Figures, FlowFigures
from soni.audit.report.plots import Part, bars, columns, stacked
from soni.audit.report.wording import date_and_time, percent, seconds
from soni.audit.turn import moment_of

_FLOWS, _STEPS, _TURNS = 30, 15, 20
_NAMES: Final = {outcome: outcome.replace("_", " ") for outcome in OUTCOMES}


def page(figures: Figures, name: str, made: datetime) -> str:
    """The whole page. Every text that came from people or files is escaped."""
    title = f"Conversations with {name}"
    body = "".join(_body(figures, title, made))
    return document(title, body)


def _body(figures: Figures, title: str, made: datetime) -> Iterator[str]:
    yield f'<header><h1>{escape(title)}</h1>\n<p class="soft">{_span(figures, made)}</p></header>\n'
    yield _cards(figures)
    if figures.changed_count:
        yield _alarm(figures)
    yield from _tasks(figures)
    yield from _activity(figures)
    yield from _lists(figures)


def _span(figures: Figures, made: datetime) -> str:
    if figures.first_at is None or figures.last_at is None:
        return f"No conversation in this time. Made {date_and_time(made)}."
    first, last = moment_of(figures.first_at), moment_of(figures.last_at)
    return f"{date_and_time(first)} to {date_and_time(last)}. Made {date_and_time(made)}."


def _cards(figures: Figures) -> str:
    tasks = figures.tasks
    told = (
        ("conversations", figures.conversations),
        ("messages", figures.messages),
        ("tasks started", tasks.started),
        ("completed", percent(tasks.completion)),
        ("messages per task", _or_dash(tasks.turns.percentile(0.5))),
        ("not understood", figures.not_understood.total),
        ("handed off", figures.handoffs.total),
        ("half of all turns within", seconds(figures.latency.percentile(0.5))),
    )
    return cards(told)


def _alarm(figures: Figures) -> str:
    names = ", ".join(map(escape, figures.changed))
    return (
        '<section class="alarm"><h2>Journals that were changed</h2>'
        f"<p>The record of {figures.changed_count} of the conversations is not what was written: "
        f"{names}. Do not rely on their figures.</p></section>\n"
    )


def _tasks(figures: Figures) -> Iterator[str]:
    flows = sorted(figures.flows.items(), key=lambda item: (-item[1].started, item[0]))
    if not flows:
        return
    rows = [(name, _parts(flow)) for name, flow in flows[:_FLOWS]]
    kinds = key([(outcome, _NAMES[outcome]) for outcome in OUTCOMES])
    plot = kinds + stacked("Tasks by what became of them", rows)
    head = ["flow", "started", *_NAMES.values(), "rate", "median", "p90"]
    rates = table(head, [_flow_row(name, flow) for name, flow in flows])
    note = (
        "Abandoned: left without a word for longer than a session lasts. Rate: completed, of "
        "those that are over. Median and p90: messages that a completed task took."
    )
    yield section("Tasks", note, plot + rates)
    places = [
        (f"{name}: {step}", count)
        for name, flow in flows
        for step, count in flow.left_at.most_common()
    ]
    places.sort(key=lambda place: -place[1])
    if places:
        told = "Steps at which a task was cancelled, abandoned, handed off or failed."
        plot = bars("Where people leave", places[:_STEPS], "abandoned")
        yield section("Where people leave", told, plot + table(["step", "tasks"], places))


def _parts(flow: FlowFigures) -> list[Part]:
    return [Part(_NAMES[each], each, flow.outcomes[each]) for each in OUTCOMES]


def _flow_row(name: str, flow: FlowFigures) -> list[Any]:
    return [
        name,
        flow.started,
        *(flow.outcomes[outcome] for outcome in OUTCOMES),
        percent(flow.completion),
        _or_dash(flow.turns.percentile(0.5)),
        _or_dash(flow.turns.percentile(0.9)),
    ]


def _activity(figures: Figures) -> Iterator[str]:
    days = [(day.isoformat(), count) for day, count in figures.timeline.bars()]
    if not days:
        return
    together = figures.timeline.days
    told = "Turns per day." if together == 1 else f"Turns, {together} days in each column."
    yield section("Activity", told, columns("Turns over time", days, "turns"))
    sizes = figures.tasks.turns.counts
    if sizes:
        last = min(max(sizes), _TURNS)
        beyond = sum(count for size, count in sizes.items() if size > last)
        groups = [(str(size), sizes[size]) for size in range(min(sizes), last + 1)]
        groups += [(f"> {last}", beyond)] if beyond else []
        plot = columns("Messages per completed task", groups, "tasks")
        yield section("Messages per task", "How many messages a completed task took.", plot)
    slow = [(seconds(end), count) for end, count in figures.latency.bars()]
    shares = (0.5, 0.9, 0.95, 0.99)
    row = [seconds(figures.latency.percentile(share)) for share in shares]
    own = [seconds(figures.understanding.percentile(share)) for share in shares]
    times = table(["", "p50", "p90", "p95", "p99"], [["turn", *row], ["understanding", *own]])
    yield section("Time per turn", "", columns("Time per turn", slow, "turns") + times)


def _lists(figures: Figures) -> Iterator[str]:
    tops = (
        ("Not understood", "Messages from which nothing followed.", figures.not_understood),
        ("Questions without an answer", "Asked beside the task.", figures.unanswered),
        ("Rejected commands", "Understood, but not carried out.", figures.rejected),
        ("Handed off", "Why a person took over.", figures.handoffs),
    )
    for title, told, top in tops:
        if top.total:
            rows = top.most(30)
            yield section(title, told, table(["what", "times"], rows))
    if figures.refused:
        rows = figures.refused.most_common(30)
        yield section("Refused values", "By slot.", table(["slot", "times"], rows))
    corrected = [(name, flow.corrections) for name, flow in figures.flows.items()]
    rows = sorted(((n, c) for n, c in corrected if c), key=lambda row: (-row[1], row[0]))
    if rows:
        yield section("Corrections", "By flow.", table(["flow", "times"], rows))


def _or_dash(value: Any) -> Any:
    return "-" if value is None else value
