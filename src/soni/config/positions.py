"""Source positions of all keys and values, so that a problem can point at them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from soni.core.errors import Problem, UnreadableFile
from soni.steps import StepConfig, step_types
from soni.steps.spelling import find_short_key

# Pydantic adds an element such as `str` or `list[str]` to a path for an arm of a union.
_UNION_ARM = re.compile(r"str|(list|dict|tuple)\[.*\]")

# What looks like a key of 32 bytes is not shown, whatever is wrong beside it.
_KEY = re.compile(r"[\w+/-]{43}=")


Path = tuple[str | int, ...]


@dataclass(frozen=True)
class WrittenPath:
    """What an author wrote for a path."""

    path: Path
    """The part of the path that exists in the file, in the author's keys."""

    rest: Path = ()
    """The part that does not exist."""

    value: Any = None
    """What stands at `path`."""

    model: type[BaseModel] | None = None
    """The model of what stands there, if it is one."""

    choices: int | None = None
    """How many elements of `path` lead to the first value of a union type."""


@dataclass(frozen=True)
class Source:
    """One file: its name as shown to the author, and its text, whose lines end with `\\n`."""

    file: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        while (end := self.text.find("\n", starts[-1])) >= 0:
            starts.append(end + 1)
        return starts

    def get_line(self, number: int) -> str:
        """The text of a line, 1-based, without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else None]

    def locate(self, index: int) -> tuple[int, int]:
        """Line and column of a character, both 1-based."""
        number = bisect_right(self._starts, index)
        return number, index - self._starts[number - 1] + 1


@dataclass(frozen=True)
class Mark:
    """A span of a file."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.end]

    def make_problem(
        self,
        message: str,
        *,
        code: str = "",
        path: Path = (),
        remedy: str | None = None,
        available: Sequence[str] = (),
    ) -> Problem:
        """A problem that underlines this span, up to the end of its first line."""
        line, column = self.source.locate(self.start)
        text = self.source.get_line(line)
        rest = len(text) - column + 1
        return Problem(
            message,
            remedy,
            path,
            file=self.source.file,
            line=line,
            column=column,
            length=max(1, min(self.end - self.start, rest)),
            source=_KEY.sub(lambda key: "•" * len(key[0]), text),
            available=tuple(available),
            code=code,
        )

    def make_error(self, message: str, code: str, remedy: str) -> UnreadableFile:
        """The error of a file that cannot be read beyond this span."""
        return UnreadableFile(self.make_problem(message, code=code, remedy=remedy))

    def narrow_to(self, value: str, offset: int, length: int) -> "Mark":
        """The span of `value[offset:]` within this scalar; all of it if that is unclear."""
        part, whole = value[offset : offset + length], self.text.find(value)
        # Folded lines and escapes differ between the file and the parsed value.
        if whole < 0 and (not part or self.text.count(part) != 1):
            return self
        start = self.start + (whole + offset if whole >= 0 else self.text.find(part))
        return Mark(self.source, start, start + length)


@dataclass(frozen=True)
class Positions:
    """The places of all keys and values of an assistant, by the path of what was written."""

    model: type[BaseModel]
    """The model that `data` is meant for."""

    data: Any = None
    keys: dict[Path, Mark] = field(default_factory=dict)
    values: dict[Path, Mark] = field(default_factory=dict)

    def find_written(self, path: Path) -> WrittenPath:
        """What the author wrote for a path of the models."""
        return follow_path(self.model, self.data, path)

    def make_problem(
        self,
        path: Path,
        message: str,
        *,
        code: str = "",
        on: Literal["key", "value"] = "value",
        part: tuple[str, int, int] | None = None,
        remedy: str | None = None,
        available: Sequence[str] = (),
    ) -> Problem:
        """A problem at a path of the models; `part` is (value, offset, length) within a text."""
        written = self.find_written(path)
        shown = (*written.path, *written.rest)
        mark = self.find_mark(written, on)
        if mark is None:
            return Problem(message, remedy, path=shown, available=tuple(available), code=code)
        if part is not None:
            mark = mark.narrow_to(*part)
        return mark.make_problem(message, code=code, path=shown, remedy=remedy, available=available)

    def find_mark(self, written: WrittenPath, on: Literal["key", "value"] = "value") -> Mark | None:
        """The place of a key or value, or of the nearest enclosing one that has a place."""
        path = written.path
        key, value = self.keys.get(path), self.values.get(path)
        # A missing value is reported at the key that should hold it.
        if key is not None and (on == "key" or written.rest or value is None or not value.text):
            return key
        if value is not None:
            return value
        return self.find_mark(WrittenPath(path[:-1], path[-1:])) if path else None


def follow_path(root: type[BaseModel], data: Any, path: Path) -> WrittenPath:
    """Follow a path of the models, or of a pydantic error, through the author's data."""
    value, annotation = data, root
    choices: int | None = None
    found: Path = ()
    rest: Path = ()
    for index, part in enumerate(path):
        key = _find_key(value, _find_model(annotation, value), part)
        if key is not None:
            annotation = _find_inner_annotation(annotation, value, part)
            value = value[key]
            found = (*found, key)
        elif isinstance(part, str) and _UNION_ARM.fullmatch(part):
            choices = len(found) if choices is None else choices
        else:
            rest = path[index:]
            break
    return WrittenPath(found, rest, value, _find_model(annotation, value), choices)


def list_keys(model: type[BaseModel], raw: Any) -> list[str]:
    """The keys allowed in `raw`, in the short or the long spelling that it uses."""
    keys = [next(iter(_iter_names(name, info))) for name, info in model.model_fields.items()]
    if not issubclass(model, StepConfig) or (isinstance(raw, Mapping) and "type" in raw):
        return keys
    kind = model.model_fields["type"].default
    return [kind, *(key for key in keys if key not in ("type", model.main))]


def find_field(model: type[BaseModel], key: str) -> str | None:
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
    if model is not None and (name := find_field(model, str(part))):
        names += [find_short_key(value, name), *_iter_names(name, model.model_fields[name])]
    # An optional input is written `name?`.
    names.append(f"{part}?")
    return next((name for name in names if name in value), None)


def _find_model(annotation: Any, value: Any) -> type[BaseModel] | None:
    models = [arm for arm in _iter_union_arms(annotation) if isinstance(arm, type)]
    found = next((arm for arm in models if issubclass(arm, BaseModel)), None)
    return _find_step_model(value) if found is StepConfig else found


def _find_step_model(value: Any) -> type[BaseModel] | None:
    if not isinstance(value, Mapping):
        return None
    kinds = step_types()
    named = value["type"] if "type" in value else next((key for key in value if key in kinds), None)
    return kinds.get(named) if isinstance(named, str) else None


def _find_inner_annotation(annotation: Any, value: Any, part: str | int) -> Any:
    """The annotation of what stands under `part`."""
    model = _find_model(annotation, value)
    if model is not None:
        name = find_field(model, str(part))
        return model.model_fields[name].annotation if name else Any
    for arm in _iter_union_arms(annotation):
        arguments = get_args(arm)
        if get_origin(arm) is dict and isinstance(value, Mapping):
            return arguments[1]
        if get_origin(arm) in (list, tuple) and isinstance(value, list):
            return arguments[0]
    return Any


def _iter_union_arms(annotation: Any) -> Iterator[Any]:
    """The annotation, or what it is a union of."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _iter_union_arms(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for arm in get_args(annotation):
            yield from _iter_union_arms(arm)
    else:
        yield annotation
