"""A report, and the rows of its tables, for the page and for the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from soni.audit.report.comparison import Measure, Side, compare_flows, compare_sides
from soni.audit.report.figures import OUTCOMES, Figures
from soni.audit.turn import to_datetime
from soni.config.flow import FlowConfig
from soni.pages.numbers import format_count, format_percent, format_time
from soni.testing.evaluate.sample import Share

ANSWERS: Final = {
    "knowledge": "an entry of knowledge",
    "question": "what the assistant asked, explained",
    "abilities": "what the assistant can do",
    "fallback": "the way out after too many of them",
    "description": "a flow's description, read out",
    "none": "no answer",
}
"""What a question may have been answered with, as people say it."""


@dataclass(frozen=True)
class Report:
    """What was found in the journals of an assistant."""

    name: str
    figures: Figures
    """Of all its conversations in that time."""

    sides: Sequence[Side] = ()
    """What is compared; none, if nothing is."""

    about_sides: str = ""
    """What is compared, in words."""

    flows: Mapping[str, FlowConfig] = field(default_factory=dict)
    """Of today, for the order of their steps."""

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        if not self.sides:
            return self.figures.to_dict()
        compared = {
            "sides": {side.name: side.figures.to_dict() for side in self.sides},
            "measures": [each.to_dict() for each in compare_sides(self.sides)],
            "flows": [each.to_dict() for each in compare_flows(self.sides)],
        }
        return {**self.figures.to_dict(), "comparison": compared}


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


def list_answers(figures: Figures) -> list[tuple[str, int]]:
    """How many questions each kind of answer was given to."""
    return [
        (text, figures.answers[kind]) for kind, text in ANSWERS.items() if figures.answers[kind]
    ]


def list_measures(measures: Sequence[Measure]) -> list[tuple[str, ...]]:
    """A row for each measure: its share on each side, and the difference of the first two."""
    return [
        (each.name, *map(_format_share, each.shares), _format_difference(each)) for each in measures
    ]


def list_versions(figures: Figures, limit: int = 20) -> list[tuple[str, str, int]]:
    """The versions, the newest first."""
    newest = figures.deployments[::-1][:limit]
    return [(name, format_time(to_datetime(each.first_at)), each.turns) for name, each in newest]


def _format_share(share: Share) -> str:
    return f"{format_percent(share.value)} of {share.total}" if share.total else "-"


def _format_difference(measure: Measure) -> str:
    found = measure.difference
    if found is None:
        return "-"
    by, is_clear = found
    if abs(by) < 0.005:
        return "none"
    return f"{100 * by:+.0f} points, {'clear' if is_clear else 'may be chance'}"
