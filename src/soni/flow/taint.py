"""Taint analysis: which steps and names a change of slots affects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soni.core.constants import RESERVED_TARGETS
from soni.core.types import Called, FlowContext, Progress, StepRun
from soni.flow.irreversible import TooLateError, has_irreversible_step, is_irreversible
from soni.flow.loops import Loops

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan, PlannedStep

RepeatedCall = tuple[str, frozenset[str]]
"""A call step, and the names that it may write again."""


@dataclass
class Taint:
    """The steps that must run again and the tainted names, for one correction."""

    plan: FlowPlan
    progress: Progress
    tainted: set[str]
    """Names whose value may have changed."""

    asked_again: set[str]
    loops: Loops
    busy: set[str]
    """Unfinished calls whose flows have done something irreversible."""

    plans: Mapping[str, FlowPlan]
    inside: Callable[[FlowContext, set[str]], Collection[str]]
    """The tainted names of a called flow, given its tainted inputs."""

    derived: set[str] = field(default_factory=set)
    """Names that affected steps wrote. Other steps that wrote one must run again too."""

    _affected: set[str] = field(default_factory=set)
    _elsewhere: set[str] = field(default_factory=set)
    """Names tainted by something other than a loop's last pass."""

    def __post_init__(self) -> None:
        self._elsewhere |= self.tainted

    @property
    def unset(self) -> set[str]:
        """Names that must be written again before they are read."""
        return self.derived.union(*self.loops.redone.values())

    def count_passes(self) -> dict[str, int]:
        """The passes of each loop; 0 if its current pass continues."""
        before = self.progress["passes"]
        same = {
            loop
            for loop in self._affected & before.keys()
            if self.loops.is_pass_open(loop)
            and not self.plan.find_computed_names(loop) & self.derived
        }
        return {loop: 0 if loop in same else count for loop, count in before.items()}

    def keep_pages(self) -> dict[str, int]:
        """The page of each list; a list that changes is shown from its beginning."""
        return {
            step: page
            for step, page in self.progress["pages"].items()
            if step not in self._affected
            and not (step in self.plan.steps and self.plan.steps[step].offers & self.tainted)
        }

    def find_affected_steps(self, again: RepeatedCall | None = None) -> set[str]:
        """The steps that must run again; raises `TooLateError` where one may not."""
        if again is not None:
            self._affected.add(again[0])
            self._write_again(again[1], loop=self.loops.find_loop(again[0]))
        size = -1
        while size < self._size:
            size = self._size
            for passage in self._ran:
                planned = self.plan.steps.get(passage["step"])
                # A newly tainted input may taint more outputs, so calls are visited again.
                if planned is not None and (
                    planned.id not in self._affected or planned.id in self.progress["called"]
                ):
                    self._visit_step(planned, passage)
        return self._affected

    @property
    def _ran(self) -> list[StepRun]:
        """All steps that ran, including those to be skipped after an earlier correction."""
        return [*self.progress["history"], *self.progress["skip"]]

    @property
    def _size(self) -> int:
        loops = len(self.loops.ahead) + sum(map(len, self.loops.redone.values()))
        return len(self._affected) + len(self.tainted) + len(self.derived) + loops

    def _visit_step(self, planned: PlannedStep, passage: StepRun) -> None:
        seen = self.loops.find_doubtful_names(planned, self.tainted, self._elsewhere)
        if not planned.step.collects:
            loop = self.loops.find_loop(planned.id) or ""
            written = self.derived | self.loops.redone.get(loop, set())
            if planned.reads & seen or planned.writes & written:
                self._run_again(planned, passage)
        # An answer stays, but its guard may have to be evaluated again.
        elif planned.writes & self.asked_again:
            self._affected.add(planned.id)
        elif planned.offers & seen:
            # The list may no longer contain the picked item.
            self._affected.add(planned.id)
            self._mark_doubtful(planned.writes)
        elif planned.is_conditional and planned.reads & seen:
            self._affected.add(planned.id)
            self._mark_doubtful(planned.writes if passage.get("skipped", False) else set())

    def _run_again(self, planned: PlannedStep, passage: StepRun) -> None:
        # A called flow may have to repeat only some steps, provided that it is called at all.
        memory, called_anew = self._find_call(planned), planned.guard_reads & self.tainted
        if self._is_irreversible(planned, passage) and (memory is None or called_anew):
            raise TooLateError(planned.id)
        self._affected.add(planned.id)
        loop, skipped = self.loops.find_loop(planned.id), passage.get("skipped", False)
        self._write_again(self._find_writes(planned), skipped=skipped, loop=loop)
        if planned.step.type == "while":
            self.loops.continue_loop(planned.id)
        elif planned.decides:
            self._decide_anew(planned)
        if any(action.confirm for action in planned.actions):
            self._confirm_again(planned)

    def _write_again(
        self, names: frozenset[str], *, skipped: bool = False, loop: str | None = None
    ) -> None:
        if loop is None:
            self._mark_doubtful(names)
            self.derived |= set() if skipped else names
        else:
            self.tainted |= names
            self.loops.redone.setdefault(loop, set()).update(() if skipped else names)

    def _mark_doubtful(self, names: Iterable[str]) -> None:
        self.tainted.update(names)
        self._elsewhere.update(names)

    def _find_writes(self, planned: PlannedStep) -> frozenset[str]:
        """What it may write again; for a call, the outputs that depend on tainted inputs."""
        memory, use = self._find_call(planned), planned.step.subflow()
        plan = self.plans.get(memory["context"]["flow_name"]) if memory is not None else None
        called_anew = bool(planned.guard_reads & self.tainted)
        if memory is None or use is None or plan is None or called_anew:
            return planned.writes
        inputs = find_doubtful_inputs(planned, self.tainted)
        return use.find_written_slots(plan.config.outputs, self.inside(memory["context"], inputs))

    def _confirm_again(self, planned: PlannedStep) -> None:
        """Ask the last confirm again, because its yes was given for the old value."""
        ran = [passage["step"] for passage in self.progress["history"]]
        before = ran[: ran.index(planned.id)] if planned.id in ran else ran
        confirms = [s for s in before if s in self.plan.guards]
        self._affected.update(confirms[-1:])

    def _decide_anew(self, fork: PlannedStep) -> None:
        """Taint what only some of the fork's paths write, since another path may be taken."""
        ways = [find_reachable_steps(self.plan, way) for way in fork.successors]
        on_one_way = set().union(*ways) - set(ways[0]).intersection(*ways)
        for passage in self._list_later_steps(fork):
            planned = self.plan.steps.get(passage["step"])
            if planned is None or planned.id not in on_one_way or planned.step.collects:
                continue
            # An irreversible step cannot be undone by taking another path.
            if self._is_irreversible(planned, passage):
                raise TooLateError(planned.id)
            if planned.writes:
                self._run_again(planned, passage)
        for step_id in on_one_way & self.busy:
            raise TooLateError(step_id)
        for step_id in on_one_way - {passage["step"] for passage in self._ran}:
            self._mark_doubtful(self.plan.steps[step_id].writes)

    def _find_call(self, planned: PlannedStep) -> Called | None:
        return self.progress["called"].get(planned.id)

    def _is_irreversible(self, planned: PlannedStep, passage: StepRun) -> bool:
        memory = self._find_call(planned)
        return is_irreversible(planned, passage) and (
            memory is None or has_irreversible_step(memory["context"], self.plans)
        )

    def _list_later_steps(self, fork: PlannedStep) -> Sequence[StepRun]:
        history = self.progress["history"]
        ran = [passage["step"] for passage in history]
        behind = history[ran.index(fork.id) + 1 :] if fork.id in ran else []
        passages = [*behind, *self.progress["skip"]]
        return [p for p in passages if p["step"] not in self._affected]


def find_reachable_steps(plan: FlowPlan, start: str) -> set[str]:
    """The steps that control may come to from one, itself included."""
    todo, seen = [start], set[str]()
    while todo:
        step_id = todo.pop()
        if step_id in seen or step_id in RESERVED_TARGETS or step_id not in plan.steps:
            continue
        seen.add(step_id)
        todo.extend(plan.steps[step_id].successors)
    return seen


def find_doubtful_inputs(caller: PlannedStep, tainted: set[str]) -> set[str]:
    """The inputs of a call that may have another value, once these names have."""
    return {name for name, made_of in caller.feeds.items() if made_of & tainted}
