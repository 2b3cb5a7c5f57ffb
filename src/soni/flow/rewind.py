"""Corrections by data flow: how far back a flow must go when a slot changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from soni.core.records import CallResult
from soni.core.types import Called, FlowContext, Progress, StepRun
from soni.flow.irreversible import TooLateError, find_irreversible_calls
from soni.flow.loops import Loops
from soni.flow.taint import RepeatedCall, Taint, find_doubtful_inputs, find_reachable_steps

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan, PlannedStep

_NO_PLANS: Mapping[str, FlowPlan] = MappingProxyType({})


@dataclass(frozen=True)
class RewindResult:
    """Where the flow goes on, and what it remembers."""

    current_step: str | None
    progress: Progress
    unset: tuple[str, ...] = ()
    """Derived names that are no longer valid; steps that run again may not write all of them."""

    reenters: tuple[str, ...] | None = None
    """Changed inputs of the flow that the current step has called; None: it continues
    unchanged."""

    tainted: frozenset[str] = frozenset()
    """Names whose value may have changed."""

    restored: Mapping[str, Any] = field(default_factory=dict)
    """Derived names as they were before the pass of a loop that runs again."""


def rewind(
    plan: FlowPlan,
    context: FlowContext,
    changed: Iterable[str],
    unset: Iterable[str] = (),
    *,
    plans: Mapping[str, FlowPlan] = _NO_PLANS,
    above: Sequence[FlowContext] = (),
    again: RepeatedCall | None = None,
) -> RewindResult:
    """Go back exactly as far as the change of slots requires.

    Steps that read a changed slot, directly or through derived values, run again. Answers of the
    user stay. All other steps are skipped when control reaches them. `above` are the open flows
    that this one has called; `again` is a call to reopen whatever it reads. Raises `TooLateError`
    if a step that has to run again may not.
    """
    return _Correction(plans).rewind_flow(plan, context, changed, unset, above, again)


@dataclass
class _Correction:
    """One change, followed through a flow and into those that it called."""

    plans: Mapping[str, FlowPlan]
    _inside: dict[tuple[str, frozenset[str]], frozenset[str]] = field(default_factory=dict)
    """Cached results for called flows; without it, the work doubles with every level of calls."""

    def rewind_flow(
        self,
        plan: FlowPlan,
        context: FlowContext,
        changed: Iterable[str],
        unset: Iterable[str] = (),
        above: Sequence[FlowContext] = (),
        again: RepeatedCall | None = None,
    ) -> RewindResult:
        progress, changed, asked_again = context["progress"], set(changed), set(unset)
        history = progress["history"]
        loops = Loops(plan, history, progress["began"])
        busy, tainted = find_irreversible_calls(context, above, self.plans), changed | asked_again
        spread = Taint(
            plan, progress, tainted, asked_again, loops, busy, self.plans, self.find_taint_inside
        )
        affected = spread.find_affected_steps(
            again if again and _lies_on_way(again[0], plan, context) else None
        )
        back = next((at for at, p in enumerate(history) if p["step"] in affected), len(history))
        current = history[back]["step"] if back < len(history) else context["current_step"]
        calls = _Calls(self, context, spread.tainted, busy)
        here = plan.steps.get(context["current_step"] or "")
        for step_id, memory in progress["called"].items():
            # A call that an earlier correction has left will be made again later.
            ahead = memory["again"] is not None and (here is None or here.id != step_id)
            if step_id in affected or (ahead and step_id in plan.steps):
                calls.go_back_into(plan.steps[step_id], memory["context"])
        moves = back < len(history) or (here is not None and here.id in affected)
        reenters = calls.reenter_call(here, above, moves) if here is not None else None
        known: Progress = {**progress, "called": calls.remembered, "returned": calls.returned}
        return RewindResult(
            current,
            _rewind_progress(plan, known, spread, affected, back),
            tuple(sorted(spread.unset - plan.asks - changed)),
            reenters,
            frozenset(spread.tainted | loops.ahead),
            loops.restore_values({*spread.derived, *plan.asks, *changed}),
        )

    def find_taint_inside(
        self, context: FlowContext, inputs: Iterable[str], above: Sequence[FlowContext] = ()
    ) -> frozenset[str]:
        """The tainted names of a called flow; raises `TooLateError` if it cannot go back."""
        key = context["flow_id"], frozenset(inputs)
        plan = self.plans.get(context["flow_name"])
        if plan is None or not key[1]:
            return frozenset()
        if key not in self._inside:
            self._inside[key] = self.rewind_flow(plan, context, key[1], above=above).tainted
        return self._inside[key]


@dataclass
class _Calls:
    """The effect of a correction on the flows that one flow has called."""

    correction: _Correction
    context: FlowContext
    tainted: set[str]
    busy: set[str]
    remembered: dict[str, Called] = field(init=False)
    """The called flows, each with the inputs that may have changed."""

    returned: CallResult | None = field(init=False)
    """The result of the current step's call, if it is still valid."""

    def __post_init__(self) -> None:
        self.remembered = dict(self.context["progress"]["called"])
        self.returned = self.context["progress"]["returned"]

    def go_back_into(
        self, caller: PlannedStep, context: FlowContext, above: Sequence[FlowContext] = ()
    ) -> set[str]:
        """The inputs that may have changed; raises `TooLateError` if the flow cannot go back."""
        inputs = find_doubtful_inputs(caller, self.tainted)
        self.correction.find_taint_inside(context, inputs, above)
        if caller.id in self.remembered:
            memory = self.remembered[caller.id]
            known = sorted({*(memory["again"] or ()), *inputs})
            self.remembered[caller.id] = {**memory, "again": known}
        return inputs

    def reenter_call(
        self, current: PlannedStep, above: Sequence[FlowContext], moves: bool
    ) -> tuple[str, ...] | None:
        """The same for the call of the current step; `moves`: the call has to be made again."""
        in_doubt = bool(current.guard_reads & self.tainted)
        if in_doubt and current.id in self.busy:
            raise TooLateError(current.id)
        if above:
            inputs = self.go_back_into(current, above[0], above[1:])
            return tuple(sorted(inputs)) if inputs or in_doubt else None
        memory = self.remembered.get(current.id)
        if self.returned is not None and (
            moves or in_doubt or find_doubtful_inputs(current, self.tainted)
        ):
            # The call has returned, but its step has not used the result yet. It will be made again
            # and must not start from the beginning.
            if memory is None and not current.repeatable:
                raise TooLateError(current.id)
            self.returned = None
        elif memory is None or memory["again"] is None:
            return None
        if memory is not None:
            self.go_back_into(current, memory["context"])
        return None


