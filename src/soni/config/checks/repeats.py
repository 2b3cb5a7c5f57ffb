"""Actions that a correction may reach: whether they may run again should be said."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import Graph
from soni.config.checks.report import Report


def check_repeats(assistant: Assistant, graph: Graph, report: Report) -> None:
    """A flow's actions that use what the user said, before a question at which to correct it."""
    if not assistant.config.conversation_patterns.correction.enabled:
        return
    for step_id, planned in graph.plan.steps.items():
        if not planned.actions or not _is_asked_later(graph, step_id):
            continue
        for ref in planned.step.refs():
            if ref.kind != "action" or _says(assistant, ref.value):
                continue
            inputs = {needed.name for needed in assistant.signature(ref.value).inputs}
            used = sorted(inputs & planned.reads & graph.plan.asks)
            if used:
                report.add(
                    (*graph.places[step_id], *ref.path),
                    f"the user may correct '{used[0]}' after action '{ref.value}' has used it",
                    code="W604",
                    remedy=f"say under `actions: {ref.value}:` whether it may then run again: "
                    "`repeatable: true` or `repeatable: false`",
                )


def _says(assistant: Assistant, action: str) -> bool:
    contract = assistant.config.actions.get(action)
    return contract is not None and "repeatable" in contract.model_fields_set


def _is_asked_later(graph: Graph, step_id: str) -> bool:
    steps = graph.plan.steps
    later = graph.reach(way.to for way in graph.ways[step_id])
    return any(steps[each].step.waits and not steps[each].actions for each in later)
