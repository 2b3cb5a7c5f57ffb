"""Steps that run other flows: their inputs and outputs, and calls without end."""

from collections.abc import Iterator
from dataclasses import dataclass

from soni.config.assistant import Assistant
from soni.config.checks.graph import Graph, find_cycles
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.positions import Path
from soni.core.errors import find_nearest
from soni.steps import FlowUse, StepConfig


@dataclass(frozen=True)
class _FlowReference:
    """A step that leads to another flow."""

    path: Path
    caller: str
    flow: str
    step: StepConfig


def check_calls(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Check every step that calls a flow or links to one."""
    uses = list(_find_flow_references(assistant))
    for use in uses:
        called = use.step.subflow()
        if called is not None:
            _check_call(assistant, scopes, report, use, called)
    _check_cycles(report, uses)


def _find_flow_references(assistant: Assistant) -> Iterator[_FlowReference]:
    for name, flow in assistant.config.flows.items():
        for inner, step in flow.iter_steps():
            for ref in step.refs():
                if ref.kind == "flow" and ref.value in assistant.config.flows:
                    yield _FlowReference(("flows", name, *inner), name, ref.value, step)


def _check_call(
    assistant: Assistant, scopes: Scopes, report: Report, use: _FlowReference, called: FlowUse
) -> None:
    flow = assistant.config.flows[use.flow]
    for name in called.inputs:
        if name not in flow.inputs:
            at, known = (*use.path, "inputs", name), flow.inputs
            remedy = f"remove it, or list it under `inputs` of flow '{use.flow}'"
            report.add_unknown(at, "input", name, known, code="E214", remedy=remedy, on="key")
    for name in called.outputs:
        if name not in flow.outputs:
            place = (*use.path, "outputs", name)
            message = f"flow '{use.flow}' has no output '{name}'"
            remedy = find_nearest(name, flow.outputs) or f"list it under `outputs` of '{use.flow}'"
            report.add(place, message, code="E208", remedy=remedy, available=flow.outputs, on="key")
    here = scopes.build_flow_scope(assistant.config.flows[use.caller], without=use.step)
    for name, wanted in flow.inputs.items():
        given = name in called.inputs or here.has_name(name) or wanted.source is not None
        if wanted.required and not given and not fills_own_input(assistant, use.flow, name):
            message = f"flow '{use.flow}' needs '{name}', which this step does not give"
            remedy = f"give it: `inputs: {{{name}: ...}}`, or collect '{name}' before"
            report.add((*use.path, "flow"), message, code="E408", remedy=remedy)


def _check_cycles(report: Report, uses: list[_FlowReference]) -> None:
    """A flow that calls itself, through however many others, never comes back."""
    after: dict[str, set[str]] = {}
    for use in uses:
        after.setdefault(use.caller, set()).add(use.flow)
    ring_of = {name: ring for ring in find_cycles(after) for name in ring}
    told: set[str] = set()
    for use in uses:
        ring = ring_of.get(use.caller, set())
        # A cycle of links alone is fine: each flow ends before the next one begins.
        if use.step.subflow() is None or use.flow not in ring or use.caller in told:
            continue
        told |= ring
        many = f"these flows call each other without end: {', '.join(sorted(ring))}"
        message = many if len(ring) > 1 else "this flow calls itself"
        remedy = "go round with a `while` step, or let one flow end without calling the next"
        report.add((*use.path, "flow"), message, code="E404", remedy=remedy)


def check_data(assistant: Assistant, graph: Graph, report: Report) -> None:
    """A flow's inputs and outputs."""
    _check_inputs(assistant, graph, report)
    _check_outputs(assistant, graph, report)


def _check_inputs(assistant: Assistant, graph: Graph, report: Report) -> None:
    plan, settings = graph.plan, assistant.config.settings.conversation
    # Others start only by a call, which gives the inputs.
    by_itself = (settings.default_flow, settings.fallback_flow)
    if not plan.config.startable and plan.name not in by_itself:
        return
    needed = (name for name, i in plan.config.inputs.items() if i.required and i.source is None)
    for name in needed:
        if not fills_own_input(assistant, plan.name, name):
            path = ("flows", plan.name, "inputs", name)
            message = f"nobody provides input '{name}' when the user starts this flow"
            remedy = (
                f"collect '{name}' in a step, write `{name}?` if it may be missing, "
                "or say where it comes from: `from: flow.output`"
            )
            report.add(path, message, code="E408", remedy=remedy, on="key")


def fills_own_input(assistant: Assistant, flow: str, name: str) -> bool:
    """Whether some step of a flow fills an input that was not given."""
    scopes, slot = Scopes(assistant), assistant.get_slot_config(name)
    asked = slot.prompt is not None or slot.default is not None
    for _, step in assistant.config.flows[flow].iter_steps():
        needs = (i for use in step.calls() for i in assistant.get_signature(use.action).inputs)
        if name in scopes.find_written_names(step):
            return True
        if asked and any(needed.name == name and needed.required for needed in needs):
            return True
    return False


def _check_outputs(assistant: Assistant, graph: Graph, report: Report) -> None:
    plan = graph.plan
    filled = plan.asks.union(*(planned.writes for planned in plan.steps.values()))
    if Scopes(assistant).build_flow_scope(plan.config).open:
        return
    for index, name in enumerate(plan.config.outputs):
        slot = assistant.get_slot_config(name)
        if not assistant.is_declared(name) or slot.sensitive or slot.scope == "conversation":
            continue
        if name not in filled:
            path = ("flows", plan.name, "outputs", index)
            message = f"no step of this flow fills its output '{name}'"
            remedy = f"collect or set '{name}' in a step, or remove it from the outputs"
            report.add(path, message, code="E407", remedy=remedy)
