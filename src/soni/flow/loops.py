"""Loops: the memory of their passes, so that a correction affects only the last pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soni.core.types import Progress, StepRun

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan, PlannedStep


def begin_pass(
    progress: Progress,
    plan: FlowPlan,
    loop: str,
    count: int,
    values: Mapping[str, Any],
    secret: Callable[[str], bool],
) -> Progress:
    """The memory at the beginning of a pass, with what the loop has computed so far."""
    began, passes = progress["began"], {**progress["passes"], loop: count}
    if count == 1 and loop in began:
        # The same pass again after a correction: its initial values stay.
        return {**progress, "passes": passes}
    computed = {
        name: values[name]
        for name in plan.find_computed_names(loop)
        if name in values and not secret(name)
    }
    return {**progress, "passes": passes, "began": {**began, loop: computed}}


def forget_steps(progress: Progress, steps: Collection[str]) -> Progress:
    """The memory without steps of an earlier pass: a correction no longer concerns them."""
    if not steps:
        return progress
    return {
        **progress,
        "history": [p for p in progress["history"] if p["step"] not in steps],
        "skip": [p for p in progress["skip"] if p["step"] not in steps],
        "called": {s: called for s, called in progress["called"].items() if s not in steps},
        "passes": {s: count for s, count in progress["passes"].items() if s not in steps},
        "began": {s: at for s, at in progress["began"].items() if s not in steps},
    }


@dataclass
class Loops:
    """The loops of a flow during a correction."""

    plan: FlowPlan
    history: list[StepRun]
    began: Mapping[str, Mapping[str, Any]]
    redone: dict[str, set[str]] = field(default_factory=dict)
    """Loop -> the names that its last pass computes again."""

    _ahead: dict[str, set[str]] = field(default_factory=dict)
    """Loop -> the names that further passes may compute, for the steps after it."""

    def __post_init__(self) -> None:
        self._home = self.plan.loops
        self._place = {passage["step"]: at for at, passage in enumerate(self.history)}

    def find_loop(self, step: str) -> str | None:
        """The loop in whose last pass a step ran, if the values at its beginning are known."""
        loop = self._home.get(step)
        return loop if loop in self.began else None

    def is_pass_open(self, loop: str) -> bool:
        """Whether a pass is running; otherwise the history has the loop after its steps."""
        at = self._place.get(loop, len(self.history))
        inside = (step for step, home in self._home.items() if home == loop)
        return any(self._place.get(step, -1) > at for step in inside)

    def continue_loop(self, loop: str) -> None:
        """Note that the loop's condition is evaluated again, so further passes may follow."""
        self._ahead[loop] = set(self.plan.find_computed_names(loop))

    def find_doubtful_names(
        self, planned: PlannedStep, tainted: set[str], elsewhere: set[str]
    ) -> set[str]:
        """The tainted names that a step read; `elsewhere` are those tainted outside of its pass."""
        later = (names for loop, names in self._ahead.items() if self._is_behind(planned.id, loop))
        seen = tainted.union(*later)
        if planned.id in self.redone and self.is_pass_open(planned.id):
            # Its condition was evaluated before this pass computed anything.
            seen -= self.redone[planned.id] - elsewhere
        return seen

    @property
    def ahead(self) -> set[str]:
        """What further passes may compute."""
        return set().union(*self._ahead.values())

    def restore_values(self, settled: Collection[str]) -> dict[str, Any]:
        """The initial values of what the last passes compute again, except `settled` names."""
        return {
            name: self.began[loop][name]
            for loop, names in self.redone.items()
            for name in names
            if name in self.began[loop] and name not in settled
        }

    def _is_behind(self, step: str, loop: str) -> bool:
        home: str | None = step
        while home is not None:
            if home == loop:
                return False
            home = self._home.get(home)
        end = len(self.history)
        return self._place.get(step, end) > self._place.get(loop, -1)
