"""while: steps that run again as long as a condition holds."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, SerializeAsAny

from soni.steps.base import Outcome, Ref, StepConfig, StepView
from soni.steps.spelling import iter_steps, parse_step

Step = Annotated[SerializeAsAny[StepConfig], BeforeValidator(parse_step)]


class WhileStepConfig(StepConfig):
    """Each later pass starts with the loop's collected slots unset."""

    main: ClassVar[str] = "condition"
    inside: ClassVar[str] = "do"

    type: Literal["while"] = "while"
    condition: str
    do: list[Step] = Field(min_length=1)

    def refs(self) -> Iterator[Ref]:
        """The condition, and the way into the loop."""
        yield Ref("expression", self.condition, ("condition",))
        yield Ref("target", self.do[0].step, ("do",), edge="do")

    def ways(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Into the loop and out of it."""
        yield "do", ("do",)
        yield "exit", ()

    async def run(self, view: StepView) -> Outcome:
        """Begin a pass, or leave."""
        if not view.is_true(self.condition):
            return Outcome(edge="exit")
        inside = list(iter_steps(self.do))
        again = view.passes > 0
        return Outcome(
            to=self.do[0].step,
            edge="do",
            passes=view.passes + 1,
            unset=tuple(_find_collected_slots(inside)) if again else (),
            forget=tuple(step.step for step in inside) if again else (),
        )

    @property
    def children(self) -> tuple[StepConfig, ...]:
        """The steps of one pass."""
        return tuple(self.do)

    def with_children(self, children: Sequence[StepConfig]) -> "WhileStepConfig":
        """The same loop around other steps."""
        return self.model_copy(update={"do": list(children)})


def _find_collected_slots(steps: Sequence[StepConfig]) -> Iterator[str]:
    for step in steps:
        if step.type == "collect":
            yield from (ref.value for ref in step.refs() if ref.kind == "slot")


STEP = WhileStepConfig
