"""Actions: contracts against functions, and steps against both."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from soni.config.action import ActionConfig
from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.flow import FlowConfig
from soni.config.positions import Path
from soni.config.signature import signature_of
from soni.config.wording import nearest
from soni.steps import StepConfig

_MARK_IT = "mark a function of that name with @action in actions.py"
_ADD_PARAMETER = "remove it, or add the parameter to the function"


def check_actions(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every contract, and every step that calls an action."""
    if report.functions_known:
        for name, contract in assistant.config.actions.items():
            _check_contract(assistant, report, name, contract)
    for path, flow, step, action in _calls(assistant):
        if report.functions_known and action not in assistant.functions.actions:
            known = assistant.functions.actions
            report.unknown((*path, "call"), "action", action, known, remedy=_MARK_IT)
        else:
            _check_call(assistant, scopes, report, path, flow, step, action)


def _calls(assistant: Assistant) -> Iterator[tuple[Path, FlowConfig, StepConfig, str]]:
    for flow_name, flow in assistant.config.flows.items():
        for index, step in enumerate(flow.steps):
            for ref in step.all_refs():
                if ref.kind == "action":
                    yield ("flows", flow_name, "steps", index), flow, step, ref.value


def _check_contract(
    assistant: Assistant, report: Report, name: str, contract: ActionConfig
) -> None:
    function = assistant.functions.actions.get(name)
    path: Path = ("actions", name)
    if function is None:
        known = assistant.functions.actions
        report.unknown(path, "action", name, known, remedy=_MARK_IT, on="key")
        return
    if contract.inputs is None:
        return
    taken = signature_of(name, function, None)
    names = [needed.name for needed in taken.inputs]
    given = [word.rstrip("?") for word in contract.inputs]
    for index, word in enumerate(given):
        if word not in names and not taken.accepts_any:
            message = f"function {_named(function)} takes no '{word}'"
            remedy = nearest(word, names) or _ADD_PARAMETER
            report.add((*path, "inputs", index), message, remedy=remedy, available=names)
    for needed in taken.inputs:
        if not needed.required or needed.name in given:
            continue
        if not _always_given(assistant, name, needed.name):
            message = f"function {_named(function)} needs '{needed.name}', which is not an input"
            remedy = f"add '{needed.name}' here, or give the parameter a default"
            report.add((*path, "inputs"), message, remedy=remedy, on="key")


def _always_given(assistant: Assistant, action: str, name: str) -> bool:
    """Whether every step that calls the action gives this input itself."""
    steps = [step for _, _, step, called in _calls(assistant) if called == action]
    return bool(steps) and all(name in _inputs(step) for step in steps)


def _check_call(
    assistant: Assistant,
    scopes: Scopes,
    report: Report,
    path: Path,
    flow: FlowConfig,
    step: StepConfig,
    action: str,
) -> None:
    signature = assistant.signature(action)
    given = _inputs(step)
    if report.functions_known and not signature.accepts_any:
        # A step may give what the contract leaves out, as long as the function takes it.
        function = signature_of(action, assistant.functions.actions.get(action), None)
        taken = {needed.name for needed in (*signature.inputs, *function.inputs)}
        for name in given:
            if name not in taken:
                place = (*path, "inputs", name)
                report.unknown(place, "input", name, taken, remedy=_ADD_PARAMETER, on="key")
    scope = scopes.flow(flow, without=step)
    for needed in signature.inputs:
        if needed.required and needed.name not in given and not scope.has(needed.name):
            message = f"action '{action}' needs '{needed.name}', which nothing in this flow fills"
            remedy = f"collect '{needed.name}', declare it under `slots` or give it in `inputs`"
            guess = nearest(needed.name, scope.names)
            report.add((*path, "call"), message, remedy=f"{remedy}; {guess}" if guess else remedy)
    for output in getattr(step, "map_outputs", {}):
        if signature.outputs is not None and output not in signature.outputs:
            remedy = f"list it under `outputs` of action '{action}'"
            place = (*path, "map_outputs", output)
            report.unknown(place, "output", output, signature.outputs, remedy=remedy, on="key")


def _inputs(step: StepConfig) -> Mapping[str, Any]:
    given: Mapping[str, Any] = getattr(step, "inputs", {})
    return given


def _named(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "of this action")
    return f"{name}{inspect.signature(function)}"
