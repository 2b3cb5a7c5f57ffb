"""confirm: a yes before something is done."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from soni.core.constants import CANCEL, CONTINUE
from soni.core.texts import Text
from soni.steps.base import Outcome, Ref, StepConfig, StepView, Wait, text_refs


class ConfirmStepConfig(StepConfig):
    """Asks; only a yes goes on. A no goes to `on_no`, or asks what to change."""

    main: ClassVar[str] = "message"

    type: Literal["confirm"] = "confirm"
    message: Text
    on_yes: str | None = None
    on_no: str | None = None
    max_retries: int | None = Field(default=None, ge=1)
    """Unclear answers before the conversation is handed off."""

    def refs(self) -> Iterator[Ref]:
        """The question and where its answers lead."""
        yield from text_refs(self.message, "message")
        if self.on_yes is not None:
            yield Ref("target", self.on_yes, ("on_yes",), edge="on_yes")
        if self.on_no is not None:
            yield Ref("target", self.on_no, ("on_no",), edge="on_no")

    async def run(self, view: StepView) -> Outcome:
        """Follow the answer; without one, ask. Nothing but a yes leads to the yes edge."""
        if view.answer == "yes" and not view.changing:
            return Outcome(to=self.on_yes or CONTINUE)
        if view.answer == "no":
            return self._denied(view)
        if view.changing:
            return self._what_to_change(view)
        return Outcome(wait=Wait(view.text(self.message)))

    def _denied(self, view: StepView) -> Outcome:
        if self.on_no is not None:
            return Outcome(to=self.on_no)
        if view.changing:
            return Outcome(to=CANCEL)
        return self._what_to_change(view)

    def _what_to_change(self, view: StepView) -> Outcome:
        return Outcome(wait=Wait(view.response("confirm_change")), changing=True)

    @property
    def waits(self) -> bool:
        """It waits for the answer."""
        return True


STEP = ConfirmStepConfig
