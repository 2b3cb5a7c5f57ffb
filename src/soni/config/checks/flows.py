"""Flows: their targets, inputs and outputs, and the names that their steps use."""

from collections.abc import Iterable, Iterator

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import OPEN_SCOPE, Scope, Scopes
from soni.config.checks.texts import check_expression, check_text, check_value
from soni.config.flow import FlowConfig
from soni.config.positions import Path
from soni.config.signature import ActionSignature
from soni.core.constants import RESERVED_TARGETS
from soni.core.errors import clip, find_nearest
from soni.core.expressions import parse_expression
from soni.core.templates import parse_template
from soni.core.texts import OPTIONAL_RESPONSES, Text, iter_sentences
from soni.slots import collect_responses
from soni.steps import Ref, find_names
from soni.steps.collect import CollectStepConfig


def check_flows(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every flow and its steps."""
    for name, flow in assistant.config.flows.items():
        path: Path = ("flows", name)
        scope = scopes.build_flow_scope(flow)
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
            check_text(report, path, ref.value, OPEN_SCOPE)
        case "item_expression":
            check_expression(report, path, ref.value, OPEN_SCOPE)
        case "expression":
            check_expression(report, path, ref.value, scope)
        case "value":
            check_value(report, path, ref.value, scope)
        case "target":
            _check_target(report, path, ref.value, ids)
        case "flow":
            _check_flow(assistant, report, path, ref.value)
        case "response" if assistant.get_response(ref.value) is None:
            known = {*assistant.config.responses, *collect_responses(), *OPTIONAL_RESPONSES}
            remedy = "write it under `responses`"
            report.add_unknown(path, "response", ref.value, known, code="E205", remedy=remedy)


def _check_target(report: Report, path: Path, target: str, ids: Iterable[str]) -> None:
    known = (*ids, *RESERVED_TARGETS)
    if target not in known:
        remedy = "name a step of this flow, or give that step this id: `step: ...`"
        report.add_unknown(path, "step", target, known, code="E201", remedy=remedy)


def _check_flow(assistant: Assistant, report: Report, path: Path, name: str) -> None:
    flows = assistant.config.flows
    if name not in flows:
        remedy = "write it under `flows`"
        report.add_unknown(path, "flow", name, flows, code="E202", remedy=remedy)


def _check_prompt(assistant: Assistant, report: Report, path: Path, slot: str) -> None:
    slots = assistant.config.slots
    if slot not in slots:
        remedy = "declare it under `slots`, or give this step a `message`"
        report.add_unknown(path, "slot", slot, slots, code="E203", remedy=remedy)
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
        if not scope.has_name(name):
            remedy = "fill it in a step of this flow, or remove it"
            report.add_unknown(place, "output", name, scope.names, code="E207", remedy=remedy)
        elif assistant.get_slot_config(name).sensitive:
            message = f"slot '{name}' is sensitive and cannot be an output"
            remedy = "remove it: outputs are kept and shown"
            report.add(place, message, code="E406", remedy=remedy)


def check_unused(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Warn of slots and responses that nothing uses."""
    flows = assistant.config.flows.values()
    refs = [ref for flow in flows for _, step in flow.iter_steps() for ref in step.all_refs()]
    _check_unused_responses(assistant, refs, report)
    handoff = assistant.config.settings.handoff.action
    names = {ref.value for ref in refs if ref.kind == "action"} | ({handoff} if handoff else set())
    called = [assistant.get_signature(name) for name in names]
    # Such a function may read or fill any slot; that is known only when it runs.
    free = any(each.outputs is None or each.wants_context or each.accepts_any for each in called)
    if report.functions_known and not free:
        _check_unused_slots(assistant, refs, called, report)


def _check_unused_responses(assistant: Assistant, refs: list[Ref], report: Report) -> None:
    said = {ref.value for ref in refs if ref.kind == "response"}
    refusals = (slot.kind.refusal for slot in assistant.config.slots.values())
    known = [*dict.fromkeys([*collect_responses(), *OPTIONAL_RESPONSES, *refusals])]
    for name in assistant.config.responses:
        if name not in (*said, *known):
            message = f"nothing says response '{name}'"
            own = f"say it in a step, `- {{type: say, response: {name}}}`, or remove it"
            guess = find_nearest(name, known)
            remedy = f"{guess} otherwise {own}" if guess else own
            report.add(("responses", name), message, code="W602", remedy=remedy, on="key")


def _check_unused_slots(
    assistant: Assistant, refs: list[Ref], called: list[ActionSignature], report: Report
) -> None:
    used = {
        *_find_names_in_flows(assistant),
        *_find_names_in_steps(refs, called),
        *_find_names_in_texts(assistant),
    }
    for name in assistant.config.slots.keys() - used:
        message = f"nothing uses slot '{name}'"
        remedy = f"ask for it in a step, `- collect: {name}`, or remove it"
        report.add(("slots", name), message, code="W603", remedy=remedy, on="key")


def _find_names_in_flows(assistant: Assistant) -> Iterator[str]:
    for flow in assistant.config.flows.values():
        yield from (*flow.inputs, *flow.outputs)
        if flow.trigger is not None and flow.trigger.condition is not None:
            yield from parse_expression(flow.trigger.condition).names


def _find_names_in_steps(refs: list[Ref], called: list[ActionSignature]) -> Iterator[str]:
    for ref in refs:
        yield from find_names(ref)
        if ref.kind == "slot":
            yield ref.value
    for signature in called:
        yield from (needed.name for needed in signature.inputs)
        yield from signature.outputs or ()


def _find_names_in_texts(assistant: Assistant) -> Iterator[str]:
    """Names read by responses, by knowledge, and by other slots."""
    for name in assistant.config.responses:
        yield from _find_names_in_text(assistant.get_response(name))
    for name, slot in assistant.config.slots.items():
        read = {*_find_names_in_text(slot.prompt), *_find_names_in_text(slot.help)}
        for constraint in slot.constraints:
            read.update(_find_names_in_text(constraint.message))
            read.update(parse_expression(constraint.condition).names)
        yield from read - {name}
    for entry in assistant.config.knowledge:
        yield from _find_names_in_text(entry.answer)
        yield from parse_expression(entry.when).names if entry.when is not None else ()


def _find_names_in_text(text: Text | None) -> Iterator[str]:
    for _, sentence in iter_sentences(text) if text is not None else ():
        yield from parse_template(sentence).names
