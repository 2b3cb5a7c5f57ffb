"""No message keeps the rules busy for ever: what they repeat can be read in one way only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

from soni.language import find_language, list_language_codes
from soni.language.source import read_sections
from tests.ambiguity import ambiguous

# Where what people say is looked at.
_PACKAGES = ("soni.core", "soni.du.local", "soni.du.tagger", "soni.knowledge", "soni.slots")
_USES = ("sub", "split", "match", "search", "fullmatch", "findall", "finditer")


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:(?:la verdad(?: es)?|es) )*si",
        r"por que(?: (?:es|eso|te)\w*)*",
        r"(?:a|b|ab)*c",
        r"(?:a+)+b",
        r"(?:x*)*d",
        r"(?:\w+\s*[:,]?\s+)+es",
        r"(?i:(?:Ka|ka)*)x",
    ],
)
def test_the_check_knows_a_trap(pattern: str) -> None:
    assert ambiguous(re.compile(pattern)) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:(?:la verdad|es) )*si",
        r"(?:\w+ )*\w+",
        r"(?:a|b|c)*",
        r"(?:\w+(?:\s*[:,])?\s+)+es",
        r"(?:[^\W\d]+ |\d+ )*",
        r"(?:a|ab){0,3}c",
        r"(?:[\s,]+(?!))+[.!\s]*$",
    ],
)
def test_the_check_knows_what_is_none(pattern: str) -> None:
    assert ambiguous(re.compile(pattern)) is None


def _modules() -> Iterator[ModuleType]:
    for name in _PACKAGES:
        package = import_module(name)
        yield package
        for found in walk_packages(package.__path__, f"{name}."):
            yield import_module(found.name)


def _kept(held: Any) -> Iterator[re.Pattern[str]]:
    """An expression, or those of a collection."""
    if isinstance(held, re.Pattern):
        yield held
    elif isinstance(held, Mapping):
        yield from _kept(list(held.values()))
    elif isinstance(held, tuple | list):
        for one in held:
            yield from _kept(one)


def _written(module: ModuleType) -> Iterator[re.Pattern[str]]:
    """The expressions that stand where they are used."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=use),
                args=[ast.Constant(value=str(text)), *_],
            ) if use in _USES:
                yield re.compile(text)


def _of_languages() -> Iterator[tuple[str, re.Pattern[str]]]:
    """The expressions of every language, each with the words of that language and of English."""
    folder = files("soni.language")
    for code in sorted(list_language_codes()):
        sources = (read_sections(folder.joinpath(f"{one}.yaml")) for one in ("en", code))
        named = {
            f"{s}.{name}" for one in sources for s in one if s != "responses" for name in one[s]
        }
        for name in sorted(named - {"language.name", "language.models"}):
            for pattern in find_language(code).patterns(name):
                yield f"{code}: {name}: {pattern.pattern}", pattern


def _patterns() -> dict[str, re.Pattern[str]]:
    found = dict(_of_languages())
    for module in _modules():
        for name, held in vars(module).items():
            for one in _kept(held):
                found.setdefault(f"{module.__name__}.{name}: {one.pattern}", one)
        for one in _written(module):
            found.setdefault(f"{module.__name__}: {one.pattern}", one)
    return found


def test_nothing_that_is_repeated_can_be_read_in_two_ways() -> None:
    every = _patterns()
    assert len({one.pattern for one in every.values()}) > 200
    checked: dict[tuple[str, int], str | None] = {}
    for one in every.values():
        key = (one.pattern, one.flags)
        if key not in checked:
            checked[key] = ambiguous(one)
    traps = {name: said for name, one in every.items() if (said := checked[one.pattern, one.flags])}
    assert traps == {}
