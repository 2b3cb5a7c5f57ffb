"""say: one message to the user."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from soni.core.texts import Text
from soni.steps.base import Outcome, Ref, StepConfig, StepView, iter_text_refs
from soni.steps.ui import Ui


class SayStepConfig(StepConfig):
    """Says `message`, or the named `response`."""

    main: ClassVar[str] = "message"

    type: Literal["say"] = "say"
    message: Text | None = None
    response: str | None = None
    rephrase: bool = False
    """A language model puts the message into other words; a response says so itself."""

    ui: Ui | None = None

    @model_validator(mode="after")
    def _check_text(self) -> Self:
        if (self.message is None) == (self.response is None):
            raise ValueError("a say step needs either 'message' or 'response'")
        if self.rephrase and self.response is not None:
            raise ValueError("a response says itself whether it may be rephrased")
        return self

    def refs(self) -> Iterator[Ref]:
        """The text, or the response's name."""
        yield from iter_text_refs(self.message, "message")
        if self.response is not None:
            yield Ref("response", self.response, ("response",))
        if self.ui is not None:
            yield from self.ui.all_refs()

    async def run(self, view: StepView) -> Outcome:
        """Say it."""
        text = (
            view.text(self.message, rephrase=self.rephrase)
            if self.message
            else view.response(self.response or "")
        )
        return Outcome(say=(text,), ui=self.ui.render(view) if self.ui else None)


STEP = SayStepConfig
