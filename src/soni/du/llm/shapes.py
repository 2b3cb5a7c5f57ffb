"""The form of an answer: one model for each command that makes sense now, and their union."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any, Final, Literal, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from soni.commands import Command, CommandHandlerRegistry
from soni.commands.command_schema import Told
from soni.du.context import SlotBrief
from soni.du.llm.moment import Choices

COMMANDS: Final = 8
"""The most that one message can mean."""

_UNKNOWN: Final = ("title", "description", "default", "discriminator")
"""Words of JSON schema that providers of models do not know."""

_STRICT: Final = ConfigDict(extra="forbid", frozen=True)


class Unclear(BaseModel):
    """Nobody can tell what the message means."""

    # An empty list would say the same, but it is what small models say whenever they hesitate.
    model_config = _STRICT

    type: Literal["Unclear"]


@lru_cache(maxsize=256)
def commands_type(choices: Choices) -> Any:
    """The type of an answer: a list of commands, told apart by their `type`."""
    item = _union((*_shapes(choices), Unclear), "type")
    return _make_list_type(item, at_least=1, at_most=COMMANDS)


def slots_type(slots: Sequence[SlotBrief]) -> Any:
    """The type of an answer that says which slots are filled, told apart by `slot`."""
    return _make_list_type(
        _union([*map(_slot_shape, slots)], "slot"), at_least=0, at_most=len(slots)
    )


def _slot_shape(slot: SlotBrief) -> type[BaseModel]:
    """Words of the message, first as in `words_first`, and what they mean where they do not say."""
    fields: dict[str, Any] = {"said": (str, ...), "slot": (Literal[slot.name], ...)}
    if slot.values:
        fields["value"] = (_one_of(tuple(slot.values)), ...)
    elif slot.kind.is_polar:
        fields["value"] = (bool, ...)
    return create_model(f"Slot_{slot.name}", __config__=_STRICT, **fields)


def words_first(command: type[Command], names: Iterable[str]) -> list[str]:
    """Fields in the order of an answer: what was said, and then what it is for.

    A small model that begins with the slots finds words for every one of them.
    """
    return sorted(names, key=lambda name: command.model_fields[name].annotation is not Any)


def _shapes(choices: Choices) -> list[type[BaseModel]]:
    registry = CommandHandlerRegistry.discover()
    found = (_shape(registry.handler(name).command, choices) for name in registry)
    return [shape for shape in found if shape is not None]


def _shape(command: type[Command], choices: Choices) -> type[BaseModel] | None:
    """The command as it can be said now, with the fields that understanding has to fill."""
    if command.needs is not None and command.needs not in choices.given:
        return None
    fields: dict[str, Any] = {"type": (Literal[command.__name__], ...)}
    for name in words_first(command, command.model_fields):
        info = command.model_fields[name]
        told = next((mark for mark in info.metadata if isinstance(mark, Told)), None)
        if name == "type" or (told is None and not info.is_required()):
            continue
        kind = _field(info, told or Told(), choices)
        if kind is not None:
            fields[name] = (kind, ... if info.is_required() else info.get_default())
        elif info.is_required():
            return None
    return create_model(command.__name__, __config__=_STRICT, **fields)


def _field(info: FieldInfo, told: Told, choices: Choices) -> Any:
    """The type of a field now; None if there is nothing that it could hold."""
    if told.needs is not None and told.needs not in choices.given:
        return None
    if told.names is None:
        # What a person says is text; its slot reads it as every other text.
        return str if info.annotation in (Any, str) else info.annotation
    names = choices.of(told.names)
    if len(names) < told.at_least:
        return None
    if get_origin(info.annotation) in (tuple, list):
        return _make_list_type(_one_of(names), at_least=told.at_least, at_most=len(names))
    return _one_of(names)


def _one_of(names: tuple[str, ...]) -> Any:
    return Literal[names]


def _union(shapes: Sequence[type[BaseModel]], tag: str) -> Any:
    union: Any = reduce(or_, shapes)
    return Annotated[union, Field(discriminator=tag)] if len(shapes) > 1 else union


def _make_list_type(item: Any, *, at_least: int, at_most: int) -> Any:
    bounds = Field(min_length=at_least, max_length=at_most)
    return Annotated[GenericAlias(list, (item,)), bounds]


def schema_of(answer: type[BaseModel], *, bounds: bool) -> dict[str, Any]:
    """The JSON schema of an answer, in the dialect that providers of models accept.

    Without `bounds` lists may be of any length, but for one that must not be empty.
    """
    return cast(dict[str, Any], _make_plain_type(answer.model_json_schema(), bounds))


def _make_plain_type(part: Any, bounds: bool) -> Any:
    if isinstance(part, list):
        return [_make_plain_type(item, bounds) for item in part]
    if not isinstance(part, dict):
        return part
    # A choice by tag is `oneOf` with a note; providers know `anyOf`, and no titles.
    kept = {key: value for key, value in part.items() if key not in _UNKNOWN}
    named = {"anyOf" if key == "oneOf" else key: value for key, value in kept.items()}
    if not bounds and "items" in named:
        named.pop("maxItems", None)
        named["minItems"] = min(named.get("minItems", 0), 1)
    plain = {
        # Below these keys stand names, not words of the language: a slot may be called "title".
        key: {name: _make_plain_type(item, bounds) for name, item in value.items()}
        if key in ("properties", "$defs")
        else _make_plain_type(value, bounds)
        for key, value in named.items()
    }
    return _all_required(plain) if "properties" in plain else plain


def _all_required(shape: dict[str, Any]) -> dict[str, Any]:
    """An object with an optional field as two without: one has it, the other has not.

    Providers want every field required; and a model that must write a field writes something.
    """
    fields, needed = shape["properties"], shape.get("required", [])
    if len(needed) == len(fields):
        return shape
    small = {name: field for name, field in fields.items() if name in needed}
    full = {**shape, "required": list(fields)}
    return {"anyOf": [{**shape, "properties": small}, full]}
