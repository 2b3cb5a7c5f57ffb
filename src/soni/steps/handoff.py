"""handoff: a person takes over."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from soni.core.texts import Text
from soni.steps.base import (
    HandingOff,
    Outcome,
    Ref,
    StepConfig,
    StepView,
    iter_text_refs,
    iter_value_refs,
)


class HandoffStepConfig(StepConfig):
    """Hands the conversation over; once it is released, the flow goes on with the next step."""

    main: ClassVar[str] = "queue"
    waits: ClassVar[bool] = True

    type: Literal["handoff"] = "handoff"
    queue: str | None = None
    context: dict[str, Any] = Field(default_factory=dict)
    """What the person should know: name -> literal or `{{ expr }}`."""

    message: Text | None = None
    """What the user is told; without one, the response `handoff`."""

    def refs(self) -> Iterator[Ref]:
        """The message and what is handed along."""
        yield from iter_value_refs(self.context, "context")
        yield from iter_text_refs(self.message, "message")

    async def run(self, view: StepView) -> Outcome:
        """Hand over."""
        known = {name: view.evaluate(value) for name, value in self.context.items()}
        message = view.text(self.message) if self.message is not None else None
        return Outcome(request=HandingOff(self.queue, known, message))


STEP = HandoffStepConfig
