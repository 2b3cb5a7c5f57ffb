"""Steps that no way leads to."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import Graph
from soni.config.checks.report import Report


def check_reaching(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Every step of a flow; of steps that only lead to each other, the first."""
    reached = graph.reach([graph.plan.first])
    for step_id, place in graph.places.items():
        if step_id in reached:
            continue
        reached |= graph.reach([step_id])
        report.add(
            (*place, "step"),
            f"no way leads to step '{step_id}'",
            code="E402",
            remedy=f"name it as a target, such as `jump_to: {step_id}`, or remove it",
        )
