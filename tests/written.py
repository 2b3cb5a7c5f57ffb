"""What the conversation tests write: their assistants, and the keys of the language in them."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from soni.config.data_builder import DataBuilder
from soni.config.models import SoniConfig
from soni.config.positions import Source
from soni.config.yaml import parse_yaml
from soni.core.errors import UnreadableFile
from soni.steps import StepConfig, step_types
from soni.steps.spelling import parse_step

CONVERSATIONS = Path(__file__).parent / "conversations"

_LIKELY = re.compile(rf"^ *({'|'.join(SoniConfig.model_fields)}|- .*question):", re.MULTILINE)


class Key(NamedTuple):
    """A key of a part of the language; with a value where the language lists the values."""

    part: str
    name: str
    value: Any = None


@cache
def texts() -> tuple[str, ...]:
    """Every text in the code of the conversation tests."""
    return tuple(
        node.value
        for file in sorted(CONVERSATIONS.glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def assistants() -> tuple[dict[str, Any], ...]:
    """Those that are assistants, or top-level parts of one, as they are.

    A text with places to fill in is none: what is written there is anybody's guess.
    """
    read = (_data(textwrap.dedent(text)) for text in texts() if _LIKELY.search(text))
    return tuple(data for data in read if data and _holds(data))


def steps() -> Iterator[tuple[Mapping[str, Any], StepConfig]]:
    """Every step of theirs: as it is spelled, and as it is understood."""
    for data in assistants():
        for flow in data.get("flows", {}).values():
            yield from _steps(flow.get("steps", flow.get("process", ())))


def written() -> Iterator[Key]:
    """Every key they write."""
    for data in assistants():
        yield from _keys_in(SoniConfig.model_validate(data))
    for _, step in steps():
        yield from _keys_in(step)


def language() -> Iterator[Key]:
    """Every key there is, and every value but the default where the values are listed."""
    for model in (*_parts_of(SoniConfig, set()), *step_types().values()):
        for name, field in model.model_fields.items():
            yield Key(part(model), name)
            for value in _listed(field.annotation):
                if value != field.default:
                    yield Key(part(model), name, value)


def part(model: type[BaseModel]) -> str:
    """A part of the language by the name authors know it by."""
    is_step = issubclass(model, StepConfig)
    return f"{model.model_fields['type'].default} step" if is_step else model.__name__


def _data(text: str) -> Any:
    try:
        node, problems = parse_yaml(Source("soni.yaml", text))
        data = DataBuilder().build(node) if node is not None and not problems else None
    except UnreadableFile:
        return None
    # A file of the folder `knowledge` is the list alone.
    return {"knowledge": data} if isinstance(data, list) else data


def _holds(data: Any) -> bool:
    try:
        SoniConfig.model_validate(data)
    except ValidationError:
        return False
    return True


def _steps(raw: Any) -> Iterator[tuple[Mapping[str, Any], StepConfig]]:
    for spelled in raw:
        step = parse_step(spelled)
        yield spelled, step
        yield from _steps(spelled.get(step.inside, ()))


def _keys_in(value: Any) -> Iterator[Key]:
    """The keys in a part and in all inside of it; steps within are looked at one by one."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        for name in value.model_fields_set:
            inner = getattr(value, name)
            yield Key(part(type(value)), name)
            if inner in _listed(fields[name].annotation):
                yield Key(part(type(value)), name, inner)
            yield from _keys_in(inner)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _keys_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            if not isinstance(inner, StepConfig):
                yield from _keys_in(inner)


def _parts_of(kind: Any, seen: set[Any]) -> Iterator[type[BaseModel]]:
    """The models that a model is made of; of steps, whatever their types are made of."""
    if isinstance(kind, type) and issubclass(kind, StepConfig):
        kinds: tuple[Any, ...] = tuple(step_types().values()) if kind is StepConfig else (kind,)
        for step in kinds:
            if step not in seen:
                seen.add(step)
                for field in step.model_fields.values():
                    yield from _parts_of(field.annotation, seen)
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        if kind not in seen:
            seen.add(kind)
            yield kind
            for field in kind.model_fields.values():
                yield from _parts_of(field.annotation, seen)
    else:
        for inner in get_args(kind):
            yield from _parts_of(inner, seen)


def _listed(kind: Any) -> tuple[Any, ...]:
    """The values of a key that takes only certain ones."""
    if kind is bool:
        return (True, False)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return tuple(value for inner in get_args(kind) for value in _listed(inner))
    return ()
