"""The signature of an action, from its contract or else from its Python function."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from soni.config.definitions import ActionConfig
from soni.config.tool_action import get_tool_action
from soni.steps import ActionInput

CONTEXT_PARAMETER = "ctx"


@dataclass(frozen=True)
class ActionSignature:
    """An action as the rest of Soni sees it."""

    name: str
    inputs: tuple[ActionInput, ...]
    outputs: tuple[str, ...] | None
    """None: unknown before it runs; every key it returns is written."""

    optional_outputs: frozenset[str] = frozenset()
    """Outputs that may be missing: the schema of a tool says so."""

    repeatable: bool = False
    confirm: bool = False
    nullable: frozenset[str] = frozenset()
    """Optional inputs without a default in the function: it gets null if one is unset."""

    wants_context: bool = False
    accepts_any: bool = False
    """The function takes `**kwargs`."""


def build_signature(
    name: str, function: Callable[..., Any] | None, contract: ActionConfig | None
) -> ActionSignature:
    """Combine a contract with its function; either may be missing."""
    tool = get_tool_action(function)
    known = function if tool is None else None
    parameters = list(inspect.signature(known).parameters.values()) if known else []
    contract = contract or ActionConfig()
    inputs = taken = tool.inputs if tool else _list_inputs(parameters)
    if contract.inputs is not None:
        words = contract.inputs
        inputs = tuple(ActionInput(word.rstrip("?"), not word.endswith("?")) for word in words)
    # A tool takes no null in the place of something that it needs.
    needed = {each.name for each in taken if each.required and tool is None}
    outputs = tool.outputs if tool and contract.outputs is None else contract.outputs
    return ActionSignature(
        name=name,
        inputs=inputs,
        outputs=outputs,
        optional_outputs=tool.list_optional_outputs(outputs) if tool else frozenset(),
        repeatable=contract.repeatable,
        confirm=contract.confirm,
        nullable=frozenset(i.name for i in inputs if not i.required and i.name in needed),
        wants_context=tool is not None
        or any(parameter.name == CONTEXT_PARAMETER for parameter in parameters),
        accepts_any=tool.takes_any
        if tool
        else any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters),
    )


def _list_inputs(parameters: list[inspect.Parameter]) -> tuple[ActionInput, ...]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(
        ActionInput(parameter.name, required=parameter.default is parameter.empty)
        for parameter in parameters
        if parameter.kind in named and parameter.name != CONTEXT_PARAMETER
    )
