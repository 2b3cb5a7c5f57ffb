"""parallel: several actions at once."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

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


class ParallelAction(BaseModel):
    """One of the actions; its name alone is enough."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    call: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    map_outputs: dict[str, str] = Field(default_factory=dict)


class ParallelStepConfig(StepConfig):
    """All finish; nothing is written unless all succeed; the first error in list order counts."""

    main: ClassVar[str] = "actions"
    waits: ClassVar[bool] = True

    type: Literal["parallel"] = "parallel"
    actions: tuple[ParallelAction, ...] = Field(min_length=1)
    on_error: str | None = None

    @field_validator("actions", mode="before")
    @classmethod
    def _normalise_actions(cls, actions: Any) -> Any:
        if isinstance(actions, list | tuple):
            return [{"call": part} if isinstance(part, str) else part for part in actions]
        return actions

    def refs(self) -> Iterator[Ref]:
        """The actions, what they are given, what they fill, where a failure goes."""
        for index, part in enumerate(self.actions):
            yield Ref("action", part.call, ("actions", index, "call"))
            yield from iter_value_refs(part.inputs, "actions", index, "inputs")
            for output, slot in part.map_outputs.items():
                yield Ref("slot", slot, ("actions", index, "map_outputs", output), writes=True)
        yield from self.iter_target_refs("on_error")

    async def run(self, view: StepView) -> Outcome:
        """Call all, wait for all, then write all or nothing."""
        for use in self.calls():
            missing = find_missing_input(use, view)
            if missing is not None:
                return ask_for_slot(missing, view, self.on_error)
        calls = (self._call_action(part, index, view) for index, part in enumerate(self.actions))
        writes: dict[str, Any] = {}
        results = await asyncio.gather(*calls)
        for result in results:
            if isinstance(result, NeedSlot):
                return ask_for_slot(result.slot_name, view, self.on_error)
            if isinstance(result, ActionError):
                failure = Failure.from_error(result, self.on_error)
                known = all(getattr(each, "outcome_known", True) for each in results)
                return Outcome(failure=replace(failure, outcome_known=known))
            writes.update(result)
        return Outcome(writes=writes)

    async def _call_action(
        self, part: ParallelAction, index: int, view: StepView
    ) -> Mapping[str, Any] | ActionError | NeedSlot:
        given = {name: view.evaluate(value) for name, value in part.inputs.items()}
        try:
            outputs = await view.call(part.call, given, part=str(index))
        except (ActionError, NeedSlot) as error:
            return error
        return {part.map_outputs.get(name, name): value for name, value in outputs.items()}

    def calls(self) -> Iterator[ActionUse]:
        """All of the actions."""
        for part in self.actions:
            yield ActionUse(part.call, part.inputs, part.map_outputs)


STEP = ParallelStepConfig
