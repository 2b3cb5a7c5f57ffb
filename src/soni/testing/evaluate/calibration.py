"""Calibration: whether a provider that is 80 % sure is right 80 % of the time."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.testing.evaluate.sample import Reading

BINS: Final = 10


@dataclass(frozen=True)
class Bin:
    """The readings whose confidence lies between two bounds."""

    low: float
    high: float
    count: int
    confidence: float
    """Their mean confidence."""

    right: float
    """The share of them that is right."""

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "from": self.low,
            "to": self.high,
            "count": self.count,
            "confidence": round(self.confidence, 4),
            "right": round(self.right, 4),
        }


@dataclass(frozen=True)
class Calibration:
    """Confidence beside what was right, in bins that are not empty."""

    bins: tuple[Bin, ...]
    auroc: float | None = None
    """AUROC: how often a right reading has a higher confidence than a wrong one."""

    @classmethod
    def from_readings(cls, readings: Sequence[Reading]) -> "Calibration":
        """Of these readings."""
        binned: dict[int, list[Reading]] = {}
        for reading in readings:
            at = min(BINS - 1, max(0, int(reading.confidence * BINS)))
            binned.setdefault(at, []).append(reading)
        bins = tuple(_make_bin(at, binned[at]) for at in sorted(binned))
        return cls(bins, _compute_auroc(readings))

    @property
    def error(self) -> float | None:
        """The expected calibration error: how far off the confidence is, on average."""
        total = sum(each.count for each in self.bins)
        if not total:
            return None
        return sum(each.count * abs(each.confidence - each.right) for each in self.bins) / total

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        error = self.error
        return {
            "expected_error": None if error is None else round(error, 4),
            "auroc": None if self.auroc is None else round(self.auroc, 4),
            "bins": [each.to_dict() for each in self.bins],
        }


def _make_bin(at: int, readings: Sequence[Reading]) -> Bin:
    count = len(readings)
    confidence = sum(reading.confidence for reading in readings) / count
    right = sum(reading.right for reading in readings) / count
    return Bin(at / BINS, (at + 1) / BINS, count, confidence, right)


def _compute_auroc(readings: Sequence[Reading]) -> float | None:
    right = sorted(reading.confidence for reading in readings if reading.right)
    wrong = sorted(reading.confidence for reading in readings if not reading.right)
    if not right or not wrong:
        return None
    # Ties count half.
    above = sum(bisect_left(wrong, each) + bisect_right(wrong, each) for each in right)
    return above / (2 * len(right) * len(wrong))
