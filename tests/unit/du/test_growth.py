"""The time that a message takes grows with its length, and no faster."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from statistics import median

import pytest

import soni
from soni.config.pattern_growth import find_slow_text, looks_back
from soni.config.settings import Limits
from soni.du import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.reader import Reader
from soni.du.local.view import View
from soni.language import Language, find_language, list_language_codes
from soni.language.language import NAME, Entry

_ASKING = ("pattern", "patterns", "rules", "expression")
_FROM_START = {"match", "fullmatch"}
_ANYWHERE = {"search", "finditer", "sub", "split", "findall"}
_NO_PATTERNS = ("language", "responses")
_LONGEST = Limits().max_message_chars


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w+(?: \w+)*(?: please)*!",
        r"(?P<old>.+?) instead of (?P<new>.+)",
        r"(?:no )*(?:no |yes )*right",
        r"(?:\w+ ?)*right",
        r"\s*,?\s*right",
    ],
)
def test_the_check_knows_what_is_slow(pattern: str) -> None:
    assert is_found_slow(pattern, anywhere=False)


@pytest.mark.parametrize("pattern", [r"\s+$", r"not .*but", r"\w+n't", r"(?:\bno )*right"])
def test_the_check_knows_what_is_slow_only_from_every_place(pattern: str) -> None:
    assert find_slow_text(re.compile(pattern), anywhere=False) is None
    assert is_found_slow(pattern, anywhere=True)


def is_found_slow(pattern: str, *, anywhere: bool) -> bool:
    """Whether the check finds it. In doubt it finds nothing, as on a machine that stumbles."""
    compiled = re.compile(pattern)
    return any(find_slow_text(compiled, anywhere=anywhere) is not None for _ in range(5))


@pytest.mark.parametrize("anywhere", [False, True])
@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!\s)\s+$",
        r"\bnot .{1,60}?but",
        r"\b\w+n't",
        r"\bno(?: no){0,5} right",
        r"[^,]+",
        r"(?:yes|no|maybe)\b",
    ],
)
def test_the_check_knows_what_is_not_slow(pattern: str, anywhere: bool) -> None:
    assert find_slow_text(re.compile(pattern), anywhere=anywhere) is None


@pytest.mark.parametrize("code", sorted(list_language_codes()))
def test_no_pattern_of_a_language_is_slow_over_a_long_message(code: str) -> None:
    """`soni check` measures each whole pattern in one way, as test_language_file shows.

    Here it is measured in the ways that the code looks for it, and so are its parts.
    """
    lang = find_language(code)
    asked, parts = sorted(_list_asked(lang).items()), _list_parts(lang, _NO_PATTERNS)
    assert len(asked) > 250
    slow = {}
    for name, uses in asked:
        for pattern in _compile(lang, name):
            if code != "en" and pattern in _compile_english(name):
                continue
            checked = set() if name in parts else {looks_back(pattern)}
            for anywhere in {*_list_ways(pattern, uses)} - checked:
                found = find_slow_text(pattern, anywhere=anywhere)
                if found is not None:
                    slow[name, anywhere] = found
    assert slow == {}


def _list_ways(pattern: re.Pattern[str], uses: set[str]) -> list[bool]:
    """How a pattern is looked for: anywhere, or from a place. What cannot be seen it tells."""
    ways = [way for way, methods in ((False, _FROM_START), (True, _ANYWHERE)) if uses & methods]
    return ways or [looks_back(pattern)]


def _compile(lang: Language, name: str) -> tuple[re.Pattern[str], ...]:
    try:
        return (lang.pattern(name),)
    except re.error:
        return lang.patterns(name)


@cache
def _compile_english(name: str) -> tuple[re.Pattern[str], ...]:
    try:
        return _compile(find_language("en"), name)
    except KeyError:
        return ()


def _list_asked(lang: Language) -> dict[str, set[str]]:
    """The names that the code asks for or that no other is made of, with the methods called."""
    uses, apart = _find_uses(), (*_NO_PATTERNS, "measuring")
    inserted = _list_parts(lang, apart)
    asked = {}
    for name in dict.fromkeys(name for name, _, _ in _iter_entries(lang, apart)):
        told = [methods for known, methods in uses.items() if fnmatchcase(name, known)]
        if told or name not in inserted:
            asked[name] = set[str]().union(*told)
    return asked


def _list_parts(lang: Language, apart: Sequence[str]) -> set[str]:
    """The names that others are made of."""
    return {
        found[1] if "." in found[1] else f"{section}.{found[1]}"
        for _, section, entry in _iter_entries(lang, apart)
        for found in NAME.finditer(str(entry))
    }


def _iter_entries(lang: Language, apart: Sequence[str]) -> Iterator[tuple[str, str, Entry]]:
    """Each name of English and of the language, its section, and its words."""
    for each in (find_language("en"), lang):
        for section, named in each.sections.items():
            if section not in apart:
                yield from ((f"{section}.{name}", section, entry) for name, entry in named.items())


@cache
def _find_uses() -> dict[str, set[str]]:
    """Each name that stands in the code, as `cues.*` where a part is worked out, and its methods.

    None where a pattern is handed on: then how it is looked for cannot be seen.
    """
    uses: dict[str, set[str]] = {}
    for file in Path(soni.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for scope in [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))]:
            for name, methods in _find_uses_in(scope):
                uses.setdefault(name, set()).update(methods)
    return uses


def _find_uses_in(scope: ast.AST) -> Iterator[tuple[str, set[str]]]:
    nodes = list(ast.walk(scope))
    called: dict[object, set[str]] = {}
    kept: dict[int, str] = {}
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=variable), attr=method):
                called.setdefault(variable, set()).add(method)
            case ast.Attribute(value=value, attr=method):
                called.setdefault(id(value), set()).add(method)
            case ast.Assign(targets=[ast.Name(id=variable)], value=value):
                kept[id(value)] = variable
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                kept |= {
                    id(v): n.id
                    for n, v in zip(names, values, strict=True)
                    if isinstance(n, ast.Name)
                }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=attr), args=[name, *_]) if attr in _ASKING:
                methods = called.get(id(node), set()) | called.get(kept.get(id(node)), set())
                # Rules are replaced wherever they are found.
                methods |= {"sub"} if attr == "rules" else set()
                yield from ((written, methods) for written in _write_name(name))


def _write_name(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.JoinedStr(values=[ast.Constant(value=str(section)), *_]):
            yield f"{section}*"


_PARTS = ("a", "1", " ,", ",", "(", "a, ")
_WORDS = {
    "en": ("no, ", "change the date ", "from a to b "),
    "es": ("no, ", "cambia la fecha ", "en vez de "),
}
_FLOWS = (
    FlowBrief(
        name="book_trip",
        description="Book a trip",
        examples=("book a trip", "reservar un viaje", "I want to travel"),
        slots=(
            SlotBrief(name="city", flow="book_trip", type="string"),
            SlotBrief(name="day", flow="book_trip", type="date"),
        ),
    ),
    FlowBrief(name="opening_hours", examples=("when are you open", "cuándo abrís")),
)
_SLOTS = (
    *_FLOWS[0].slots,
    SlotBrief(name="guests", flow="book_trip", type="integer"),
    SlotBrief(name="budget", flow="book_trip", type="money"),
)


@pytest.mark.parametrize("asked", [None, "city", "guests"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_message_of_any_length_is_read_in_time_that_grows_with_it(
    language: str, asked: str | None
) -> None:
    slow = {}
    for part in (*_PARTS, *_WORDS[language]):
        growth = _measure_growth(part, language, asked)
        if growth > _MOST:
            slow[part] = growth
    assert slow == {}


# Four times the length: linear is 4, its square 16.
_MOST = 9.0
_RUNS, _TRIES = 3, 3


def _measure_growth(part: str, language: str, asked: str | None) -> float:
    """How many times as long the longest message takes as a quarter of it."""
    quarter, whole = ((part * size)[:size] + "x" for size in (_LONGEST // 4, _LONGEST - 1))
    _measure_time(quarter, language, asked)
    growth = _measure_time(whole, language, asked) / _measure_time(quarter, language, asked)
    for _ in range(_TRIES):
        if growth <= _MOST:
            break
        less = median(_measure_time(quarter, language, asked) for _ in range(_RUNS))
        growth = min(_measure_time(whole, language, asked) for _ in range(_RUNS)) / less
    return growth


def _measure_time(message: str, language: str, asked: str | None) -> int:
    context = DialogueContext(
        available_flows=_FLOWS,
        expected_slots=_SLOTS if asked else (),
        waiting_for_slot=asked,
        asked={"kind": "collect", "prompt": "?", "data": {}} if asked else None,
        current_flow="book_trip" if asked else "none",
        language=language,
        now=datetime(2026, 3, 2, tzinfo=UTC),
    )
    began = time.thread_time_ns()
    Reader(View(context), []).read(message)
    return max(1, time.thread_time_ns() - began)
