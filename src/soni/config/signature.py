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
    parameters = list(inspect.signature(function).parameters.values()) if function else []
    contract = contract or ActionConfig()
    inputs = taken = _list_inputs(parameters)
    if contract.inputs is not None:
        words = contract.inputs
        inputs = tuple(ActionInput(word.rstrip("?"), not word.endswith("?")) for word in words)
    needed = {each.name for each in taken if each.required}
    return ActionSignature(
        name=name,
        inputs=inputs,
        outputs=contract.outputs,
        repeatable=contract.repeatable,
        confirm=contract.confirm,
        nullable=frozenset(i.name for i in inputs if not i.required and i.name in needed),
        wants_context=any(parameter.name == CONTEXT_PARAMETER for parameter in parameters),
        accepts_any=any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters),
    )


def _list_inputs(parameters: list[inspect.Parameter]) -> tuple[ActionInput, ...]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(
        ActionInput(parameter.name, required=parameter.default is parameter.empty)
        for parameter in parameters
        if parameter.kind in named and parameter.name != CONTEXT_PARAMETER
    )