def _lies_on_way(step: str, plan: FlowPlan, context: FlowContext) -> bool:
    """Whether a call was made on the current path, or can still be reached from it."""
    progress = context["progress"]
    ran = {passage["step"] for passage in [*progress["history"], *progress["skip"]]}
    return step in ran or step in find_reachable_steps(plan, context["current_step"] or plan.first)


def _rewind_progress(
    plan: FlowPlan, progress: Progress, spread: Taint, affected: set[str], back: int
) -> Progress:
    """The progress with its history cut at `back`; valid steps after that are skipped."""
    remembered = [*progress["skip"], *progress["history"][back:]]
    no_asker = sorted(slot for slot in spread.asked_again if plan.find_asker(slot) not in affected)
    return {
        **progress,
        "history": list(progress["history"][:back]),
        "skip": [p for p in remembered if p["step"] not in affected and not _is_question(plan, p)],
        "ask": list(dict.fromkeys([*progress["ask"], *no_asker])),
        "passes": spread.count_passes(),
        "pages": spread.keep_pages(),
        "answer": None,
        "changing": False,
        # `asking` belongs to the current step, so another one must not inherit it.
        "asking": progress["asking"] and back == len(progress["history"]),
    }


def _is_question(plan: FlowPlan, passage: StepRun) -> bool:
    # An answered question is passed anyway; skipping it would hide a changed guard.
    planned = plan.steps.get(passage["step"])
    return planned is None or (planned.step.collects and planned.step.silent)
