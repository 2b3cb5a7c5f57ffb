"""SoniDU: the first pass, which commands a message means."""

from collections.abc import Sequence
from typing import Any

import dspy

from soni.commands import (
    Clarify,
    Command,
    CommandHandlerRegistry,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.commands.command_schema import NameSet, NluField
from soni.du.context import SlotBrief
from soni.du.llm.adapter import ask_model
from soni.du.llm.answer_schema import Unclear, make_commands_type
from soni.du.llm.grounding import find_copied_words, find_misspelt_words, find_spoken_words
from soni.du.llm.moment import Moment
from soni.du.llm.signatures import make_understand_demos, make_understand_signature
from soni.du.llm.value_parts import END_SIGNS, find_only_part
from soni.du.local.words.words import extract_words, normalise
from soni.language import find_language


class SoniDU(dspy.Module):  # type: ignore[misc]
    """A DSPy module that reads the commands of a message. It can be optimised, saved and loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(make_understand_signature())
        # Kept apart from the predictor's demos, which an optimiser chooses.
        self._general = make_understand_demos()

    async def aforward(self, moment: Moment, message: str) -> dspy.Prediction:
        """`commands`: what the message means, or None if the model gave no valid answer.

        `unsaid`: the kinds of commands that were dropped because their values were invented.
        """
        kind = make_commands_type(moment.choices)
        demos = [*self._general, *self.predict.demos]
        answer = await ask_model(
            self.predict, "commands", kind, demos=demos, moment=moment, message=message
        )
        if answer is None:
            return dspy.Prediction(commands=None, unsaid=[])
        meant = [shape for shape in answer.commands if not isinstance(shape, Unclear)]
        grounded = [_make_command(shape, message, moment) for shape in meant]
        read = _drop_unsupported_values(grounded, message, moment)
        commands = [_correct_command(each, message, moment) for each in read if each is not None]
        unsaid = [shape.type for shape, command in zip(meant, read, strict=True) if command is None]
        return dspy.Prediction(commands=_drop_restarts(commands, moment), unsaid=unsaid)


def _drop_unsupported_values(
    commands: Sequence[Command | None], message: str, moment: Moment
) -> list[Command | None]:
    """Drop values for slots that are not open if other values use up all words of the message.

    A small model takes "fifty" for an account too, if there are only two.
    """
    said = [c for c in commands if c is not None and not _is_inferred(c, message, moment)]
    words = [str(value) for command in said for value in command.get_touched_slots().values()]
    lang = find_language(moment.context.language)
    told = (extract_words(normalise(each), lang) for each in words)
    left = extract_words(normalise(message), lang).difference(*told)
    if left or not said:
        return list(commands)
    return [command if command in said else None for command in commands]


def _is_inferred(command: Command, message: str, moment: Moment) -> bool:
    """Whether it fills a slot that is not open with a value that the message does not say."""
    return any(
        not moment.is_open(name) and find_copied_words(str(value), message) is None
        for name, value in command.get_touched_slots().items()
    )


def _correct_command(command: Command, message: str, moment: Moment) -> Command:
    """Correct the mistakes that models often make with clear messages."""
    if isinstance(command, SkipSlot):
        return _take_as_denial(command, message, moment)
    if isinstance(command, Clarify):
        return _take_as_answer(command, message, moment)
    return _take_as_change(command, message, moment)


def _take_as_answer(command: Command, message: str, moment: Moment) -> Command:
    """A message that asks nothing answers an open question for free text: "the bag never came"."""
    slot = moment.find_slot(moment.context.waiting_for_slot)
    is_text = slot is not None and slot.kind.is_free_text and slot.kind.takes_message
    if slot is None or not is_text or moment.rules.may_be_question(message):
        return command
    return SetSlot(slot_name=slot.name, value=message.strip())


def _take_as_denial(command: Command, message: str, moment: Moment) -> Command:
    """ "No, that's all" answers a yes/no question and does not skip it."""
    slot = moment.find_slot(moment.context.waiting_for_slot)
    if slot is None or not slot.kind.is_polar:
        return command
    value = moment.rules.read_answer(message, slot)
    return SetSlot(slot_name=slot.name, value=value) if value is not None else command


def _take_as_change(command: Command, message: str, moment: Moment) -> Command:
    """ "No, only 70" gives the new value together with the denial."""
    wrong = command.slot_to_change if isinstance(command, DenyConfirmation) else None
    slot = moment.find_slot(wrong)
    part = find_only_part(message, slot, moment.env) if slot is not None else None
    if slot is None or part is None or moment.has_value(part, slot):
        return command
    return CorrectSlot(slot_name=slot.name, new_value=part)


def _drop_restarts(commands: Sequence[Command], moment: Moment) -> list[Command]:
    """Drop the start of the active flow if there are other commands."""
    active = moment.context.current_flow
    others = [
        command
        for command in commands
        if not isinstance(command, StartFlow) or command.another or command.flow_name != active
    ]
    return others or list(commands)


def _make_command(shape: Any, message: str, moment: Moment) -> Command | None:
    """A command of the answer with grounded values; None if a value is invented."""
    registry = CommandHandlerRegistry.discover()
    kind = registry.get_handler(shape.type).command
    fields = shape.model_dump()
    slot = moment.find_slot(next(filter(None, map(fields.get, list_slot_fields(kind))), None))
    said = {
        name: _ground_value(value, message, slot, moment)
        for name, value in fields.items()
        if kind.model_fields[name].annotation is Any
    }
    if None in said.values():
        return None
    # Fields that quote the user get the message itself, so the model need not copy it.
    quoted = dict.fromkeys(kind.quotes, message)
    return registry.parse({**fields, **said, **quoted})


def _ground_value(copy: str, message: str, slot: SlotBrief | None, moment: Moment) -> str | None:
    """The user's words for a value; the model's only for listed or known values."""
    if slot is None:
        return find_copied_words(copy, message) or find_misspelt_words(copy, message)
    option = moment.rules.find_option_value(copy, slot)
    if option is not None:
        return option
    is_meaning = copy in slot.values or slot.kind.is_polar
    if is_meaning and find_copied_words(copy, message) is None:
        # A listed value, or a yes or no, stands for other words.
        return copy
    said = find_spoken_words(copy, message, slot, moment.env)
    if said is not None:
        value = _resolve_day(said, slot, moment)
        return value if moment.may_fill(value, slot) else None
    # "The same place", "that one", "just me": anything else is invented.
    is_meant = moment.may_mean(copy, slot) or moment.rules.is_answer(copy, message, slot)
    return copy if is_meant else _find_overlooked_part(copy, message, slot, moment)


def _resolve_day(said: str, slot: SlotBrief, moment: Moment) -> str:
    """A day in its context: the Sunday of a return comes after the departure."""
    day = moment.rules.read_answer(said, slot) if slot.kind.dimension == "day" else None
    return str(day) if day is not None else said


def _find_overlooked_part(copy: str, message: str, slot: SlotBrief, moment: Moment) -> str | None:
    """The one readable part of the message, where the model answered with something else."""
    part = find_only_part(message, slot, moment.env)
    if part is None or not slot.kind.is_countable:
        return part
    # "For her two children" says no amount, whatever amount the model says.
    is_all = part == message.strip(f"{END_SIGNS} ")
    return part if is_all or copy in part or moment.has_value(copy, slot) else None


def list_slot_fields(kind: type[Command]) -> list[str]:
    """The fields that name the slot that a value is for."""
    return [
        name
        for name, info in kind.model_fields.items()
        for mark in info.metadata
        if isinstance(mark, NluField) and mark.names in (NameSet.SLOTS, NameSet.FILLED)
    ]
