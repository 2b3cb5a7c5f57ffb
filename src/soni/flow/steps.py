"""FlowStepManager: advances a flow past steps that have nothing to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soni.core.constants import RESERVED_TARGETS
from soni.core.types import (
    DialogueState,
    FlowContext,
    Progress,
    RuntimeContext,
    StateUpdate,
    StepRun,
)
from soni.flow.irreversible import is_irreversible
from soni.flow.manager import FlowManager

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.config.plan import FlowPlan


class FlowStepManager:
    """Moves a flow past filled collects, so that its graph starts at the first step with work."""

    def __init__(self, assistant: Assistant, flow_manager: FlowManager) -> None:
        self._assistant = assistant
        self._flows = flow_manager

    def advance_through_completed_steps(
        self, state: DialogueState, context: RuntimeContext | None = None
    ) -> StateUpdate:
        """Updates that bring the active flow to its first step with something to do.

        Each step is passed at most once, so a loop of filled collects ends too.
        """
        active = self._flows.get_active_context(state)
        if active is None or active["flow_name"] not in self._assistant.plans:
            return {}
        plan = self._assistant.plans[active["flow_name"]]
        filled = self._flows.get_slots(state, active["flow_id"])
        step, progress = active["current_step"] or plan.first, active["progress"]
        passed: set[str] = set()
        while step not in RESERVED_TARGETS and step not in passed and not progress["ask"]:
            planned = plan.steps.get(step)
            if (
                planned is None
                or not planned.step.silent
                or planned.is_conditional
                or not planned.writes <= set(filled)
            ):
                break
            passed.add(step)
            if context is not None:
                context.turn_trace.note_step(plan.name, step, planned.next)
            progress = record_passage(progress, plan, step, planned.next)
            step = planned.next
        if not passed:
            return {}
        return self._flows.update_context(
            state, active["flow_id"], current_step=step, progress=progress
        ).updates()


def record_passage(
    progress: Progress, plan: FlowPlan, step: str, following: str, *, skipped: bool = False
) -> Progress:
    """The progress after a step ran, with each step once in the history.

    If the step ran before, the steps since then were a detour, such as an error path. Of these
    only irreversible ones stay. Steps inside a loop are no detour.
    """
    history = progress["history"]
    at = next((i for i, passage in enumerate(history) if passage["step"] == step), len(history))
    loops = step in plan.steps and bool(plan.steps[step].step.children)
    detour = [p for p in history[at + 1 :] if loops or _stays_done(plan, p)]
    passage: StepRun = {"step": step, "next": following}
    # A step that ran in an earlier pass counts as run, although this pass skipped it.
    if skipped and all(earlier.get("skipped", False) for earlier in history[at : at + 1]):
        passage["skipped"] = True
    return {**progress, "history": [*history[:at], *detour, passage]}


def _stays_done(plan: FlowPlan, passage: StepRun) -> bool:
    planned = plan.steps.get(passage["step"])
    return planned is not None and is_irreversible(planned, passage)


def has_begun(context: FlowContext) -> bool:
    """Whether a flow has begun; a queued one has not."""
    return context["current_step"] is not None
