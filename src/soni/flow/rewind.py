"""Corrections by data flow: how far back a flow must go when a slot changes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from soni.config.plan import FlowPlan, PlannedStep
from soni.core.constants import RESERVED_TARGETS
from soni.core.types import FlowContext, Passage, Progress


class TooLateError(Exception):
    """An action that cannot run again has already used the slot."""

    def __init__(self, step: str) -> None:
        self.step = step
        super().__init__(step)


@dataclass(frozen=True)
class Rewound:
    """Where the flow goes on, and what it remembers."""

    current_step: str | None
    progress: Progress
    unset: tuple[str, ...] = ()
    """Derived names that no longer hold: the steps that run again may or may not write them."""


def rewind(
    plan: FlowPlan,
    context: FlowContext,
    changed: Iterable[str],
    unset: Iterable[str] = (),
) -> Rewound:
    """Go back exactly as far as the change of slots demands.

    Steps that ran and read a changed slot, directly or through what others derived from it, run
    again; what the user answered stays; every other step is passed over when control comes by.
    Raises `TooLateError` where a step that must run again may not.
    """
    progress, asked_again = context["progress"], set(unset)
    history = progress["history"]
    spread = _Spread(plan, history, progress["skip"], set(changed) | asked_again, asked_again)
    affected = spread.affected()
    back = next((at for at, p in enumerate(history) if p["step"] in affected), len(history))
    current = history[back]["step"] if back < len(history) else context["current_step"]
    answers = plan.asks | set(changed)
    return Rewound(
        current,
        _progress(plan, progress, affected, back, asked_again),
        tuple(sorted(spread.derived - answers)),
    )


@dataclass
class _Spread:
    """How far a change spreads over the steps that ran. Lives for one correction."""

    plan: FlowPlan
    history: Sequence[Passage]
    remembered: Sequence[Passage]
    """Steps that ran before an earlier correction and have not been reached again."""

    tainted: set[str]
    """Names that may have another value now."""

    asked_again: set[str]
    derived: set[str] = field(default_factory=set)
    """Names that affected steps wrote: whoever else wrote one must write it again."""

    _affected: set[str] = field(default_factory=set)

    def affected(self) -> set[str]:
        """The steps that must run again."""
        grown = True
        while grown:
            before = len(self._affected)
            for passage in [*self.history, *self.remembered]:
                planned = self.plan.steps.get(passage["step"])
                if planned is not None and planned.id not in self._affected:
                    self._visit(planned, passage)
            grown = len(self._affected) > before
        return self._affected

    def _visit(self, planned: PlannedStep, passage: Passage) -> None:
        if not planned.step.collects:
            if planned.reads & self.tainted or planned.writes & self.derived:
                self._run_again(planned, passage)
        # An answer stays, but whether it is needed may have to be decided anew.
        elif planned.writes & self.asked_again:
            self._affected.add(planned.id)
        elif planned.guarded and planned.reads & self.tainted:
            self._affected.add(planned.id)
            self.tainted |= planned.writes if passage.get("skipped", False) else set()

    def _run_again(self, planned: PlannedStep, passage: Passage) -> None:
        if _is_done(planned, passage):
            raise TooLateError(planned.id)
        self._affected.add(planned.id)
        self.tainted |= planned.writes
        self.derived |= set() if passage.get("skipped", False) else planned.writes
        if planned.decides:
            self._decide_anew(planned)
        if any(action.confirm for action in planned.actions):
            self._confirm_again(planned)

    def _confirm_again(self, planned: PlannedStep) -> None:
        """A yes was meant for the old value, whether or not the question showed it."""
        ran = [passage["step"] for passage in self.history]
        before = ran[: ran.index(planned.id)] if planned.id in ran else ran
        confirms = [s for s in before if s in self.plan.guards]
        self._affected.update(confirms[-1:])

    def _decide_anew(self, fork: PlannedStep) -> None:
        """Whatever depends on the way taken is in doubt: what one way wrote, another may not."""
        ways = [_reachable(self.plan, way) for way in fork.successors]
        on_one_way = set().union(*ways) - set(ways[0]).intersection(*ways)
        ran = {passage["step"] for passage in [*self.history, *self.remembered]}
        for passage in self._later(fork):
            planned = self.plan.steps.get(passage["step"])
            if planned is None or planned.id not in on_one_way or planned.step.collects:
                continue
            # What was done on one way cannot be undone by taking another.
            if _is_done(planned, passage):
                raise TooLateError(planned.id)
            if planned.writes:
                self._run_again(planned, passage)
        for step_id in on_one_way - ran:
            self.tainted |= self.plan.steps[step_id].writes

    def _later(self, fork: PlannedStep) -> Sequence[Passage]:
        ran = [passage["step"] for passage in self.history]
        behind = self.history[ran.index(fork.id) + 1 :] if fork.id in ran else []
        return [p for p in [*behind, *self.remembered] if p["step"] not in self._affected]


def _is_done(planned: PlannedStep, passage: Passage) -> bool:
    """Whether the step did something that it may not do again."""
    return not planned.repeatable and not passage.get("skipped", False)


def _reachable(plan: FlowPlan, start: str) -> set[str]:
    todo, seen = [start], set[str]()
    while todo:
        step_id = todo.pop()
        if step_id in seen or step_id in RESERVED_TARGETS or step_id not in plan.steps:
            continue
        seen.add(step_id)
        todo.extend(plan.steps[step_id].successors)
    return seen


def _progress(
    plan: FlowPlan, progress: Progress, affected: set[str], back: int, asked_again: set[str]
) -> Progress:
    """The history up to where the flow goes back; what lay behind that and still holds."""
    remembered = [*progress["skip"], *progress["history"][back:]]
    no_asker = sorted(slot for slot in asked_again if plan.asker(slot) not in affected)
    return {
        **progress,
        "history": list(progress["history"][:back]),
        "skip": [p for p in remembered if p["step"] not in affected and not _asks(plan, p)],
        "ask": list(dict.fromkeys([*progress["ask"], *no_asker])),
        "answer": None,
        "changing": False,
        # Only the step that asks in spite of a value knows why; another one must not inherit it.
        "asking": progress["asking"] and back == len(progress["history"]),
    }


def _asks(plan: FlowPlan, passage: Passage) -> bool:
    # A question that is answered passes by itself; remembering it would hide a changed guard.
    planned = plan.steps.get(passage["step"])
    return planned is None or planned.step.collects
