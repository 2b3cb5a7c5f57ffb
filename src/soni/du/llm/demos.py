"""Demos for prompts, made of messages whose commands are known."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from soni.commands import Command, CommandHandlerRegistry, SetSlot, StartFlow
from soni.commands.command_schema import NluField
from soni.config.program import Demo
from soni.du.context import FlowBrief, SlotBrief
from soni.du.llm.answer_schema import Unclear, make_commands_type, make_slots_type, order_fields
from soni.du.llm.grounding import find_copied_words, find_spoken_words
from soni.du.llm.moment import Moment
from soni.du.llm.slot_extractor import FlowStart, keep_fillable_slots
from soni.du.llm.soni_du import list_slot_fields
from soni.slots import SlotEnv


def make_command_demo(message: str, commands: Sequence[Any], moment: Moment) -> Demo | None:
    """A demo of the first pass; None if its schema cannot express the commands."""
    meant = list(map(CommandHandlerRegistry.discover().parse, commands))
    # The second pass reads the values of a flow that starts.
    late = {name for name, _ in _iter_start_values(meant, moment)}
    first = [each for each in meant if not isinstance(each, SetSlot) or each.slot_name not in late]
    shapes = [_dump_command(each, message, moment) for each in first]
    answer = shapes or [{"type": Unclear.__name__}]
    return _make_demo(moment.brief, message, answer, make_commands_type(moment.choices))


def make_slot_demo(message: str, commands: Sequence[Any], moment: Moment) -> Demo | None:
    """A demo of the second pass, if the message starts a flow that has slots."""
    meant = list(map(CommandHandlerRegistry.discover().parse, commands))
    started = _find_started_flow(meant, moment)
    flow = keep_fillable_slots(started) if started is not None else None
    if flow is None or not flow.slots:
        return None
    values = dict(_iter_start_values(meant, moment))
    slots = {slot.name: slot for slot in flow.slots}
    if values.keys() - slots.keys():
        return None
    env = moment.env
    answer = [_make_filled_slot(slots[name], value, message, env) for name, value in values.items()]
    opening = FlowStart(flow, Moment(moment.context, moment.flows))
    return _make_demo(str(opening), message, answer, make_slots_type(flow.slots))


def _make_demo(moment: str, message: str, answer: Sequence[Any], kind: Any) -> Demo | None:
    """The demo; None if the schema refuses the answer, or a part of it, or it is too long."""
    try:
        TypeAdapter(kind).validate_python(answer)
        return Demo(moment=moment, message=message, answer=tuple(answer))
    except ValidationError:
        return None


def _dump_command(command: Command, message: str, moment: Moment) -> dict[str, Any] | None:
    """The fields that understanding fills; None if the message lacks words for one."""
    kind, fields = type(command), dict[str, Any]()
    for name, info in kind.model_fields.items():
        told = any(isinstance(mark, NluField) for mark in info.metadata)
        value = getattr(command, name)
        if name != "type" and (info.is_required() or (told and value != info.get_default())):
            fields[name] = list(value) if isinstance(value, tuple) else value
    slot = moment.find_slot(next(filter(None, map(fields.get, list_slot_fields(kind))), None))
    for name in fields:
        if kind.model_fields[name].annotation is Any:
            fields[name] = _make_value(fields[name], message, slot, moment.env)
    if None in fields.values():
        return None
    return {"type": kind.__name__, **{name: fields[name] for name in order_fields(kind, fields)}}


def _make_value(value: Any, message: str, slot: SlotBrief | None, env: SlotEnv) -> str | None:
    """The answer of an ideal model: the words, or the listed value that they mean."""
    if slot is None:
        return find_copied_words(str(value), message)
    is_meaning = slot.kind.is_polar or value in list(slot.values)
    return str(value) if is_meaning else _find_value_words(value, message, slot, env)


def _find_value_words(value: Any, message: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    copy = slot.kind.show(value, env.language) if isinstance(value, Mapping) else str(value)
    return find_spoken_words(copy, message, slot, env)


def _make_filled_slot(
    slot: SlotBrief, value: Any, message: str, env: SlotEnv
) -> dict[str, Any] | None:
    words = _find_value_words(value, message, slot, env)
    if words is None:
        return None
    told = {"said": words, "slot": slot.name}
    return {**told, "value": value} if slot.values or slot.kind.is_polar else told


def _find_started_flow(meant: Sequence[Command], moment: Moment) -> FlowBrief | None:
    names = [each.flow_name for each in meant if isinstance(each, StartFlow)]
    known = {flow.name: flow for flow in moment.flows}
    return known.get(names[0]) if len(names) == 1 else None


def _iter_start_values(meant: Sequence[Command], moment: Moment) -> Iterator[tuple[str, Any]]:
    """Values of the flow that starts, from its `StartFlow` and from `SetSlot` commands."""
    flow = _find_started_flow(meant, moment)
    if flow is None:
        return
    asked = {slot.name for slot in flow.slots}
    for command in meant:
        if isinstance(command, StartFlow):
            yield from ((name, value) for name, value in command.slots.items() if name in asked)
        elif isinstance(command, SetSlot) and command.slot_name in asked:
            yield command.slot_name, command.value
