"""set: write slots from literals and expressions."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from soni.steps.base import Outcome, Ref, StepConfig, StepView, iter_value_refs


class SetStepConfig(StepConfig):
    """Writes each of `values`; a text `{{ expr }}` is an expression."""

    main: ClassVar[str] = "values"

    type: Literal["set"] = "set"
    values: dict[str, Any] = Field(min_length=1)

    def refs(self) -> Iterator[Ref]:
        """The slots it fills and what it fills them with."""
        for name in self.values:
            yield Ref("slot", name, ("values", name), writes=True)
        yield from iter_value_refs(self.values, "values")

    async def run(self, view: StepView) -> Outcome:
        """Evaluate all values on the state before the step, then write."""
        return Outcome(writes={name: view.evaluate(value) for name, value in self.values.items()})


STEP = SetStepConfig
