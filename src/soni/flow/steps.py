"""FlowStepManager: past the steps that have nothing left to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soni.core.constants import RESERVED_TARGETS
from soni.core.types import (
    DialogueState,
    FlowContext,
    Passage,
    Progress,
    RuntimeContext,
    StateUpdate,
)
from soni.flow.irreversible import is_deed
from soni.flow.manager import FlowManager

if TYPE_CHECKING:
    from soni.config.assistant import Assistant
    from soni.config.plan import FlowPlan


class FlowStepManager:
    """Moves a flow over filled collects, so that its graph is entered where work begins."""

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
        filled = self._flows.slots(state, active["flow_id"])
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
                context.course.ran(plan.name, step, planned.next)
            progress = with_passage(progress, plan, step, planned.next)
            step = planned.next
        if not passed:
            return {}
        return self._flows.update_context(
            state, active["flow_id"], current_step=step, progress=progress
        ).updates()


def with_passage(
    progress: Progress, plan: FlowPlan, step: str, following: str, *, skipped: bool = False
) -> Progress:
    """The memory after a step ran: the way that led here, each step once.

    A step that runs again has come back by a detour (an error's way out, a round that is over),
    of which only what cannot be done again counts from now on. What runs inside a loop is no
    detour.
    """
    history = progress["history"]
    at = next((i for i, passage in enumerate(history) if passage["step"] == step), len(history))
    loops = step in plan.steps and bool(plan.steps[step].step.children)
    detour = [p for p in history[at + 1 :] if loops or _stays_done(plan, p)]
    passage: Passage = {"step": step, "next": following}
    # What it did in an earlier round stays done, although this round skipped it.
    if skipped and all(earlier.get("skipped", False) for earlier in history[at : at + 1]):
        passage["skipped"] = True
    return {**progress, "history": [*history[:at], *detour, passage]}


def _stays_done(plan: FlowPlan, passage: Passage) -> bool:
    planned = plan.steps.get(passage["step"])
    return planned is not None and is_deed(planned, passage)


def is_open(context: FlowContext) -> bool:
    """Whether a flow has begun: one that waits its turn has not."""
    return context["current_step"] is not None
