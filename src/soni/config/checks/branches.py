"""Branches that may take no arm."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import Graph
from soni.config.checks.report import Report
from soni.core.constants import END
from soni.steps.branch import BranchStepConfig


def check_branches(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Every branch of a flow: it should say where it leads when no arm holds."""
    for step_id, planned in graph.plan.steps.items():
        step = planned.step
        if not isinstance(step, BranchStepConfig) or step.jump_to is not None:
            continue
        edges = {ref.edge for ref in step.refs() if ref.kind == "target"}
        if "else" in edges or _covers(assistant, step):
            continue
        onwards = "the flow ends" if planned.next == END else f"step '{planned.next}' follows"
        report.add(
            (*graph.places[step_id], "when" if step.input is None else "cases"),
            f"without `else`, {onwards} when no arm holds",
            code="W601",
            remedy=f"say so: `else: {planned.next}`, or name another step",
            on="key",
        )


def _covers(assistant: Assistant, step: BranchStepConfig) -> bool:
    """Whether the cases are all the values that the slot can have."""
    if step.input is None or not assistant.is_declared(step.input.strip()):
        return False
    slot = assistant.slot(step.input.strip())
    if not (slot.kind.is_polar or slot.kind.has_values):
        return False
    values = {"true", "false"} if slot.kind.is_polar else set(slot.values)
    return values <= set(step.cases or ())
