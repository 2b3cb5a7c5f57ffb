"""What flows take and give: whether somebody provides it."""

from soni.config.assistant import Assistant
from soni.config.checks.graph import Graph
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes


def check_data(assistant: Assistant, graph: Graph, report: Report) -> None:
    """A flow's inputs and outputs."""
    _check_inputs(assistant, graph, report)
    _check_outputs(assistant, graph, report)


def _check_inputs(assistant: Assistant, graph: Graph, report: Report) -> None:
    plan = graph.plan
    if not _may_start_bare(assistant, plan.name):
        return
    for name, given in plan.config.inputs.items():
        if given.required and given.source is None and not asks_itself(assistant, plan.name, name):
            report.add(
                ("flows", plan.name, "inputs", name),
                f"nobody provides input '{name}' when the user starts this flow",
                code="E408",
                remedy=f"collect '{name}' in a step, write `{name}?` if it may be missing, "
                "or say where it comes from: `from: flow.output`",
                on="key",
            )


def _may_start_bare(assistant: Assistant, name: str) -> bool:
    """Whether the flow can start with nothing given."""
    settings = assistant.config.settings.conversation
    by_itself = (settings.default_flow, settings.fallback_flow)
    return assistant.config.flows[name].startable or name in by_itself


def asks_itself(assistant: Assistant, flow: str, name: str) -> bool:
    """Whether some step of a flow fills an input that was not given."""
    scopes, slot = Scopes(assistant), assistant.slot(name)
    asked = slot.prompt is not None or slot.default is not None
    for _, step in assistant.config.flows[flow].iter_steps():
        needs = (i for use in step.calls() for i in assistant.signature(use.action).inputs)
        if name in scopes.names_written_by(step):
            return True
        if asked and any(needed.name == name and needed.required for needed in needs):
            return True
    return False


def _check_outputs(assistant: Assistant, graph: Graph, report: Report) -> None:
    plan = graph.plan
    filled = plan.asks.union(*(planned.writes for planned in plan.steps.values()))
    if Scopes(assistant).flow(plan.config).open:
        return
    for index, name in enumerate(plan.config.outputs):
        slot = assistant.slot(name)
        if not assistant.is_declared(name) or slot.sensitive or slot.scope == "conversation":
            continue
        if name not in filled:
            report.add(
                ("flows", plan.name, "outputs", index),
                f"no step of this flow fills its output '{name}'",
                code="E407",
                remedy=f"collect or set '{name}' in a step, or remove it from the outputs",
            )
