"""Corrections by data flow: how far back a flow must go when a slot changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from soni.config.plan import FlowPlan, PlannedStep
from soni.core.constants import RESERVED_TARGETS
from soni.core.types import Called, FlowContext, Passage, Progress
from soni.flow.deeds import busy_calls, has_deeds, is_deed
from soni.flow.loops import Loops

_NONE: Mapping[str, FlowPlan] = MappingProxyType({})


Again = tuple[str, frozenset[str]]
"""A call step, and what it may write anew."""


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

    reenters: tuple[str, ...] | None = None
    """Inputs that may be others for the flow that the current step has called; None: it goes on
    as it is."""

    tainted: frozenset[str] = frozenset()
    """Names that may have another value now."""

    restored: Mapping[str, Any] = field(default_factory=dict)
    """Derived names as they were before the pass of a loop that runs again."""


def rewind(
    plan: FlowPlan,
    context: FlowContext,
    changed: Iterable[str],
    unset: Iterable[str] = (),
    *,
    plans: Mapping[str, FlowPlan] = _NONE,
    above: Sequence[FlowContext] = (),
    again: Again | None = None,
) -> Rewound:
    """Go back exactly as far as the change of slots demands.

    Steps that ran and read a changed slot, directly or through what others derived from it, run
    again; what the user answered stays; every other step is passed over when control comes by.
    `above` are the flows that it has called and that are still open, `again` is a call that must
    be gone back into whatever it reads. Raises `TooLateError` where a step that must run again
    may not.
    """
    progress, asked_again = context["progress"], set(unset)
    history = progress["history"]
    called: dict[str, Called] = progress.get("called", {})
    tainted = set(changed) | asked_again
    loops = Loops(plan, history, progress.get("began", {}))
    busy = busy_calls(context, above, plans)
    spread = _Spread(
        plan, history, progress["skip"], tainted, asked_again, plans, called, loops, busy
    )
    affected = spread.affected(again if again and _counts(again[0], plan, context) else None)
    back = next((at for at, p in enumerate(history) if p["step"] in affected), len(history))
    current = history[back]["step"] if back < len(history) else context["current_step"]
    calls = _Calls(plans, called, spread.tainted, busy)
    for step_id in affected & called.keys():
        calls.go_back_into(plan.steps[step_id], called[step_id]["context"], ())
    return Rewound(
        current,
        _progress(plan, progress, affected, back, asked_again, calls.remembered)
        | {
            "passes": spread.passes(progress["passes"]),
            "pages": spread.pages(progress["pages"]),
        },
        tuple(sorted(spread.unset - plan.asks - set(changed))),
        calls.reentered(plan.steps.get(context["current_step"] or ""), above),
        frozenset(spread.tainted | loops.ahead),
        loops.restored({*spread.derived, *plan.asks, *changed}),
    )


@dataclass
class _Calls:
    """What a correction means for the flows that the steps have called."""

    plans: Mapping[str, FlowPlan]
    called: Mapping[str, Called]
    tainted: set[str]
    busy: set[str]
    """The calls that have not come back, and have done what cannot be undone."""

    remembered: dict[str, Called] = field(init=False)
    """The called flows, knowing which of their inputs may have changed."""

    def __post_init__(self) -> None:
        self.remembered = dict(self.called)

    def go_back_into(
        self, caller: PlannedStep, context: FlowContext, above: Sequence[FlowContext]
    ) -> tuple[str, ...]:
        """The inputs that may be others; raises `TooLateError` if the flow cannot take them."""
        inputs = _doubtful(caller, self.tainted)
        plan = self.plans.get(context["flow_name"])
        if plan is not None and inputs:
            rewind(plan, context, inputs, plans=self.plans, above=above)
        if caller.id in self.remembered:
            memory = self.remembered[caller.id]
            known = sorted({*(memory["again"] or ()), *inputs})
            self.remembered[caller.id] = {**memory, "again": known}
        return tuple(sorted(inputs))

    def reentered(
        self, current: PlannedStep | None, above: Sequence[FlowContext]
    ) -> tuple[str, ...] | None:
        """The same for the call that has not come back yet."""
        if current is None:
            return None
        in_doubt = bool(current.guard_reads & self.tainted)
        if in_doubt and current.id in self.busy:
            raise TooLateError(current.id)
        if above:
            inputs = self.go_back_into(current, above[0], above[1:])
            return inputs if inputs or in_doubt else None
        memory = self.called.get(current.id)
        if memory is not None and memory["again"] is not None:
            self.go_back_into(current, memory["context"], ())
        return None


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
    plans: Mapping[str, FlowPlan]
    called: Mapping[str, Called]
    loops: Loops
    busy: set[str]
    derived: set[str] = field(default_factory=set)
    """Names that affected steps wrote: whoever else wrote one must write it again."""

    _affected: set[str] = field(default_factory=set)
    _elsewhere: set[str] = field(default_factory=set)
    """Names in doubt not only because a loop's last pass computes them anew."""

    def __post_init__(self) -> None:
        self._elsewhere |= self.tainted

    @property
    def unset(self) -> set[str]:
        """Names that somebody must write again before they can be read."""
        return self.derived.union(*self.loops.redone.values())

    def passes(self, before: Mapping[str, int]) -> dict[str, int]:
        """How many passes count: one that goes on where it was is no later one."""
        same = {
            loop
            for loop in self._affected & before.keys()
            if self.loops.is_open(loop) and not self.plan.computed_in(loop) & self.derived
        }
        return {loop: 0 if loop in same else count for loop, count in before.items()}

    def pages(self, before: Mapping[str, int]) -> dict[str, int]:
        """How far the user has leafed: a list that is made anew is shown from its beginning."""
        return {
            step: page
            for step, page in before.items()
            if step not in self._affected
            and not (step in self.plan.steps and self.plan.steps[step].offers & self.tainted)
        }

    def affected(self, again: Again | None = None) -> set[str]:
        """The steps that must run again."""
        ran = [*self.history, *self.remembered]
        if again is not None:
            self._affected.add(again[0])
            self._write_again(again[1], loop=self.loops.of(again[0]))
        size = -1
        while size < self._size:
            size = self._size
            for passage in ran:
                planned = self.plan.steps.get(passage["step"])
                # Of what a call writes, more may come into doubt with every input that does.
                if planned is not None and (
                    planned.id not in self._affected or planned.id in self.called
                ):
                    self._visit(planned, passage)
        return self._affected

    @property
    def _size(self) -> int:
        loops = len(self.loops.ahead) + sum(map(len, self.loops.redone.values()))
        return len(self._affected) + len(self.tainted) + len(self.derived) + loops

    def _visit(self, planned: PlannedStep, passage: Passage) -> None:
        seen = self.loops.seen(planned, self.tainted, self._elsewhere)
        if not planned.step.collects:
            written = self.derived | self.loops.redone.get(self.loops.of(planned.id) or "", set())
            if planned.reads & seen or planned.writes & written:
                self._run_again(planned, passage)
        # An answer stays, but whether it is needed may have to be decided anew.
        elif planned.writes & self.asked_again:
            self._affected.add(planned.id)
        elif planned.offers & seen:
            # The list may no longer have what was picked, and then another item is.
            self._affected.add(planned.id)
            self._doubt(planned.writes)
        elif planned.guarded and planned.reads & seen:
            self._affected.add(planned.id)
            self._doubt(planned.writes if passage.get("skipped", False) else set())

    def _run_again(self, planned: PlannedStep, passage: Passage) -> None:
        # Of a called flow only a part may have to run again, if it is called at all.
        asked_itself = planned.id in self.called and not planned.guard_reads & self.tainted
        if self._is_deed(planned, passage) and not asked_itself:
            raise TooLateError(planned.id)
        self._affected.add(planned.id)
        loop, skipped = self.loops.of(planned.id), passage.get("skipped", False)
        self._write_again(self._writes(planned), skipped=skipped, loop=loop)
        if planned.step.type == "while":
            self.loops.go_on(planned.id)
        elif planned.decides:
            self._decide_anew(planned)
        if any(action.confirm for action in planned.actions):
            self._confirm_again(planned)

    def _write_again(
        self, names: frozenset[str], *, skipped: bool = False, loop: str | None = None
    ) -> None:
        if loop is None:
            self._doubt(names)
            self.derived |= set() if skipped else names
        else:
            self.tainted |= names
            self.loops.redone.setdefault(loop, set()).update(() if skipped else names)

    def _doubt(self, names: Iterable[str]) -> None:
        self.tainted.update(names)
        self._elsewhere.update(names)

    def _writes(self, planned: PlannedStep) -> frozenset[str]:
        """What it may write anew; of a call's outputs, those that the inputs in doubt lead to."""
        memory, use = self.called.get(planned.id), planned.step.subflow()
        plan = self.plans.get(memory["context"]["flow_name"]) if memory is not None else None
        decided_anew = bool(planned.guard_reads & self.tainted)
        if memory is None or use is None or plan is None or decided_anew:
            return planned.writes
        inputs = _doubtful(planned, self.tainted)
        inner = rewind(plan, memory["context"], inputs, plans=self.plans)
        return use.written(plan.config.outputs, inner.tainted)

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
            if self._is_deed(planned, passage):
                raise TooLateError(planned.id)
            if planned.writes:
                self._run_again(planned, passage)
        for step_id in on_one_way & self.busy:
            raise TooLateError(step_id)
        for step_id in on_one_way - ran:
            self._doubt(self.plan.steps[step_id].writes)

    def _is_deed(self, planned: PlannedStep, passage: Passage) -> bool:
        memory = self.called.get(planned.id)
        return is_deed(planned, passage) and (
            memory is None or has_deeds(memory["context"], self.plans)
        )

    def _later(self, fork: PlannedStep) -> Sequence[Passage]:
        ran = [passage["step"] for passage in self.history]
        behind = self.history[ran.index(fork.id) + 1 :] if fork.id in ran else []
        return [p for p in [*behind, *self.remembered] if p["step"] not in self._affected]


