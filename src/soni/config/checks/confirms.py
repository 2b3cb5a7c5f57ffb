"""Actions with `confirm: true`: no way may lead to them but through a confirm's yes."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import YES, Graph
from soni.config.checks.report import Report


def check_confirms(assistant: Assistant, graph: Graph, report: Report) -> None:
    """A flow's ways to the actions that need a yes."""
    unconfirmed = graph.reach([graph.plan.first], lambda way: way.kind != YES)
    for step_id, planned in graph.plan.steps.items():
        if step_id not in unconfirmed:
            continue
        for ref in planned.step.refs():
            if ref.kind == "action" and assistant.signature(ref.value).confirm:
                report.add(
                    (*graph.places[step_id], *ref.path),
                    f"action '{ref.value}' can be reached without the yes of a confirm step",
                    code="E401",
                    remedy="lead every way to it through a confirm step's yes",
                )
