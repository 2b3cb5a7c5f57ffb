"""The figures of the benchmark: per frame as in the official evaluation, per command and turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from statistics import fmean, median
from typing import Any

from benchmarks.understanding.sgd.commands import SCORED, Counts, compared
from benchmarks.understanding.sgd.conversation import Held
from benchmarks.understanding.sgd.match import score
from benchmarks.understanding.sgd.schema import Generated
from benchmarks.understanding.sgd.state import Frame


@dataclass(frozen=True)
class FrameScore:
    """One service after one message."""

    service: str
    joint: float
    average: float | None
    """None: there was nothing to know."""

    intent: float
    requested: float
    wrong: tuple[str, ...] = ()
    """The slots that are not right."""


def frame_score(service: str, right: Mapping[str, Any], found: Frame, of: Generated) -> FrameScore:
    """How right a frame is."""
    values, scores = right["slot_values"], dict[str, float]()
    for slot in of.services[service]["slots"]:
        name = slot["name"]
        if name in values:
            got = found.slots.get(name)
            scores[name] = score(slot, values[name], got) if got is not None else 0.0
        else:
            scores[name] = float(name not in found.slots)
    return FrameScore(
        service=service,
        joint=prod(scores.values()),
        average=fmean(scores[name] for name in values) if values else None,
        intent=float(found.intent == right["active_intent"]),
        requested=f1(frozenset(right["requested_slots"]), found.requested),
        wrong=tuple(name for name, good in scores.items() if good < 1),
    )


def f1(right: frozenset[str], found: frozenset[str]) -> float:
    """Harmonic mean of precision and recall; nothing wanted and nothing found is right."""
    both = len(right & found)
    precision = both / len(found) if found else 1.0
    recall = both / len(right) if right else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass
class Scores:
    """All that was counted; sums of several processes add up."""

    frames: list[FrameScore] = field(default_factory=list)
    commands: Counts = field(default_factory=Counter)
    turns: int = 0
    exact: int = 0
    seconds: list[float] = field(default_factory=list)
    encoding: list[float] = field(default_factory=list)

    def add(self, held: Held, generated: Generated) -> list[FrameScore]:
        """Count one message."""
        scores = [
            frame_score(service, held.turn.state[service], found, generated)
            for service, found in held.frames.items()
        ]
        counts = compared(held, generated)
        self.frames += scores
        self.commands += counts
        self.turns += 1
        self.exact += not any(how != "right" for _, how in counts)
        self.seconds.append(held.seconds)
        return scores

    def __iadd__(self, other: Scores) -> Scores:
        self.frames += other.frames
        self.commands += other.commands
        self.turns += other.turns
        self.exact += other.exact
        self.seconds += other.seconds
        self.encoding += other.encoding
        return self


def figures(scores: Scores, seen: Callable[[str], bool]) -> dict[str, Any]:
    """The figures as plain data."""
    known = [frame for frame in scores.frames if seen(frame.service)]
    new = [frame for frame in scores.frames if not seen(frame.service)]
    return {
        "frames": {
            name: _of(frames)
            for name, frames in (("all", scores.frames), ("seen", known), ("unseen", new))
        },
        "commands": {kind: _command(kind, scores.commands) for kind in SCORED},
        "turns": scores.turns,
        "exact_match": scores.exact / scores.turns if scores.turns else None,
        "milliseconds": _time(scores),
    }


def _of(frames: Sequence[FrameScore]) -> dict[str, Any]:
    if not frames:
        return {"count": 0}
    averages = [frame.average for frame in frames if frame.average is not None]
    return {
        "count": len(frames),
        "joint_goal_accuracy": fmean(frame.joint for frame in frames),
        "average_goal_accuracy": fmean(averages) if averages else None,
        "intent_accuracy": fmean(frame.intent for frame in frames),
        "requested_f1": fmean(frame.requested for frame in frames),
    }


def _command(kind: str, counts: Counts) -> dict[str, Any]:
    right, wrong, missed = (counts[kind, how] for how in ("right", "wrong", "missed"))
    whole = 2 * right + wrong + missed
    return {
        "right": right,
        "wrong": wrong,
        "missed": missed,
        "f1": 2 * right / whole if whole else None,
    }


def _time(scores: Scores) -> dict[str, Any]:
    """Understanding and the encoder alone, on the same messages in the same run."""
    own, encoder = scores.seconds, scores.encoding
    given: dict[str, Any] = {"understanding": 1000 * median(own) if own else None}
    if encoder:
        given["encoder"] = 1000 * median(encoder)
        given["ratio"] = median(own) / median(encoder)
    return given
