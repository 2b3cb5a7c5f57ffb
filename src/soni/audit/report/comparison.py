"""Figures side by side: before and after a deployment, real users and others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import hypot
from typing import Any, Final

from soni.audit.report.figures import Figures
from soni.audit.source import iter_conversations, iter_entries
from soni.audit.turn import RecordedTurn
from soni.core.errors import SoniError
from soni.core.storage import Journal
from soni.core.storage_errors import JournalError
from soni.testing.evaluate.sample import Share

LAST: Final = "last"
BEFORE, AFTER = "before", "after"
_LISTED: Final = 5


class ComparisonError(SoniError):
    """There is nothing to compare; the message says why, and what there is."""


@dataclass(frozen=True)
class Side:
    """One of several sets of conversations."""

    name: str
    figures: Figures


@dataclass(frozen=True)
class Measure:
    """A share of the same thing on each side."""

    name: str
    shares: tuple[Share, ...]

    @property
    def difference(self) -> tuple[float, bool] | None:
        """By how much the second is above the first, and whether that is more than chance.

        It is, if the 95 % interval of the difference (Newcombe's, made of Wilson's) excludes zero.
        """
        first, second = self.shares[:2]
        if first.value is None or second.value is None:
            return None
        (low1, high1), (low2, high2) = first.interval or (0, 1), second.interval or (0, 1)
        by = second.value - first.value
        low = by - hypot(second.value - low2, high1 - first.value)
        high = by + hypot(high2 - second.value, first.value - low1)
        return by, low > 0 or high < 0

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        found = self.difference
        return {
            "measure": self.name,
            "shares": [share.to_dict() for share in self.shares],
            "difference": found and found[0],
            "is_clear": found and found[1],
        }


_OUTCOMES: Final = ("completed", "cancelled", "abandoned", "handed_off", "failed")


def compare_sides(sides: Sequence[Side]) -> list[Measure]:
    """What happened on any side, as shares: sides differ in size. The most important come first."""

    def measure(name: str, compute: Callable[[Figures], tuple[int, int]]) -> Measure:
        return Measure(name, tuple(Share(*compute(side.figures)) for side in sides))

    def count_outcome(outcome: str) -> Callable[[Figures], tuple[int, int]]:
        return lambda figures: (
            figures.tasks.outcomes[outcome],
            figures.tasks.total_started - figures.tasks.outcomes["open"],
        )

    found = [measure(f"tasks {name.replace('_', ' ')}", count_outcome(name)) for name in _OUTCOMES]
    found += [
        measure("messages not understood", lambda each: (each.not_understood.total, each.messages)),
        measure("questions without an answer", lambda each: (each.answers["none"], each.questions)),
        measure(
            "questions answered with a description",
            lambda each: (each.answers["description"], each.questions),
        ),
        measure(
            "turns that failed", lambda each: (each.failed_turns, each.failed_turns + each.turns)
        ),
    ]
    return [each for each in found if any(share.count for share in each.shares)]


def compare_flows(sides: Sequence[Side]) -> list[Measure]:
    """The share of completed tasks of each flow, those with the most tasks first."""
    names = {name: 0 for side in sides for name in side.figures.flows}
    for side in sides:
        for name, flow in side.figures.flows.items():
            names[name] += flow.total_started
    ordered = sorted(names, key=lambda name: (-names[name], name))
    return [
        Measure(name, tuple(_count_completed(side, name) for side in sides)) for name in ordered
    ]


def _count_completed(side: Side, name: str) -> Share:
    flow = side.figures.flows.get(name)
    if flow is None:
        return Share(0, 0)
    return Share(flow.outcomes["completed"], flow.total_started - flow.outcomes["open"])


def compare_sentences(sides: Sequence[Side], limit: int) -> list[tuple[str, tuple[int, ...]]]:
    """What was not understood, with how often on each side."""
    counts = [dict(side.figures.not_understood.list_most(1000)) for side in sides]
    texts = {text: sum(each.get(text, 0) for each in counts) for each in counts for text in each}
    ordered = sorted(texts, key=lambda text: (-texts[text], text))[:limit]
    return [(text, tuple(each.get(text, 0) for each in counts)) for text in ordered]


async def find_deployments(journal: Journal) -> dict[str, float]:
    """When each version of the assistant was first talked to, the oldest first.

    Forks are not people who talk: an author may hold old turns again with any version.
    """
    found: dict[str, float] = {}
    async for each in iter_conversations(journal):
        is_fork = False
        try:
            async for entry in iter_entries(journal, each.conversation_id):
                turn = RecordedTurn(entry)
                is_fork = turn.is_of_fork(before=is_fork)
                version = turn.version
                if version is not None and not is_fork:
                    found[version] = min(entry.at, found.get(version, entry.at))
        except JournalError:
            continue  # the summary names what cannot be read
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def split_by_version(
    wanted: str, deployments: Mapping[str, float]
) -> Callable[[RecordedTurn], str]:
    """Which turns are of that version or a later one. `last` is the newest."""
    known = ", ".join(list(deployments)[-_LISTED:]) or "none"
    matching = [name for name in deployments if name.startswith(wanted)]
    if wanted == LAST:
        matching = list(deployments)[-1:]
    if len(matching) != 1:
        raise ComparisonError(
            f"'{wanted}' is neither a date nor one version of this assistant that was talked to. "
            f"The newest are: {known}."
        )
    since = deployments[matching[0]]
    if len(deployments) == 1:
        raise ComparisonError(
            f"there is nothing before {matching[0]}: all conversations were held with it. "
            "Compare with a date instead, such as 2026-03-02."
        )
    later = {name for name, first_at in deployments.items() if first_at >= since}
    return lambda turn: AFTER if turn.version in later else BEFORE


def split_by_time(moment: datetime) -> Callable[[RecordedTurn], str]:
    """Which turns came at that moment or later."""
    at = moment.timestamp()
    return lambda turn: AFTER if turn.entry.at >= at else BEFORE
