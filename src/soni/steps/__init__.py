"""Step types, one file each. The file's name is the type's name and the YAML key."""

from functools import lru_cache

from soni.core.discovery import modules_of, plugins_of
from soni.steps.base import (
    ActionInput,
    Failure,
    Outcome,
    Ref,
    StepConfig,
    StepView,
    Wait,
    names_in,
)

__all__ = [
    "ActionInput",
    "Failure",
    "Outcome",
    "Ref",
    "StepConfig",
    "StepView",
    "Wait",
    "names_in",
    "step_types",
]

_NOT_KINDS = frozenset({"base", "spelling"})


@lru_cache(maxsize=1)
def step_types() -> dict[str, type[StepConfig]]:
    """All step types by name: those of this folder and those of plugins (`soni.steps`)."""
    found = [*modules_of(__name__, apart=_NOT_KINDS), *plugins_of("soni.steps")]
    return {module.STEP.model_fields["type"].default: module.STEP for module in found}
