"""The figures of a report."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from soni.audit.report.counts import Histogram, IntegerHistogram, Timeline, TopCounter

OUTCOMES: Final = ("completed", "cancelled", "abandoned", "handed_off", "failed", "open")
"""What may have become of a task. Of those that were started each is exactly one."""

_MAX_LISTED: Final = 20


@dataclass
class FlowFigures:
    """The tasks of one flow."""

    outcomes: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    """Steps at which a task stood; each counts once for a task."""

    left_at: Counter[str] = field(default_factory=Counter)
    """Steps at which a task was cancelled, abandoned, handed off or failed."""

    turns: IntegerHistogram = field(default_factory=IntegerHistogram)
    """Messages that a completed task took."""

    corrections: int = 0

    @property
    def total_started(self) -> int:
        """All tasks."""
        return self.outcomes.total()

    @property
    def completion(self) -> float | None:
        """The share of ended tasks that were completed."""
        over = self.total_started - self.outcomes["open"]
        return self.outcomes["completed"] / over if over else None

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "started": self.total_started,
            **{outcome: self.outcomes[outcome] for outcome in OUTCOMES},
            "completion": self.completion,
            "turns": {
                "median": self.turns.compute_percentile(0.5),
                "p90": self.turns.compute_percentile(0.9),
            },
            "corrections": self.corrections,
            "reached": dict(self.reached.most_common()),
            "left_at": dict(self.left_at.most_common()),
        }


@dataclass
class Deployment:
    """A version of the assistant in use."""

    first_at: float
    turns: int = 0


@dataclass(eq=False)
class Figures:
    """All figures. Their size grows with the flows, steps and slots, not with the turns."""

    conversations: int = 0
    turns: int = 0
    messages: int = 0
    failed_turns: int = 0
    resets: int = 0
    erased: int = 0
    """Entries that say that somebody's words were erased."""

    first_at: float | None = None
    last_at: float | None = None
    flows: dict[str, FlowFigures] = field(default_factory=dict)
    handoffs: TopCounter = field(default_factory=TopCounter)
    not_understood: TopCounter = field(default_factory=TopCounter)
    lost_at: Counter[str] = field(default_factory=Counter)
    """Where people were when they were not understood, named `flow: step`."""

    answers: Counter[str] = field(default_factory=Counter)
    """Questions beside the task by what they were answered with: `knowledge`, `question`,
    `abilities`, `description` or `none`."""

    unanswered: TopCounter = field(default_factory=TopCounter)
    described: TopCounter = field(default_factory=TopCounter)
    """Questions for which only the flow's description was read out. It may be no answer."""

    rejected: TopCounter = field(default_factory=TopCounter)
    refused: Counter[str] = field(default_factory=Counter)
    """Refused values by slot."""

    corrections: int = 0
    latency: Histogram = field(default_factory=Histogram)
    understanding: Histogram = field(default_factory=Histogram)
    timeline: Timeline = field(default_factory=Timeline)
    versions: dict[str, Deployment] = field(default_factory=dict)
    """The versions of the assistant that were talked to."""

    is_sample: bool = False
    """There were more conversations than may be read at once."""

    changed: list[str] = field(default_factory=list)
    """Conversations whose journal is not what was written; the first few."""

    changed_count: int = 0

    def get_flow(self, name: str) -> FlowFigures:
        """The figures of a flow."""
        return self.flows.setdefault(name, FlowFigures())

    @property
    def ranked_flows(self) -> list[tuple[str, FlowFigures]]:
        """The flows with their names, those with the most tasks first."""
        return sorted(self.flows.items(), key=lambda item: (-item[1].total_started, item[0]))

    @property
    def questions(self) -> int:
        """How many questions were asked beside a task."""
        return self.answers.total()

    @property
    def deployments(self) -> list[tuple[str, Deployment]]:
        """The versions in the order in which they came into use."""
        return sorted(self.versions.items(), key=lambda item: (item[1].first_at, item[0]))

    @property
    def exits(self) -> list[tuple[str, int]]:
        """How many tasks were left at a step, named `flow: step`; the most first."""
        steps = Counter[str]()
        for name, flow in self.ranked_flows:
            steps.update({f"{name}: {step}": count for step, count in flow.left_at.items()})
        return steps.most_common()

    @property
    def tasks(self) -> FlowFigures:
        """All flows together."""
        every = FlowFigures()
        for flow in self.flows.values():
            every.outcomes.update(flow.outcomes)
            every.turns.counts.update(flow.turns.counts)
            every.corrections += flow.corrections
        return every

    def to_dict(self) -> dict[str, Any]:
        """As data, the flows with the most tasks first."""
        tasks = self.tasks.to_dict()
        del tasks["left_at"], tasks["reached"]
        return {
            "conversations": self.conversations,
            "turns": self.turns,
            "messages": self.messages,
            "failed_turns": self.failed_turns,
            "resets": self.resets,
            "erased": self.erased,
            "first_at": self.first_at,
            "last_at": self.last_at,
            "tasks": tasks,
            "flows": {name: flow.to_dict() for name, flow in self.ranked_flows},
            "handoffs": _list_top(self.handoffs),
            "not_understood": _list_top(self.not_understood),
            "lost_at": dict(self.lost_at.most_common()),
            "answers": dict(self.answers.most_common()),
            "unanswered": _list_top(self.unanswered),
            "described": _list_top(self.described),
            "rejected": _list_top(self.rejected),
            "refused": dict(self.refused.most_common()),
            "corrections": self.corrections,
            "latency": _compute_percentiles(self.latency),
            "understanding": _compute_percentiles(self.understanding),
            "versions": [
                {"version": name, "first_at": each.first_at, "turns": each.turns}
                for name, each in self.deployments
            ],
            "is_sample": self.is_sample,
            "changed": {"count": self.changed_count, "conversations": self.changed},
        }


def _list_top(top: TopCounter) -> dict[str, Any]:
    return {"total": top.total, "most": [list(each) for each in top.list_most(_MAX_LISTED)]}


def _compute_percentiles(spread: Histogram) -> dict[str, float | None]:
    shares = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
    found = {name: spread.compute_percentile(share) for name, share in shares.items()}
    return {name: None if at is None else round(at, 6) for name, at in found.items()}
