"""confirm: a yes before something is done."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from soni.core.constants import CANCEL, CONTINUE
from soni.core.texts import Text
from soni.steps.base import Outcome, Ref, StepConfig, StepView, Wait, iter_text_refs
from soni.steps.ui import Option, Ui


class ConfirmStepConfig(StepConfig):
    """Asks; only a yes goes on. A no goes to `on_no`, or asks what to change."""

    main: ClassVar[str] = "message"
    waits: ClassVar[bool] = True

    type: Literal["confirm"] = "confirm"
    message: Text
    on_yes: str | None = None
    on_no: str | None = None
    max_retries: int | None = Field(default=None, ge=1)
    """Unclear answers before the conversation is handed off."""

    ui: Ui | None = None
    """Buttons without options are yes and no."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_rephrase(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and "rephrase" in raw:
            raise ValueError("a confirm is never rephrased: a yes agrees to what is written")
        return raw

    def refs(self) -> Iterator[Ref]:
        """The question and where its answers lead."""
        yield from iter_text_refs(self.message, "message")
        if self.ui is not None:
            yield from self.ui.all_refs()
        yield from self.iter_target_refs("on_yes", "on_no")

    def ways(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Yes and no, whether or not they say where they lead."""
        yield "on_yes", ("on_yes",) if self.on_yes is not None else ()
        yield "on_no", ("on_no",) if self.on_no is not None else ()

    async def run(self, view: StepView) -> Outcome:
        """Follow the answer; without one, ask. Nothing but a yes leads to the yes edge."""
        if view.answer == "yes" and not view.is_changing:
            return Outcome(to=self.on_yes or CONTINUE, edge="on_yes")
        if view.answer == "no":
            return self._handle_deny(view)
        if view.is_changing:
            return self._ask_what_to_change(view)
        return Outcome(wait=Wait(view.text(self.message), ui=self._make_ui(view)))

    def _make_ui(self, view: StepView) -> Mapping[str, Any] | None:
        if self.ui is None:
            return None
        yes = Option(label=view.response("yes"), command="AffirmConfirmation")
        no = Option(label=view.response("no"), command="DenyConfirmation")
        return self.ui.render(view, (yes, no))

    def _handle_deny(self, view: StepView) -> Outcome:
        if self.on_no is not None:
            return Outcome(to=self.on_no, edge="on_no")
        if view.is_changing:
            return Outcome(to=CANCEL, edge="on_no")
        return self._ask_what_to_change(view, edge="on_no")

    def _ask_what_to_change(self, view: StepView, edge: str = "") -> Outcome:
        return Outcome(wait=Wait(view.response("confirm_change")), changing=True, edge=edge)


STEP = ConfirmStepConfig
