"""link: go over to another flow."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from soni.core.constants import END
from soni.steps.base import Linking, Outcome, Ref, StepConfig, StepView


class LinkStepConfig(StepConfig):
    """This flow ends as completed and the other starts in its place."""

    main: ClassVar[str] = "flow"

    type: Literal["link"] = "link"
    flow: str

    def refs(self) -> Iterator[Ref]:
        """The other flow."""
        yield Ref("flow", self.flow, ("flow",))

    async def run(self, view: StepView) -> Outcome:
        """Go over."""
        return Outcome(to=END, request=Linking(self.flow))


STEP = LinkStepConfig
