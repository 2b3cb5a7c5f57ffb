"""From a path of the models to the keys an author wrote: two spellings, other names of a key."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from soni.steps import StepConfig, step_types
from soni.steps.spelling import short_key

# What pydantic puts into a path for an arm of a union: `str`, `list[str]`, ...
_ARM = re.compile(r"str|(list|dict|tuple)\[.*\]")


@dataclass(frozen=True)
class Written:
    """What an author wrote for a path."""

    path: tuple[str | int, ...]
    """The part of the path that is written, by the keys the author used."""

    rest: tuple[str | int, ...] = ()
    """The part that is not."""

    value: Any = None
    """What stands at `path`."""

    model: type[BaseModel] | None = None
    """The model of what stands there, if it is one."""

    choices: int | None = None
    """How much of `path` leads to a value that may be of several kinds."""


def follow(root: type[BaseModel], data: Any, path: tuple[str | int, ...]) -> Written:
    """Walk `path`, a path of the models or of one of pydantic's errors, through what is written."""
    value, annotation = data, root
    choices: int | None = None
    found: list[str | int] = []
    for index, part in enumerate(path):
        key = _find_key(value, _find_model(annotation, value), part)
        if key is not None:
            annotation = _inner(annotation, value, part)
            value = value[key]
            found.append(key)
        elif isinstance(part, str) and _ARM.fullmatch(part):
            choices = len(found) if choices is None else choices
        else:
            rest = tuple(path[index:])
            return Written(tuple(found), rest, value, _find_model(annotation, value), choices)
    return Written(tuple(found), (), value, _find_model(annotation, value), choices)


def keys_of(model: type[BaseModel], raw: Any) -> list[str]:
    """The keys that may be written where `raw` is, in its own spelling."""
    keys = [next(iter(_iter_names(name, info))) for name, info in model.model_fields.items()]
    if not issubclass(model, StepConfig) or (isinstance(raw, Mapping) and "type" in raw):
        return keys
    kind = model.model_fields["type"].default
    return [kind, *(key for key in keys if key not in ("type", model.main))]


def field_of(model: type[BaseModel], key: str) -> str | None:
    """The field a key stands for, under any of its names."""
    fields = model.model_fields.items()
    return next((name for name, info in fields if key in (*_iter_names(name, info), name)), None)


def _iter_names(name: str, info: FieldInfo) -> Iterator[str]:
    alias = info.validation_alias
    if isinstance(alias, AliasChoices):
        yield from (choice for choice in alias.choices if isinstance(choice, str))
    else:
        yield alias if isinstance(alias, str) else name


def _find_key(value: Any, model: type[BaseModel] | None, part: str | int) -> str | int | None:
    """The key under which `part` stands in `value`; None where nothing does."""
    if isinstance(value, list):
        if isinstance(part, str):
            # A list of names is short for a mapping.
            return next((at for at, name in enumerate(value) if name in (part, f"{part}?")), None)
        return part if 0 <= part < len(value) else None
    if not isinstance(value, Mapping):
        return None
    names = [str(part)]
    if model is not None and (name := field_of(model, str(part))):
        names += [short_key(value, name), *_iter_names(name, model.model_fields[name])]
    # An optional input is written `name?`.
    names.append(f"{part}?")
    return next((name for name in names if name in value), None)


def _find_model(annotation: Any, value: Any) -> type[BaseModel] | None:
    models = [arm for arm in _arms(annotation) if isinstance(arm, type)]
    found = next((arm for arm in models if issubclass(arm, BaseModel)), None)
    return _step_model(value) if found is StepConfig else found


def _step_model(value: Any) -> type[BaseModel] | None:
    if not isinstance(value, Mapping):
        return None
    kinds = step_types()
    named = value["type"] if "type" in value else next((key for key in value if key in kinds), None)
    return kinds.get(named) if isinstance(named, str) else None


def _inner(annotation: Any, value: Any, part: str | int) -> Any:
    """The annotation of what stands under `part`."""
    model = _find_model(annotation, value)
    if model is not None:
        name = field_of(model, str(part))
        return model.model_fields[name].annotation if name else Any
    for arm in _arms(annotation):
        arguments = get_args(arm)
        if get_origin(arm) is dict and isinstance(value, Mapping):
            return arguments[1]
        if get_origin(arm) in (list, tuple) and isinstance(value, list):
            return arguments[0]
    return Any


def _arms(annotation: Any) -> Iterator[Any]:
    """The annotation, or what it is a union of."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _arms(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for arm in get_args(annotation):
            yield from _arms(arm)
    else:
        yield annotation
