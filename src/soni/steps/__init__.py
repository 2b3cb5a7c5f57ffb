"""Step types, one file each. The file's name is the type's name and the YAML key."""

from functools import lru_cache

from soni.core.discovery import find_offers
from soni.steps.base import (
    ActionInput,
    ActionUse,
    Calling,
    Failure,
    FlowResult,
    FlowUse,
    HandingOff,
    Linking,
    Outcome,
    Ref,
    StepConfig,
    StepView,
    Wait,
    find_names,
)

__all__ = [
    "ActionInput",
    "ActionUse",
    "Calling",
    "Failure",
    "FlowResult",
    "FlowUse",
    "HandingOff",
    "Linking",
    "Outcome",
    "Ref",
    "StepConfig",
    "StepView",
    "Wait",
    "find_names",
    "step_types",
]


@lru_cache(maxsize=1)
def step_types() -> dict[str, type[StepConfig]]:
    """All step types by name: those of this folder and those of plugins (`soni.steps`)."""
    offers = find_offers(
        __name__, "STEP", "soni.steps", _is_step, "a class derived from StepConfig"
    )
    return {model.model_fields["type"].default: model for _, model in offers}


def _is_step(offer: object) -> bool:
    return isinstance(offer, type) and issubclass(offer, StepConfig)