def _doubtful(caller: PlannedStep, tainted: set[str]) -> set[str]:
    """The inputs of a call that may have another value now."""
    return {name for name, made_of in caller.feeds.items() if made_of & tainted}


def _counts(step: str, plan: FlowPlan, context: FlowContext) -> bool:
    """Whether a call lies on the way taken, or ahead: not on one that was given up."""
    progress = context["progress"]
    ran = {passage["step"] for passage in [*progress["history"], *progress["skip"]]}
    return step in ran or step in _reachable(plan, context["current_step"] or plan.first)


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
    plan: FlowPlan,
    progress: Progress,
    affected: set[str],
    back: int,
    asked_again: set[str],
    called: dict[str, Called],
) -> Progress:
    """The history up to where the flow goes back; what lay behind that and still holds."""
    remembered = [*progress["skip"], *progress["history"][back:]]
    no_asker = sorted(slot for slot in asked_again if plan.asker(slot) not in affected)
    return {
        **progress,
        "history": list(progress["history"][:back]),
        "skip": [p for p in remembered if p["step"] not in affected and not _asks(plan, p)],
        "ask": list(dict.fromkeys([*progress["ask"], *no_asker])),
        "called": called,
        "answer": None,
        "changing": False,
        # Only the step that asks in spite of a value knows why; another one must not inherit it.
        "asking": progress["asking"] and back == len(progress["history"]),
    }


def _asks(plan: FlowPlan, passage: Passage) -> bool:
    # A question that is answered passes by itself; remembering it would hide a changed guard.
    planned = plan.steps.get(passage["step"])
    return planned is None or (planned.step.collects and planned.step.silent)
