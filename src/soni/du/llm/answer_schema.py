"""The schema of an answer: a union of one model for each command that is possible now."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from soni.commands import Command, CommandHandlerRegistry
from soni.commands.command_schema import NluField
from soni.du.context import SlotBrief
from soni.du.llm.moment import AnswerChoices

MAX_COMMANDS: Final = 8
"""The most commands of one message."""

_UNSUPPORTED_KEYS: Final = ("title", "description", "default", "discriminator")
"""Keys of JSON schema that providers of models do not accept."""

_STRICT: Final = ConfigDict(extra="forbid", frozen=True)


class Unclear(BaseModel):
    """Nobody can tell what the message means."""

    # Instead of an empty list, which small models answer whenever they hesitate.
    model_config = _STRICT

    type: Literal["Unclear"]


@lru_cache(maxsize=256)
def make_commands_type(choices: AnswerChoices) -> Any:
    """The type of an answer: a list of commands, told apart by their `type`."""
    registry = CommandHandlerRegistry.discover()
    found = (_make_command_model(registry.get_handler(name).command, choices) for name in registry)
    item = _make_union_type((*filter(None, found), Unclear), "type")
    return _make_list_type(item, at_least=1, at_most=MAX_COMMANDS)


def make_slots_type(slots: Sequence[SlotBrief]) -> Any:
    """The type of an answer that says which slots are filled, told apart by `slot`."""
    item = _make_union_type([_make_slot_model(slot) for slot in slots], "slot")
    return _make_list_type(item, at_least=0, at_most=len(slots))


def _make_slot_model(slot: SlotBrief) -> type[BaseModel]:
    """The words of the message first, then the slot and, for listed values, the meaning."""
    fields: dict[str, Any] = {"said": (str, ...), "slot": (Literal[slot.name], ...)}
    if slot.values:
        fields["value"] = (Literal[tuple(slot.values)], ...)
    elif slot.kind.is_polar:
        fields["value"] = (bool, ...)
    return create_model(f"Slot_{slot.name}", __config__=_STRICT, **fields)


def order_fields(command: type[Command], names: Iterable[str]) -> list[str]:
    """Fields in the order of an answer: first the words, then the slot that they fill.

    A small model that begins with the slot finds words for every slot.
    """
    return sorted(names, key=lambda name: command.model_fields[name].annotation is not Any)


def _make_command_model(command: type[Command], choices: AnswerChoices) -> type[BaseModel] | None:
    """The model of a command with the fields that understanding fills; None: not possible now."""
    if command.needs is not None and command.needs not in choices.given:
        return None
    fields: dict[str, Any] = {"type": (Literal[command.__name__], ...)}
    for name in order_fields(command, command.model_fields):
        info = command.model_fields[name]
        told = next((mark for mark in info.metadata if isinstance(mark, NluField)), None)
        if name == "type" or (told is None and not info.is_required()):
            continue
        kind = _make_field_type(info, told or NluField(), choices)
        if kind is not None:
            fields[name] = (kind, ... if info.is_required() else info.get_default())
        elif info.is_required():
            return None
    return create_model(command.__name__, __config__=_STRICT, **fields)


def _make_field_type(info: FieldInfo, told: NluField, choices: AnswerChoices) -> Any:
    """The type of a field; None if no value is possible now."""
    if told.needs is not None and told.needs not in choices.given:
        return None
    if told.names is None:
        # The model copies words; the slot's type reads them.
        return str if info.annotation in (Any, str) else info.annotation
    names = choices.list_names(told.names)
    if len(names) < told.at_least:
        return None
    name: Any = Literal[names]
    if get_origin(info.annotation) in (tuple, list):
        return _make_list_type(name, at_least=told.at_least, at_most=len(names))
    return name


def _make_union_type(shapes: Sequence[type[BaseModel]], tag: str) -> Any:
    union: Any = reduce(or_, shapes)
    return Annotated[union, Field(discriminator=tag)] if len(shapes) > 1 else union


def _make_list_type(item: Any, *, at_least: int, at_most: int) -> Any:
    return Annotated[list[item], Field(min_length=at_least, max_length=at_most)]


def make_json_schema(answer: type[BaseModel], *, bounds: bool) -> dict[str, Any]:
    """The JSON schema of an answer, in the subset that providers of models accept.

    Without `bounds` the only limit for lists is that some must not be empty.
    """
    return cast(dict[str, Any], _simplify_schema(answer.model_json_schema(), bounds))


def _simplify_schema(part: Any, bounds: bool) -> Any:
    if isinstance(part, list):
        return [_simplify_schema(item, bounds) for item in part]
    if not isinstance(part, dict):
        return part
    # A choice by tag is `oneOf` with a note; providers know `anyOf`, and no titles.
    kept = {key: value for key, value in part.items() if key not in _UNSUPPORTED_KEYS}
    named = {"anyOf" if key == "oneOf" else key: value for key, value in kept.items()}
    if not bounds and "items" in named:
        named.pop("maxItems", None)
        named["minItems"] = min(named.get("minItems", 0), 1)
    plain = {
        # The keys below these are names of fields: a slot may be called "title".
        key: {name: _simplify_schema(item, bounds) for name, item in value.items()}
        if key in ("properties", "$defs")
        else _simplify_schema(value, bounds)
        for key, value in named.items()
    }
    return _require_all_fields(plain) if "properties" in plain else plain


def _require_all_fields(shape: dict[str, Any]) -> dict[str, Any]:
    """Replace an object with optional fields by a choice of two: with them and without.

    Providers want every field required, and a model would invent a value for it.
    """
    fields, needed = shape["properties"], shape.get("required", [])
    if len(needed) == len(fields):
        return shape
    small = {name: field for name, field in fields.items() if name in needed}
    full = {**shape, "required": list(fields)}
    return {"anyOf": [{**shape, "properties": small}, full]}
