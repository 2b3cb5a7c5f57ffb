"""SlotExtractor: the second pass, the slots that a message fills in the flow it starts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import dspy

from soni.du.context import FlowBrief, SlotBrief
from soni.du.llm.adapter import ask_model
from soni.du.llm.answer_schema import make_slots_type
from soni.du.llm.grounding import find_spoken_words
from soni.du.llm.moment import Moment, format_history, format_slots, quote_value
from soni.du.llm.signatures import make_extract_demos, make_extract_signature
from soni.du.llm.value_parts import END_SIGNS, is_readable
from soni.du.local.values.choices import find_choice
from soni.du.local.words.words import extract_words, normalise, speak_name
from soni.language import find_language


@dataclass(frozen=True)
class FlowStart:
    """A flow that starts, as a prompt."""

    flow: FlowBrief
    moment: Moment

    def __str__(self) -> str:
        return "\n".join(self._iter_lines())

    @property
    def known_values(self) -> frozenset[str]:
        """What is known of other tasks, as text."""
        tasks = self._iter_known_tasks()
        return frozenset(str(value) for _, known in tasks for value in known.values())

    def _iter_lines(self) -> Iterator[str]:
        yield f"Asked for: {self.flow.name}: {self.flow.description}"
        yield "Slots:"
        yield from format_slots(self.flow.slots)
        for flow, known in self._iter_known_tasks():
            yield f"Known of {flow}: {quote_value(known)}"
        yield from format_history(self.moment.history)

    def _iter_known_tasks(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for task in self.moment.context.others:
            yield task.flow, self.moment.list_known_values(task)


def keep_fillable_slots(flow: FlowBrief) -> FlowBrief:
    """The flow with only the slots that a message can fill as it starts, each once."""
    # A list to pick from is shown only later.
    slots = {slot.name: slot for slot in flow.slots if not slot.kind.is_picked}
    return flow.model_copy(update={"slots": tuple(slots.values())})


class SlotExtractor(dspy.Module):  # type: ignore[misc]
    """A DSPy module that reads the values in a message that starts a flow."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(make_extract_signature())
        # Kept apart from the predictor's demos, which an optimiser chooses.
        self._general = make_extract_demos()

    async def aforward(self, flow: FlowBrief, moment: Moment, message: str) -> dspy.Prediction:
        """`slots`: values by slot; none if the model gave no valid answer."""
        flow = keep_fillable_slots(flow)
        if not flow.slots:
            return dspy.Prediction(slots={})
        kind = make_slots_type(flow.slots)
        opening = FlowStart(flow, moment)
        demos = [*self._general, *self.predict.demos]
        answer = await ask_model(
            self.predict, "slots", kind, demos=demos, moment=opening, message=message
        )
        given = answer.slots if answer is not None else ()
        read = dict(_iter_grounded_values(_drop_repeated(given), message, opening))
        return dspy.Prediction(slots=moment.rules.separate_ends(read, message, flow.slots))


def _iter_grounded_values(
    given: Iterable[Any], message: str, opening: FlowStart
) -> Iterator[tuple[str, Any]]:
    slots = {slot.name: slot for slot in opening.flow.slots}
    env = opening.moment.env
    for filled in given:
        slot = slots[filled.slot]
        said = find_spoken_words(filled.said, message, slot, env)
        if said is None and filled.said in opening.known_values:
            yield filled.slot, filled.said
        elif said is not None and not _is_no_value(said, message, slot, opening):
            value = getattr(filled, "value", None)
            yield filled.slot, said if value is None else value


def _drop_repeated(given: Iterable[Any]) -> Iterator[Any]:
    """Each slot once, and no words for two slots: "fly to Oslo" names no origin."""
    words, slots = set[str](), set[str]()
    # Of "hi", "my friend" and "my friend Bob" the last says most.
    for filled in sorted(given, key=lambda one: -len(one.said)):
        said = normalise(filled.said)
        if said not in words and filled.slot not in slots:
            yield filled
        words.add(said)
        slots.add(filled.slot)


def _is_no_value(said: str, message: str, slot: SlotBrief, opening: FlowStart) -> bool:
    """Whether words are no value: the name of the flow, or "some cash" for an amount."""
    lang = find_language(opening.moment.context.language)
    if slot.kind.has_form and not slot.kind.has_values:
        return not is_readable(said, slot, opening.moment.env)
    if slot.kind.has_values and find_choice(said, slot, lang) is not None:
        return False
    name = extract_words(speak_name(opening.flow.name), lang)
    is_name = extract_words(normalise(said), lang) <= name
    return is_name or said.strip(f"{END_SIGNS} ") == message.strip(f"{END_SIGNS} \n")
