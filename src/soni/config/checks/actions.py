"""Actions: contracts against functions, and steps against both."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.definitions import ActionConfig
from soni.config.flow import FlowConfig
from soni.config.positions import Path
from soni.config.signature import build_signature
from soni.config.tool_action import get_tool_action
from soni.core.errors import find_nearest
from soni.steps import ActionUse, StepConfig

_MARK_REMEDY = "mark a function of that name with @action in actions.py"
_PARAMETER_REMEDY = "remove it, or add the parameter to the function"
_TOOL_REMEDY = "remove it, or run `soni mcp sync` if the tool has it now"


def check_actions(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every contract, and every step that calls an action."""
    calls = list(find_calls(assistant))
    if report.functions_known:
        uses: dict[str, list[ActionUse]] = defaultdict(list)
        for call in calls:
            uses[call.use.action].append(call.use)
        for name, contract in assistant.config.actions.items():
            _check_contract(assistant, report, name, contract, uses[name])
    for call in calls:
        action, known = call.use.action, assistant.functions.actions
        if report.functions_known and action not in known:
            here = (*call.path, "call")
            report.add_unknown(here, "action", action, known, code="E501", remedy=_MARK_REMEDY)
        else:
            _check_action_call(assistant, scopes, report, call)


@dataclass(frozen=True)
class Call:
    """A call of an action by a step; `path` leads to the mapping that names the action."""

    path: Path
    flow: FlowConfig
    step: StepConfig
    use: ActionUse


def find_calls(assistant: Assistant) -> Iterator[Call]:
    """Every call of an action by a step."""
    for name, flow in assistant.config.flows.items():
        for inner, step in flow.iter_steps():
            named = (ref for ref in step.refs() if ref.kind == "action")
            for ref, use in zip(named, step.calls(), strict=True):
                yield Call(("flows", name, *inner, *ref.path[:-1]), flow, step, use)


def _check_contract(
    assistant: Assistant, report: Report, name: str, contract: ActionConfig, uses: list[ActionUse]
) -> None:
    path, known = ("actions", name), assistant.functions.actions
    function = known.get(name)
    if function is None:
        report.add_unknown(path, "action", name, known, code="E501", remedy=_MARK_REMEDY, on="key")
        return
    if contract.check_outcome is not None:
        _check_outcome_function(assistant, report, path, contract.check_outcome)
    if contract.inputs is None:
        return
    taken = build_signature(name, function, None)
    names = [needed.name for needed in taken.inputs]
    given = [word.rstrip("?") for word in contract.inputs]
    for index, word in enumerate(given):
        if word not in names and not taken.accepts_any:
            message = f"{_describe_function(function)} takes no '{word}'"
            remedy = find_nearest(word, names) or _find_input_remedy(function)
            here = (*path, "inputs", index)
            report.add(here, message, code="E503", remedy=remedy, available=names)
    for needed in taken.inputs:
        missing = needed.required and needed.name not in given
        if missing and not (uses and all(needed.name in use.inputs for use in uses)):
            shown = _describe_function(function)
            message = f"{shown} needs '{needed.name}', which is not an input"
            or_default = "" if get_tool_action(function) else ", or give the parameter a default"
            remedy = f"add '{needed.name}' here{or_default}"
            report.add((*path, "inputs"), message, code="E504", remedy=remedy, on="key")


def _check_outcome_function(
    assistant: Assistant, report: Report, contract: Path, name: str
) -> None:
    path, known = (*contract, "check_outcome"), assistant.functions.actions
    function = known.get(name)
    if function is None:
        report.add_unknown(path, "action", name, known, code="E501", remedy=_MARK_REMEDY)
        return
    # Its inputs are not kept, so there is nothing to give but the key.
    for needed in build_signature(name, function, None).inputs:
        if needed.required:
            shown = _describe_function(function)
            message = f"{shown} needs '{needed.name}', but an outcome is asked by its key"
            remedy = f"take `ctx`, look up ctx.idempotency_key, and drop '{needed.name}'"
            if get_tool_action(function):
                remedy = f"write `idempotency_key: {needed.name}` under `mcp`, or take another tool"
            report.add(path, message, code="E508", remedy=remedy)


def _check_action_call(assistant: Assistant, scopes: Scopes, report: Report, call: Call) -> None:
    action, given = call.use.action, call.use.inputs
    signature = assistant.get_signature(action)
    if report.functions_known and not signature.accepts_any:
        # A step may give what the contract leaves out, as long as the function takes it.
        function = build_signature(action, assistant.functions.actions.get(action), None)
        taken = {needed.name for needed in (*signature.inputs, *function.inputs)}
        for name in [name for name in given if name not in taken]:
            at = (*call.path, "inputs", name)
            remedy = _find_input_remedy(assistant.functions.actions.get(action))
            report.add_unknown(at, "input", name, taken, code="E505", remedy=remedy, on="key")
    scope = scopes.build_flow_scope(call.flow, without=call.step)
    for needed in signature.inputs:
        if needed.required and needed.name not in given and not scope.has_name(needed.name):
            message = f"action '{action}' needs '{needed.name}', which nothing in this flow fills"
            remedy = f"collect '{needed.name}', declare it under `slots` or give it in `inputs`"
            guess = find_nearest(needed.name, scope.names)
            remedy = f"{remedy}; {guess}" if guess else remedy
            report.add((*call.path, "call"), message, code="E506", remedy=remedy)
    for output in call.use.map_outputs:
        if signature.outputs is not None and output not in signature.outputs:
            remedy = f"list it under `outputs` of action '{action}'"
            at, known = (*call.path, "map_outputs", output), signature.outputs
            report.add_unknown(at, "output", output, known, code="E507", remedy=remedy, on="key")


def _describe_function(function: Callable[..., Any]) -> str:
    tool = get_tool_action(function)
    if tool is not None:
        return tool.describe_tool()
    name = getattr(function, "__name__", "of this action")
    return f"function {name}{inspect.signature(function)}"


def _find_input_remedy(function: Callable[..., Any] | None) -> str:
    return _TOOL_REMEDY if get_tool_action(function) else _PARAMETER_REMEDY
