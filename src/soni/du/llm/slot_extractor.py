"""SlotExtractor: the second pass, which slots of a flow just started a message fills."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import dspy

from soni.du.context import FlowBrief
from soni.du.llm.as_said import as_said
from soni.du.llm.asking import ask
from soni.du.llm.grounding import said_for
from soni.du.llm.moment import Moment, quoted, said_before, slot_lines
from soni.du.llm.shapes import slots_type
from soni.du.llm.signatures import extract_demos, extract_signature


@dataclass(frozen=True)
class Opening:
    """A flow that starts, for the model to read."""

    flow: FlowBrief
    moment: Moment

    def __str__(self) -> str:
        return "\n".join(self._lines())

    @property
    def known(self) -> frozenset[str]:
        """What is known of other tasks, as text."""
        tasks = self.moment.context.others
        return frozenset(str(value) for task in tasks for value in task.slots.values())

    def _lines(self) -> Iterator[str]:
        yield f"Asked for: {self.flow.name}: {self.flow.description}"
        yield "Slots:"
        yield from slot_lines(self.flow.slots)
        for task in self.moment.context.others:
            yield f"Known of {task.flow}: {quoted(task.slots)}"
        yield from said_before(self.moment.history)


class SlotExtractor(dspy.Module):  # type: ignore[misc]
    """Reads the values out of a message that starts a flow."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(extract_signature())
        # Not of the predictor's own, which are those that an optimiser chooses.
        self._general = extract_demos()

    async def aforward(self, flow: FlowBrief, moment: Moment, message: str) -> dspy.Prediction:
        """`slots`: values by slot; none if the model gave no valid answer."""
        slots = tuple({slot.name: slot for slot in flow.slots}.values())
        signature = self.predict.signature.with_updated_fields("slots", type_=slots_type(slots))
        opening = Opening(flow, moment)
        demos = [*self._general, *self.predict.demos]
        answer = await ask(self.predict, signature, demos=demos, moment=opening, message=message)
        given = answer.slots if answer is not None else ()
        return dspy.Prediction(slots=dict(_grounded(given, message, opening)))


def _grounded(given: Iterable[Any], message: str, opening: Opening) -> Iterator[tuple[str, Any]]:
    """The values that somebody said."""
    slots = {slot.name: slot for slot in opening.flow.slots}
    for filled in given:
        words = as_said(filled.said, message)
        said = said_for(filled.said, message, slots[filled.slot], opening.moment.env)
        if said is None and filled.said in opening.known:
            yield filled.slot, filled.said
        # What asks for the flow as a whole is no value of it.
        elif said is not None and words != message.strip():
            value = getattr(filled, "value", None)
            yield filled.slot, said if value is None else value
