"""A flow: what starts it, what it takes and gives, its steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    field_validator,
)
from pydantic_core import PydanticCustomError

from soni.config.definitions import Config
from soni.steps import StepConfig
from soni.steps.spelling import add_ids, iter_steps, parse_step

MAX_STEPS = 500
"""The most steps of one flow. It bounds the time of checks that follow every path."""


class Trigger(Config):
    """What makes a flow startable by the user."""

    examples: tuple[str, ...] = Field(
        default=(), validation_alias=AliasChoices("examples", "intents")
    )
    condition: str | None = None
    """The flow can start only while this holds."""


class FlowInput(Config):
    """Where an input comes from, if nobody gives it."""

    source: str | None = Field(default=None, alias="from")
    """`flow.output` of the last completed instance of that flow."""

    required: bool = True

    model_config = ConfigDict(populate_by_name=True)


Step = Annotated[SerializeAsAny[StepConfig], BeforeValidator(parse_step)]


class FlowConfig(Config):
    """A task of the user's, or a part of one that other flows call."""

    description: str = ""
    trigger: Trigger | None = None
    inputs: dict[str, FlowInput] = Field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    """Slots handed out when the flow completes."""

    steps: list[Step] = Field(validation_alias=AliasChoices("steps", "process"), min_length=1)
    on_error: str | None = None
    """Where a failed step without an `on_error` of its own leads."""

    interruptible: bool = True
    resumable: bool = True
    """False: an interruption cancels the flow instead of pausing it."""

    hidden: bool = False
    """Never offered to the user."""

    @field_validator("inputs", mode="before")
    @classmethod
    def _normalise_inputs(cls, inputs: Any) -> Any:
        if isinstance(inputs, list | tuple) and all(isinstance(name, str) for name in inputs):
            return {name.rstrip("?"): {"required": not name.endswith("?")} for name in inputs}
        if isinstance(inputs, Mapping):
            return {
                name.rstrip("?"): _normalise_input(spec, required=not name.endswith("?"))
                for name, spec in inputs.items()
            }
        return inputs

    @field_validator("steps", mode="after")
    @classmethod
    def _add_step_ids(cls, steps: list[StepConfig]) -> list[StepConfig]:
        if sum(1 for _ in iter_steps(steps)) > MAX_STEPS:
            raise PydanticCustomError("many_steps", f"the flow has more than {MAX_STEPS} steps")
        return add_ids(steps)

    def iter_steps(self) -> Iterator[tuple[tuple[str | int, ...], StepConfig]]:
        """Every step, those inside others included, with the keys that lead to it."""
        yield from _iter_steps(self.steps, ("steps",))

    @property
    def startable(self) -> bool:
        """Whether the user may start it, condition aside."""
        return self.trigger is not None and not self.hidden


def _iter_steps(
    steps: Sequence[StepConfig], path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], StepConfig]]:
    for index, step in enumerate(steps):
        yield (*path, index), step
        yield from _iter_steps(step.children, (*path, index, step.inside))


def _normalise_input(spec: Any, *, required: bool) -> Any:
    if spec is None:
        return {"required": False}
    return {"required": required, **spec} if isinstance(spec, Mapping) else spec
