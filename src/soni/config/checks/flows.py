"""Flows: targets, what comes in and goes out, what their steps name."""

from collections.abc import Iterable

from soni.config.assistant import Assistant
from soni.config.checks.notation import check_expression, check_text, check_value
from soni.config.checks.report import Report
from soni.config.checks.scope import ANYTHING, Scope, Scopes
from soni.config.flow import FlowConfig
from soni.config.positions import Path
from soni.config.wording import clip, find_nearest
from soni.core.constants import RESERVED_TARGETS
from soni.core.responses import OPTIONAL
from soni.slots import own_responses
from soni.steps import Ref
from soni.steps.collect import CollectStepConfig


def check_flows(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every flow and its steps."""
    for name, flow in assistant.config.flows.items():
        path: Path = ("flows", name)
        scope = scopes.flow(flow)
        if flow.trigger is not None and flow.trigger.condition is not None:
            place = (*path, "trigger", "condition")
            check_expression(report, place, flow.trigger.condition, scopes.idle)
        _check_inputs(assistant, report, path, flow)
        _check_outputs(assistant, report, path, flow, scope)
        ids = [step.step for _, step in flow.iter_steps()]
        if flow.on_error is not None:
            _check_target(report, (*path, "on_error"), flow.on_error, ids)
        for inner, step in flow.iter_steps():
            for ref in step.all_refs():
                here = (*path, *inner, *ref.path)
                _check_ref(assistant, report, here, ref, scope, ids)
                asks = isinstance(step, CollectStepConfig) and step.message is None
                if asks and ref.kind == "slot" and ref.writes:
                    _check_prompt(assistant, report, here, ref.value)


def _check_ref(
    assistant: Assistant, report: Report, path: Path, ref: Ref, scope: Scope, ids: list[str]
) -> None:
    match ref.kind:
        case "text":
            check_text(report, path, ref.value, scope)
        case "item_text":
            check_text(report, path, ref.value, ANYTHING)
        case "item_expression":
            check_expression(report, path, ref.value, ANYTHING)
        case "expression":
            check_expression(report, path, ref.value, scope)
        case "value":
            check_value(report, path, ref.value, scope)
        case "target":
            _check_target(report, path, ref.value, ids)
        case "flow":
            _check_flow(assistant, report, path, ref.value)
        case "response" if assistant.response(ref.value) is None:
            known = {*assistant.config.responses, *own_responses(), *OPTIONAL}
            remedy = "write it under `responses`"
            report.unknown(path, "response", ref.value, known, code="E205", remedy=remedy)


def _check_target(report: Report, path: Path, target: str, ids: Iterable[str]) -> None:
    known = (*ids, *RESERVED_TARGETS)
    if target not in known:
        remedy = "name a step of this flow, or give that step this id: `step: ...`"
        report.unknown(path, "step", target, known, code="E201", remedy=remedy)


def _check_flow(assistant: Assistant, report: Report, path: Path, name: str) -> None:
    flows = assistant.config.flows
    if name not in flows:
        remedy = "write it under `flows`"
        report.unknown(path, "flow", name, flows, code="E202", remedy=remedy)


def _check_prompt(assistant: Assistant, report: Report, path: Path, slot: str) -> None:
    slots = assistant.config.slots
    if slot not in slots:
        remedy = "declare it under `slots`, or give this step a `message`"
        report.unknown(path, "slot", slot, slots, code="E203", remedy=remedy)
    elif slots[slot].prompt is None:
        message = f"nothing says how to ask for '{slot}'"
        remedy = "give the slot a `prompt`, or this step a `message`"
        report.add(path, message, code="E405", remedy=remedy)


def _check_inputs(assistant: Assistant, report: Report, path: Path, flow: FlowConfig) -> None:
    flows = assistant.config.flows
    for name, given in flow.inputs.items():
        if given.source is None:
            continue
        place = (*path, "inputs", name, "from")
        source, _, output = given.source.partition(".")
        if not source or not output or "." in output:
            message = f"'{clip(given.source)}' does not name an output of a flow"
            report.add(place, message, code="E209", remedy="write `from: flow.output`")
        elif source not in flows:
            _check_flow(assistant, report, place, source)
        elif output not in flows[source].outputs:
            known = flows[source].outputs
            remedy = find_nearest(output, known) or f"list it under `outputs` of flow '{source}'"
            message = f"flow '{source}' has no output '{clip(output)}'"
            report.add(place, message, code="E208", remedy=remedy, available=known)


def _check_outputs(
    assistant: Assistant, report: Report, path: Path, flow: FlowConfig, scope: Scope
) -> None:
    for index, name in enumerate(flow.outputs):
        place = (*path, "outputs", index)
        if not scope.has(name):
            known = scope.names
            remedy = "fill it in a step of this flow, or remove it"
            report.unknown(place, "output", name, known, code="E207", remedy=remedy)
        elif assistant.slot(name).sensitive:
            message = f"slot '{name}' is sensitive and cannot be an output"
            remedy = "remove it: outputs are kept and shown"
            report.add(place, message, code="E406", remedy=remedy)
