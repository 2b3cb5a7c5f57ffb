"""Irreversible steps: what a flow has done and may not do again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from soni.core.types import FlowContext, StepRun

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan, PlannedStep


class TooLateError(Exception):
    """A correction comes too late: a step that may not run again has used the slot."""

    def __init__(self, step: str) -> None:
        self.step = step
        super().__init__(step)


def is_irreversible(planned: PlannedStep, passage: StepRun) -> bool:
    """Whether a step, or the flow that it called, may have done something irreversible."""
    return not planned.repeatable and not passage.get("skipped", False)


def has_irreversible_step(context: FlowContext, plans: Mapping[str, FlowPlan]) -> bool:
    """Whether an instance, or one that it called, has done something irreversible."""
    plan, progress = plans.get(context["flow_name"]), context["progress"]
    if plan is None:
        return False
    for passage in [*progress["history"], *progress["skip"]]:
        planned = plan.steps.get(passage["step"])
        if planned is None or not is_irreversible(planned, passage):
            continue
        memory = progress["called"].get(planned.id)
        if memory is None or has_irreversible_step(memory["context"], plans):
            return True
    return False


def find_irreversible_calls(
    context: FlowContext, above: Iterable[FlowContext], plans: Mapping[str, FlowPlan]
) -> set[str]:
    """The unfinished call steps whose flows have done something irreversible."""
    progress = context["progress"]
    ran = {passage["step"] for passage in [*progress["history"], *progress["skip"]]}
    left = {
        step
        for step, memory in progress["called"].items()
        if step not in ran and has_irreversible_step(memory["context"], plans)
    }
    if any(has_irreversible_step(called, plans) for called in above):
        left.add(context["current_step"] or "")
    return left
