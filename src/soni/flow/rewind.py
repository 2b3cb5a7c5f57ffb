"""Corrections by data flow: how far back a flow must go when a slot changes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from soni.config.plan import FlowPlan, PlannedStep
from soni.core.constants import RESERVED_TARGETS
from soni.core.types import FlowContext, Progress


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
    asked_again = set(unset)
    ran = [passage["step"] for passage in context["progress"]["history"]]
    affected = _affected(plan, ran, set(changed) | asked_again, asked_again)
    current = affected[0] if affected else context["current_step"]
    behind = ran[ran.index(affected[0]) :] if affected else []
    return Rewound(current, _progress(plan, context["progress"], affected, behind, asked_again))


def _affected(
    plan: FlowPlan, ran: list[str], tainted: set[str], asked_again: set[str]
) -> list[str]:
    affected: list[str] = []
    for step_id in ran:
        planned = plan.steps.get(step_id)
        if planned is None:
            continue
        if _collects(planned):
            if planned.writes & asked_again:
                affected.append(step_id)
        elif planned.reads & tainted:
            if not planned.repeatable:
                raise TooLateError(step_id)
            affected.append(step_id)
            tainted |= planned.writes
            if planned.step.type == "branch":
                _check_arms(plan, planned, ran[ran.index(step_id) + 1 :])
    return affected


def _check_arms(plan: FlowPlan, branch: PlannedStep, later: list[str]) -> None:
    """What was done on one arm cannot be undone by taking another."""
    for step_id in later:
        planned = plan.steps.get(step_id)
        if planned is None or planned.repeatable:
            continue
        if not all(step_id in set(_reachable(plan, arm)) for arm in branch.successors):
            raise TooLateError(step_id)


def _reachable(plan: FlowPlan, start: str) -> Iterator[str]:
    todo, seen = [start], set(RESERVED_TARGETS)
    while todo:
        step_id = todo.pop()
        if step_id in seen or step_id not in plan.steps:
            continue
        seen.add(step_id)
        yield step_id
        todo.extend(plan.steps[step_id].successors)


def _progress(
    plan: FlowPlan,
    progress: Progress,
    affected: list[str],
    behind: list[str],
    asked_again: set[str],
) -> Progress:
    kept = [step for step in behind if step not in affected and not _is_collect(plan, step)]
    no_asker = sorted(slot for slot in asked_again if plan.asker(slot) not in affected)
    return {
        **progress,
        "history": [p for p in progress["history"] if p["step"] not in affected],
        "skip": list(dict.fromkeys([*progress["skip"], *kept])),
        "ask": list(dict.fromkeys([*progress["ask"], *no_asker])),
        "answer": None,
        "changing": False,
    }


def _is_collect(plan: FlowPlan, step_id: str) -> bool:
    planned = plan.steps.get(step_id)
    return planned is None or _collects(planned)


def _collects(planned: PlannedStep) -> bool:
    return planned.step.waits and planned.action is None and bool(planned.writes)
