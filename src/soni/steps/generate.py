"""generate: a text by the language model."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from soni.core.errors import ActionError
from soni.core.generation import NO_MODEL
from soni.core.templates import parse_template
from soni.core.texts import Text
from soni.steps.base import Failure, Outcome, Ref, StepConfig, StepView, iter_text_refs


class GenerateStepConfig(StepConfig):
    """Without a language model, or if it fails, the `fallback` is said, or stored."""

    main: ClassVar[str] = "instruction"

    type: Literal["generate"] = "generate"
    instruction: str
    context: tuple[str, ...] = ()
    """Slots the model may know."""

    store_as: str | None = None
    """Keep the text in this slot instead of saying it."""

    fallback: Text | None = None
    on_error: str | None = None

    def refs(self) -> Iterator[Ref]:
        """What it reads and fills, and where its failure goes."""
        yield from iter_text_refs(self.instruction, "instruction")
        for index, name in enumerate(self.context):
            yield Ref("slot", name, ("context", index))
        if self.store_as is not None:
            yield Ref("slot", self.store_as, ("store_as",), writes=True)
        yield from iter_text_refs(self.fallback, "fallback")
        yield from self.iter_target_refs("on_error")

    async def run(self, view: StepView) -> Outcome:
        """Say or store what the model writes; without one, the fallback."""
        failure = Failure("no_model", NO_MODEL, self.on_error)
        if view.has_model:
            names = {*self.context, *parse_template(self.instruction).names}
            try:
                aloud = self.store_as is None
                text = await view.generate(self.instruction, sorted(names), aloud=aloud)
                return self._make_outcome(text)
            except ActionError as error:
                failure = Failure.from_error(error, self.on_error)
        if self.fallback is None:
            return Outcome(failure=failure)
        return self._make_outcome(view.text(self.fallback))

    def _make_outcome(self, text: str) -> Outcome:
        return Outcome(writes={self.store_as: text}) if self.store_as else Outcome(say=(text,))


STEP = GenerateStepConfig
