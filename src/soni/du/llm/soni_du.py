"""SoniDU: the first pass, which commands a message means."""

from typing import Any

import dspy

from soni.commands import Command, CommandHandlerRegistry
from soni.commands.telling import Names, Told
from soni.du.context import SlotBrief
from soni.du.llm.as_said import as_said
from soni.du.llm.asking import ask
from soni.du.llm.moment import Moment
from soni.du.llm.shapes import Unclear, commands_type
from soni.du.llm.signatures import understand_demos, understand_signature
from soni.du.llm.trimming import readable_part, trimmed


class SoniDU(dspy.Module):  # type: ignore[misc]
    """Reads a message in its moment. A DSPy module: it can be optimised, saved and loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(understand_signature())
        # Not of the predictor's own, which are those that an optimiser chooses.
        self._general = understand_demos()

    async def aforward(self, moment: Moment, message: str) -> dspy.Prediction:
        """`commands`: what the message means, or None if the model gave no valid answer."""
        signature = self.predict.signature.with_updated_fields(
            "commands", type_=commands_type(moment.choices)
        )
        demos = [*self._general, *self.predict.demos]
        answer = await ask(self.predict, signature, demos=demos, moment=moment, message=message)
        if answer is None:
            return dspy.Prediction(commands=None)
        meant = (shape for shape in answer.commands if not isinstance(shape, Unclear))
        return dspy.Prediction(commands=[_command(shape, message, moment) for shape in meant])


def _command(shape: Any, message: str, moment: Moment) -> Command:
    """A command of the answer, with the words of the message in it."""
    registry = CommandHandlerRegistry.discover()
    kind = registry.handler(shape.type).command
    fields = shape.model_dump()
    values = [name for name, info in kind.model_fields.items() if info.annotation is Any]
    slot = moment.slot(next(filter(None, map(fields.get, _slot_fields(kind))), None))
    said = {name: _value(fields[name], message, slot, moment) for name in values if name in fields}
    # What quotes the person is the message itself: nothing has to be copied for that.
    quoted = dict.fromkeys(kind.quotes, message)
    return registry.parse({**fields, **said, **quoted})


def _value(copy: str, message: str, slot: SlotBrief | None, moment: Moment) -> str:
    """What was said; the model's own words only where they are all that there is."""
    words = as_said(copy, message)
    if slot is None:
        return words or copy
    if words is not None:
        return trimmed(words, slot, moment.env)
    # A listed value stands for other words; anything else that nobody said is a slip.
    found = None if copy in slot.values else readable_part(message, slot, moment.env)
    return found or copy


def _slot_fields(kind: type[Command]) -> list[str]:
    """The fields that name the slot that a value is for."""
    return [
        name
        for name, info in kind.model_fields.items()
        for mark in info.metadata
        if isinstance(mark, Told) and mark.names in (Names.SLOTS, Names.FILLED)
    ]
