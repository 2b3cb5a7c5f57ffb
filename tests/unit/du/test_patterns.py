"""No message keeps a pattern that stands in Python busy: its time grows with the message alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import soni
from soni.config.pattern_growth import find_slow_text, looks_back

# Where what people say is looked at.
_PACKAGES = ("soni.core", "soni.du.local", "soni.du.tagger", "soni.knowledge", "soni.slots")
_FROM_START = {"match", "fullmatch"}
_ANYWHERE = {"search", "finditer", "sub", "split", "findall"}


def test_no_pattern_of_a_module_is_slow_over_a_long_message() -> None:
    every = {(one.pattern, one.flags, way): one for one, way in _iter_patterns()}
    assert len(every) > 60
    slow = {
        key: found
        for key, one in every.items()
        if (found := find_slow_text(one, anywhere=key[-1])) is not None
    }
    assert slow == {}


def _iter_patterns() -> Iterator[tuple[re.Pattern[str], bool]]:
    """Each pattern, and whether it is looked for anywhere. What cannot be seen it tells."""
    for module in _iter_modules():
        for name, held in vars(module).items():
            for one in _iter_kept(held):
                for way in _list_ways(_find_uses().get(name, set())) or [looks_back(one)]:
                    yield one, way
        for one, use in _iter_written(module):
            for way in _list_ways({use}):
                yield one, way


def _list_ways(methods: set[str]) -> list[bool]:
    return [way for way, known in ((False, _FROM_START), (True, _ANYWHERE)) if methods & known]


def _iter_modules() -> Iterator[ModuleType]:
    for name in _PACKAGES:
        package = import_module(name)
        yield package
        for found in walk_packages(package.__path__, f"{name}."):
            yield import_module(found.name)


def _iter_kept(held: Any) -> Iterator[re.Pattern[str]]:
    """A pattern, or those of a collection."""
    if isinstance(held, re.Pattern):
        yield held
    elif isinstance(held, Mapping):
        yield from _iter_kept(list(held.values()))
    elif isinstance(held, tuple | list):
        for one in held:
            yield from _iter_kept(one)


def _iter_written(module: ModuleType) -> Iterator[tuple[re.Pattern[str], str]]:
    """The patterns that stand where they are used, with the use."""
    for node in ast.walk(_parse(Path(str(module.__file__)))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=use),
                args=[ast.Constant(value=str(text)), *_],
            ) if use in _FROM_START | _ANYWHERE:
                yield re.compile(text), use


@cache
def _find_uses() -> dict[str, set[str]]:
    """The methods that are called on each name, in any module."""
    uses: dict[str, set[str]] = {}
    for file in Path(soni.__file__).parent.rglob("*.py"):
        for node in ast.walk(_parse(file)):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=method):
                    uses.setdefault(name, set()).add(method)
    return uses


def _parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))
