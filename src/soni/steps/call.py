"""call: run another flow as a part of this one."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from soni.steps.base import Calling, FlowUse, Outcome, Ref, StepConfig, StepView, iter_value_refs


class CallStepConfig(StepConfig):
    """The other flow runs on top, then control returns here, silently."""

    main: ClassVar[str] = "flow"
    waits: ClassVar[bool] = True

    type: Literal["call"] = "call"
    flow: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Input -> literal or `{{ expr }}`; the others come from slots of the same name."""

    outputs: dict[str, str] = Field(default_factory=dict)
    """Output -> slot; the others go to slots of the same name."""

    on_error: str | None = None

    def refs(self) -> Iterator[Ref]:
        """The flow, what it is given, what it fills, where its failure goes."""
        yield Ref("flow", self.flow, ("flow",))
        yield from iter_value_refs(self.inputs, "inputs")
        for output, slot in self.outputs.items():
            yield Ref("slot", slot, ("outputs", output), writes=True)
        yield from self.iter_target_refs("on_error")

    async def run(self, view: StepView) -> Outcome:
        """Call; when the flow is back, take its outputs, or its failure."""
        back = view.returned
        if back is None:
            return Outcome(request=Calling(self.flow, self._collect_inputs(view)))
        if back.failure is not None:
            return Outcome(failure=replace(back.failure, to=self.on_error))
        return Outcome(writes={self.outputs.get(name, name): v for name, v in back.outputs.items()})

    def _collect_inputs(self, view: StepView) -> dict[str, Any]:
        same = {name: view.evaluate(f"{{{{ {name} }}}}") for name in view.get_flow_inputs(self.flow)
                if name not in self.inputs and view.is_set(name)}  # fmt: skip
        return {**same, **{name: view.evaluate(value) for name, value in self.inputs.items()}}

    def subflow(self) -> FlowUse:
        """The called flow."""
        return FlowUse(self.flow, self.inputs, self.outputs)


STEP = CallStepConfig
