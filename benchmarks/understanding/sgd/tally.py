"""What a provider understood of some dialogues, and what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from benchmarks.understanding.sgd.commands import SCORED, Counts, compared
from benchmarks.understanding.sgd.conversation import Held
from benchmarks.understanding.sgd.schema import Generated
from benchmarks.understanding.sgd.score import Scores, figures
from benchmarks.understanding.sgd.watch import Took

QUESTION = "Clarify"


@dataclass
class Tally:
    """Scores and costs of the dialogues so far."""

    dialogues: int = 0
    scores: Scores = field(default_factory=Scores)
    commands: Counts = field(default_factory=Counter)
    exact: int = 0
    took: list[Took] = field(default_factory=list)

    def add(self, held: Sequence[Held], took: Sequence[Took], generated: Generated) -> None:
        """Count a dialogue."""
        self.dialogues += 1
        self.took += took
        for each in held:
            self.scores.add(each, generated)
            counts = counted(each, generated)
            self.commands += counts
            self.exact += not any(how != "right" for _, how in counts)

    def figures(self) -> dict[str, Any]:
        """All figures as plain data."""
        found = figures(self.scores, lambda service: True)["frames"]["all"]
        return {
            "dialogues": self.dialogues,
            "messages": self.scores.turns,
            **found,
            "exact_match": self.exact / max(1, self.scores.turns),
            "command_f1": _f1(SCORED, self.commands),
            "commands": {kind: _row(kind, self.commands) for kind in SCORED},
            "costs": self._costs(),
        }

    def _costs(self) -> dict[str, float]:
        """Of a message, on average."""
        used = [took.output.usage for took in self.took if took.output.usage is not None]
        turns = max(1, len(self.took))
        parts = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
        sums = {part: sum(getattr(usage, part) for usage in used) for part in parts}
        return {
            "asked_share": len(used) / turns,
            **{part: whole / turns for part, whole in sums.items()},
            "seconds": fmean(took.seconds for took in self.took) if self.took else 0.0,
        }


def counted(held: Held, generated: Generated) -> Counts:
    """Commands that were right, wrong and missed.

    Of a question only whether one was heard: a language model does not say about which slot.
    """
    found = compared(held, generated)
    counts = Counter({key: number for key, number in found.items() if key[0] != QUESTION})
    wanted = any(spec["cmd"] == "RequestInfo" for spec in held.turn.commands)
    heard = bool(held.about) or any(command.type == QUESTION for command in held.said)
    if wanted or heard:
        counts[QUESTION, "right" if wanted and heard else "missed" if wanted else "wrong"] += 1
    return counts


def _row(kind: str, counts: Counts) -> dict[str, Any]:
    hows = ("right", "wrong", "missed")
    return {**{how: counts[kind, how] for how in hows}, "f1": _f1([kind], counts)}


def _f1(kinds: Iterable[str], counts: Counts) -> float | None:
    kinds = list(kinds)
    right, wrong, missed = (
        sum(counts[k, how] for k in kinds) for how in ("right", "wrong", "missed")
    )
    whole = 2 * right + wrong + missed
    return 2 * right / whole if whole else None
