"""Curve: the accuracy of a cascade by the share of messages that its model is asked about."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import Any, Final

from soni.config.settings import Nlu
from soni.testing.evaluate.sample import Reading, Share

TOLERANCE: Final = 0.01
"""How far below the best accuracy the proposal may be."""

TARGET: Final = 0.95
"""The default target for a perfect model."""

USUAL_THRESHOLD: Final = Nlu().threshold
"""The default threshold."""

_FINEST: Final = 1000


@dataclass(frozen=True)
class CurveMessage:
    """The possible outcomes of a cascade for one message."""

    sure: float
    """The highest threshold at which the first answer is enough."""

    kept: bool
    """Whether that answer is right."""

    sent: bool
    """Whether the answer is right if the model is asked."""


@dataclass(frozen=True)
class Point:
    """A cascade with a certain threshold."""

    threshold: float
    asked: Share
    """The messages that the model is asked about."""

    right: Share

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "threshold": self.threshold,
            "asked": self.asked.to_dict(),
            "right": self.right.to_dict(),
        }


@dataclass(frozen=True)
class Curve:
    """A point for every threshold that makes a difference, the fewest calls first."""

    points: tuple[Point, ...]
    perfect: bool = False
    """Whether the expected commands stand in for the model, as an upper bound."""

    needless: bool = False
    """Whether everything is right without a model."""

    failed: int = 0
    """Messages to which the model had no answer: they are not in it, and nothing is proposed."""

    @classmethod
    def from_messages(
        cls, messages: Sequence[CurveMessage], *, perfect: bool = False, failed: int = 0
    ) -> "Curve":
        """Of these messages."""
        ordered = sorted(messages, key=lambda each: each.sure)
        bounds = [each.sure for each in ordered]
        gained = list(accumulate((each.sent - each.kept for each in ordered), initial=0))
        kept = sum(each.kept for each in ordered)
        needless = kept == len(ordered) and not failed
        found: dict[int, Point] = {}
        for threshold in [USUAL_THRESHOLD, *_list_thresholds()] if needless else _list_thresholds():
            asked = bisect_left(bounds, threshold)
            if asked not in found:
                right = Share(kept + gained[asked], len(ordered))
                found[asked] = Point(threshold, Share(asked, len(ordered)), right)
        return cls(tuple(found[asked] for asked in sorted(found)), perfect, needless, failed)

    @classmethod
    def of_readings(cls, readings: Iterable[Reading]) -> "Curve":
        """Of a cascade whose providers were both asked; of another, with a perfect model."""
        readings = list(readings)
        perfect = not any(reading.apart for reading in readings)
        answered = [_make_message(each) for each in readings if each.model_error is None]
        return cls.from_messages(answered, perfect=perfect, failed=len(readings) - len(answered))

    @property
    def best(self) -> Point:
        """The point with the best accuracy, and of those the fewest calls."""
        return max(self.points, key=lambda point: (point.right.count, -point.asked.count))

    def compute_goal(self, target: float | None = None) -> float:
        """The accuracy to reach: the target if given, else nearly the best possible."""
        if target is not None:
            return target
        best = self.best.right.value or 0.0
        return min(TARGET, best) if self.perfect else max(0.0, best - TOLERANCE)

    def propose_point(self, target: float | None = None) -> Point | None:
        """The point that reaches the goal with the fewest calls; None if there is none.

        If these messages need no model, others may: then the default threshold is proposed.
        """
        if self.failed:
            return None
        goal = self.compute_goal(target) - 1e-9
        enough = [each for each in self.points if (each.right.value or 0.0) >= goal]
        usual = [each for each in enough if self.needless and each.threshold == USUAL_THRESHOLD]
        return next(iter(usual or enough), None)

    def choose_points(self, count: int, besides: Iterable[Point]) -> list[Point]:
        """A number of points, evenly spread from the fewest to the most calls, and some others."""
        last = self.points[-1].asked.count
        steps = (last * at / max(1, count - 1) for at in range(count))
        near = {min(self.points, key=lambda point: abs(point.asked.count - step)) for step in steps}
        return sorted({*near, *besides}, key=lambda point: point.asked.count)

    def to_dict(self, target: float | None = None) -> dict[str, Any]:
        """As data."""
        proposed = self.propose_point(target)
        return {
            "perfect_model": self.perfect,
            "model_needed": not self.needless,
            "failed": self.failed,
            "target": round(self.compute_goal(target), 4),
            "proposed": proposed and proposed.to_dict(),
            "points": [point.to_dict() for point in self.points],
        }


def _list_thresholds() -> list[float]:
    """The possible thresholds, the roundest first: equivalent ones are shown as that one."""
    grid = [step / _FINEST for step in range(_FINEST)]
    # A threshold of 1 sends all that is not certain, so it is a last resort.
    return [*sorted(grid, key=lambda value: (len(f"{value:g}"), value)), 1.0]


def _make_message(reading: Reading) -> CurveMessage:
    kept, sent = reading.apart or (reading, None)
    if sent is not None:
        return CurveMessage(kept.sure, kept.right, sent.right)
    # The expected commands stand in for the model, unless the message is never sent to it.
    sendable = reading.apart is None and kept.sure < inf
    return CurveMessage(kept.sure, kept.right, sendable or kept.right)
