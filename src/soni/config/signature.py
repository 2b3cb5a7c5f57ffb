"""The signature of an action, from its contract or else from its Python function."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from soni.config.definitions import ActionConfig
from soni.steps import ActionInput

CONTEXT_PARAMETER = "ctx"


@dataclass(frozen=True)
class ActionSignature:
    """An action as the rest of Soni sees it."""

    name: str
    inputs: tuple[ActionInput, ...]
    outputs: tuple[str, ...] | None
    """None: unknown before it runs; every key it returns is written."""

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
    parameters = _list_parameters(function)
    contract = contract or ActionConfig()
    inputs = (
        tuple(ActionInput(word.rstrip("?"), not word.endswith("?")) for word in contract.inputs)
        if contract.inputs is not None
        else _list_inputs(parameters)
    )
    return ActionSignature(
        name=name,
        inputs=inputs,
        outputs=contract.outputs,
        repeatable=contract.repeatable,
        confirm=contract.confirm,
        nullable=frozenset(i.name for i in inputs if not i.required)
        & _list_required_inputs(parameters),
        wants_context=any(parameter.name == CONTEXT_PARAMETER for parameter in parameters),
        accepts_any=any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters),
    )


def _list_parameters(function: Callable[..., Any] | None) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(function).parameters.values()) if function else ()


def _list_required_inputs(parameters: tuple[inspect.Parameter, ...]) -> frozenset[str]:
    return frozenset(needed.name for needed in _list_inputs(parameters) if needed.required)


def _list_inputs(parameters: tuple[inspect.Parameter, ...]) -> tuple[ActionInput, ...]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(
        ActionInput(parameter.name, required=parameter.default is parameter.empty)
        for parameter in parameters
        if parameter.kind in named and parameter.name != CONTEXT_PARAMETER
    )
