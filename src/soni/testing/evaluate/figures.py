"""Figures: the numbers of an evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from soni.testing.evaluate.calibration import Calibration
from soni.testing.evaluate.confusions import Confusion, find_confusions, find_wrong_values
from soni.testing.evaluate.sample import Reading, Sample, Share, count_right

if TYPE_CHECKING:
    from soni.testing.evaluate.evaluation import Outcome

_MAX_SLOWEST: Final = 10


@dataclass(frozen=True)
class TypeFigures:
    """The counts of one type of command. It is right if all its fields are."""

    right: int
    extra: int
    """Said, but not meant."""

    missed: int
    """Meant, but not said."""

    @property
    def precision(self) -> float | None:
        """The share of understood commands that were meant."""
        return Share(self.right, self.right + self.extra).value

    @property
    def recall(self) -> float | None:
        """The share of meant commands that were understood."""
        return Share(self.right, self.right + self.missed).value

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return Share(2 * self.right, 2 * self.right + self.extra + self.missed).value

    @property
    def total_meant(self) -> int:
        """How often it was meant."""
        return self.right + self.missed

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "meant": self.total_meant,
            **asdict(self),
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


@dataclass(frozen=True)
class ModelFigures:
    """What was asked of a language model."""

    asked: Share
    """The sentences that it was asked about."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        counts = {name: value for name, value in vars(self).items() if name != "asked"}
        return {"sentences": self.asked.to_dict(), **counts}


class Figures:
    """All figures of an outcome."""

    def __init__(self, outcome: Outcome) -> None:
        self.readings = outcome.readings
        self.left_out = outcome.left_out

    @property
    def exact(self) -> Share:
        """The sentences of which everything was understood, and nothing else."""
        return count_right(self.readings)

    @property
    def wrong(self) -> list[Reading]:
        """The others."""
        return [reading for reading in self.readings if not reading.right]

    @property
    def total_failed(self) -> int:
        """Sentences for which the provider failed."""
        return sum(reading.error is not None for reading in self.readings)

    @property
    def model_errors(self) -> list[str]:
        """Why the model of a cascade had no answer, where it was asked on its own."""
        return [each.model_error for each in self.readings if each.model_error is not None]

    @cached_property
    def types(self) -> dict[str, TypeFigures]:
        """By type of command."""
        right, extra, missed = Counter[str](), Counter[str](), Counter[str]()
        for reading in self.readings:
            right.update(unit.type for unit in reading.expected & reading.got)
            extra.update(unit.type for unit in reading.got - reading.expected)
            missed.update(unit.type for unit in reading.expected - reading.got)
        names = sorted({*right, *extra, *missed})
        return {name: TypeFigures(right[name], extra[name], missed[name]) for name in names}

    @property
    def commands(self) -> TypeFigures:
        """All types together."""
        every = self.types.values()
        return TypeFigures(
            sum(each.right for each in every),
            sum(each.extra for each in every),
            sum(each.missed for each in every),
        )

    @cached_property
    def confusions(self) -> list[Confusion]:
        """What was taken for what."""
        return find_confusions(self.readings)

    @cached_property
    def wrong_values(self) -> list[Confusion]:
        """Slots that were right, with values that were not."""
        return find_wrong_values(self.readings)

    @cached_property
    def calibration(self) -> Calibration:
        """Confidence beside what was right."""
        return Calibration.from_readings(self.readings)

    @property
    def files(self) -> dict[str, Share]:
        """Exact matches by file."""
        return self._group_shares(lambda sample: sample.file)

    @property
    def moments(self) -> dict[tuple[str, str], Share]:
        """Exact matches by file and moment."""
        return self._group_shares(lambda sample: (sample.file, sample.moment))

    @property
    def slowest(self) -> list[Reading]:
        """The sentences that took longest."""
        return sorted(self.readings, key=lambda reading: -reading.seconds)[:_MAX_SLOWEST]

    @property
    def model(self) -> ModelFigures | None:
        """What was asked of a language model; None if nothing was."""
        used = [reading.usage for reading in self.readings if reading.usage is not None]
        if not used:
            return None
        costs = [usage.cost for usage in used if usage.cost is not None]
        return ModelFigures(
            Share(len(used), len(self.readings)),
            sum(usage.calls for usage in used),
            sum(usage.prompt_tokens for usage in used),
            sum(usage.completion_tokens for usage in used),
            sum(costs) if costs else None,
        )

    def compute_percentile(self, share: float) -> float | None:
        """Seconds within which this share of the sentences was understood."""
        times = sorted(reading.seconds for reading in self.readings if reading.error is None)
        return times[min(len(times) - 1, int(share * len(times)))] if times else None

    def to_dict(self, *, sentences: bool = True) -> dict[str, Any]:
        """As data; without `sentences` nothing that anybody said is in it."""
        interval, times = self.exact.interval, (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
        told = {
            "exact": {**self.exact.to_dict(), "interval": interval and list(interval)},
            "commands": self.commands.to_dict(),
            "types": {name: each.to_dict() for name, each in self.types.items()},
            "calibration": self.calibration.to_dict(),
            "seconds": {name: self.compute_percentile(share) for name, share in times},
            "files": {name: share.to_dict() for name, share in self.files.items()},
            "moments": [
                {"file": file, "moment": moment, **share.to_dict()}
                for (file, moment), share in self.moments.items()
            ],
            "confusions": [_dump_confusion(each, sentences) for each in self.confusions],
            "model": self.model and self.model.to_dict(),
            "failed": self.total_failed,
            "left_out": len(self.left_out),
        }
        if not sentences:
            return told
        return {
            **told,
            "wrong_values": [_dump_confusion(each, sentences) for each in self.wrong_values],
            "slowest": [
                {**_describe_sample(each.sample), "seconds": round(each.seconds, 6)}
                for each in self.slowest
            ],
            "wrong": [_dump_wrong(each) for each in self.wrong],
        }

    def _group_shares(self, key: Callable[[Sample], Any]) -> dict[Any, Share]:
        groups: dict[Any, list[Reading]] = {}
        for reading in self.readings:
            groups.setdefault(key(reading.sample), []).append(reading)
        return {name: count_right(readings) for name, readings in groups.items()}


def _dump_confusion(each: Confusion, sentences: bool) -> dict[str, Any]:
    told = {"expected": each.expected, "got": each.got, "count": each.count}
    if not sentences:
        return told
    return {**told, "examples": [_describe_sample(reading.sample) for reading in each.examples]}


def _describe_sample(sample: Sample) -> dict[str, Any]:
    return {"said": sample.text, "file": sample.file, "line": sample.line, "moment": sample.moment}


def _dump_wrong(reading: Reading) -> dict[str, Any]:
    return {
        **_describe_sample(reading.sample),
        "expected": sorted(map(str, reading.expected)),
        "got": sorted(map(str, reading.got)),
        "confidence": reading.confidence,
        "error": reading.error,
    }
