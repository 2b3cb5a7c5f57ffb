"""action: call a Python function of the assistant."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from soni.core.errors import ActionError, NeedSlot
from soni.steps.base import (
    ActionUse,
    Failure,
    Outcome,
    Ref,
    StepConfig,
    StepView,
    ask_for_slot,
    find_missing_input,
    iter_value_refs,
)


class Retry(BaseModel):
    """How often, and how patiently, a failed call is tried again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_attempts: int = Field(default=3, ge=1, le=10)
    """Calls in all, the first included."""

    delay: float = Field(default=0.5, ge=0, le=60)
    """Seconds before the second call."""

    backoff: float = Field(default=2.0, ge=1, le=10)
    """Each further delay is this many times the one before."""

    retry_on: tuple[str, ...] = ()
    """Error types worth another try; none named: all."""


class ActionStepConfig(StepConfig):
    """Calls an action; its outputs are written only if it succeeds."""

    main: ClassVar[str] = "call"
    waits: ClassVar[bool] = True

    type: Literal["action"] = "action"
    call: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Parameter -> literal or `{{ expr }}`; the others come from slots of the same name."""

    map_outputs: dict[str, str] = Field(default_factory=dict)
    """Output -> slot; the others go to slots of the same name."""

    on_error: str | None = None
    timeout: float | None = Field(default=None, gt=0, le=3600)
    retry: Retry | None = None

    def refs(self) -> Iterator[Ref]:
        """The action, what it is given, what it fills, where failures go."""
        yield Ref("action", self.call, ("call",))
        yield from iter_value_refs(self.inputs, "inputs")
        for output, slot in self.map_outputs.items():
            yield Ref("slot", slot, ("map_outputs", output), writes=True)
        yield from self.iter_target_refs("on_error")

    async def run(self, view: StepView) -> Outcome:
        """Ask what is missing, call, map the outputs."""
        use = next(self.calls())
        missing = find_missing_input(use, view)
        if missing is not None:
            return ask_for_slot(missing, view, self.on_error)
        given = {name: view.evaluate(value) for name, value in self.inputs.items()}
        try:
            outputs = await view.call(self.call, given, timeout=self.timeout, retry=self.retry)
        except NeedSlot as need:
            return ask_for_slot(need.slot_name, view, self.on_error)
        except ActionError as error:
            return Outcome(failure=Failure.from_error(error, self.on_error))
        return Outcome(writes={self.map_outputs.get(name, name): v for name, v in outputs.items()})

    def calls(self) -> Iterator[ActionUse]:
        """The one action."""
        yield ActionUse(self.call, self.inputs, self.map_outputs)


STEP = ActionStepConfig
