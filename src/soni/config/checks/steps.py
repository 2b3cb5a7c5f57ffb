"""Steps within the graph of their flow: branches, confirms, reachability, repetition."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import YES, Graph
from soni.config.checks.report import Report
from soni.core.constants import END
from soni.steps.branch import BranchStepConfig


def check_branches(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Warn of branches that do not say where they lead when no arm holds."""
    for step_id, planned in graph.plan.steps.items():
        step = planned.step
        if not isinstance(step, BranchStepConfig) or step.jump_to is not None:
            continue
        edges = {ref.edge for ref in step.refs() if ref.kind == "target"}
        if "else" in edges or _covers_all_values(assistant, step):
            continue
        onwards = "the flow ends" if planned.next == END else f"step '{planned.next}' follows"
        path = (*graph.places[step_id], "when" if step.input is None else "cases")
        message = f"without `else`, {onwards} when no arm holds"
        remedy = f"say so: `else: {planned.next}`, or name another step"
        report.add(path, message, code="W601", remedy=remedy, on="key")


def _covers_all_values(assistant: Assistant, step: BranchStepConfig) -> bool:
    """Whether the cases are all the values that the slot can have."""
    if step.input is None or not assistant.is_declared(step.input.strip()):
        return False
    slot = assistant.get_slot_config(step.input.strip())
    values = {"true", "false"} if slot.kind.is_polar else set(slot.values)
    return (slot.kind.is_polar or slot.kind.has_values) and values <= set(step.cases or ())


def check_confirms(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Report actions with `confirm` that can be reached without a confirm's yes."""
    unconfirmed = graph.find_reachable([graph.plan.first], lambda way: way.kind != YES)
    for step_id, planned in graph.plan.steps.items():
        if step_id not in unconfirmed:
            continue
        for ref in planned.step.refs():
            if ref.kind == "action" and assistant.get_signature(ref.value).confirm:
                message = f"action '{ref.value}' can be reached without the yes of a confirm step"
                remedy = "lead every way to it through a confirm step's yes"
                path = (*graph.places[step_id], *ref.path)
                report.add(path, message, code="E401", remedy=remedy)


def check_reachability(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Report steps that cannot be reached; of a group that leads to itself, the first."""
    reached = graph.find_reachable([graph.plan.first])
    for step_id, place in graph.places.items():
        if step_id in reached:
            continue
        reached |= graph.find_reachable([step_id])
        message = f"no way leads to step '{step_id}'"
        remedy = f"name it as a target, such as `jump_to: {step_id}`, or remove it"
        report.add((*place, "step"), message, code="E402", remedy=remedy)


def check_repeatable_actions(assistant: Assistant, graph: Graph, report: Report) -> None:
    """Warn of actions whose inputs the user may still correct at a later question."""
    if not assistant.config.conversation_patterns.correction.enabled:
        return
    for step_id, planned in graph.plan.steps.items():
        if not planned.actions or not _may_ask_later(graph, step_id):
            continue
        for ref in planned.step.refs():
            if ref.kind != "action" or _declares_repeatable(assistant, ref.value):
                continue
            inputs = {needed.name for needed in assistant.get_signature(ref.value).inputs}
            used = sorted(inputs & planned.reads & graph.plan.asks)
            if used:
                report.add(
                    (*graph.places[step_id], *ref.path),
                    f"the user may correct '{used[0]}' after action '{ref.value}' has used it",
                    code="W604",
                    remedy=f"say under `actions: {ref.value}:` whether it may then run again: "
                    "`repeatable: true` or `repeatable: false`",
                )


def _declares_repeatable(assistant: Assistant, action: str) -> bool:
    contract = assistant.config.actions.get(action)
    return contract is not None and "repeatable" in contract.model_fields_set


def _may_ask_later(graph: Graph, step_id: str) -> bool:
    steps = graph.plan.steps
    later = graph.find_reachable(way.to for way in graph.ways[step_id])
    return any(steps[each].step.waits and not steps[each].actions for each in later)
