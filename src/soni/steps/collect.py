"""collect: fill a slot, asking for it if need be."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import AliasChoices, Field

from soni.core.texts import Text
from soni.steps.base import Outcome, Ref, StepConfig, StepView, Wait, text_refs


class CollectStepConfig(StepConfig):
    """Passes silently if the slot is filled; otherwise asks and waits."""

    main: ClassVar[str] = "slot"

    type: Literal["collect"] = "collect"
    slot: str
    message: Text | None = Field(default=None, validation_alias=AliasChoices("message", "prompt"))
    """The question; without one, the slot's own `prompt`."""

    max_attempts: int | None = Field(default=None, ge=1)
    """Refused values before the conversation is handed off."""

    def refs(self) -> Iterator[Ref]:
        """The slot it fills and the question."""
        yield Ref("slot", self.slot, ("slot",), writes=True)
        yield from text_refs(self.message, "message")

    async def run(self, view: StepView) -> Outcome:
        """Pass if the slot is set, else wait."""
        if view.is_set(self.slot):
            return Outcome()
        return Outcome(wait=Wait(self.question(view), slot=self.slot))

    def question(self, view: StepView) -> str:
        """How this step asks."""
        if self.message is not None:
            return view.text(self.message)
        # A slot asked without any prompt is a mistake the loader reports.
        return view.prompt_of(self.slot) or f"{self.slot}?"

    @property
    def waits(self) -> bool:
        """It may wait for the slot."""
        return True


STEP = CollectStepConfig
