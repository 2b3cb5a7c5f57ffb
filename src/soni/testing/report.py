"""Formats a test result as lines. The printer chooses colours for the tones."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import ndiff
from typing import Any, Final, Literal, NamedTuple
from xml.etree import ElementTree as Tree

from soni.testing.result import Mismatch, Result

Tone = Literal["", "title", "faint", "expected", "got", "wrong"]
_TONES: Final[Mapping[str, Tone]] = {"- ": "expected", "+ ": "got", "  ": ""}


class Shown(NamedTuple):
    """A line and its tone."""

    text: str
    tone: Tone = ""


def reasons(result: Result) -> Iterator[Shown]:
    """The failed expectations, each beside what was seen."""
    if result.error is not None:
        yield Shown(f"turn {result.turn} could not be run: {result.error}", "wrong")
    for mismatch in result.mismatches:
        yield Shown(f"turn {result.turn}, {mismatch.what}:")
        yield from (Shown(f"  {line.text}", line.tone) for line in difference(mismatch))


def transcript(result: Result) -> Iterator[Shown]:
    """The messages up to the failure."""
    yield Shown("transcript:", "faint")
    for line in result.transcript:
        said = line.text.replace("\n", "\n        ")
        yield Shown(f"  {line.who:>4}: {said}", "faint")


def headline(result: Result) -> str:
    """The first reason in a line."""
    if result.error is not None:
        return f"turn {result.turn} could not be run: {result.error}"
    first = result.mismatches[0]
    return (
        f"turn {result.turn}, {first.what}: expected {_format_plain(first.expected)}, got "
        + _format_plain(first.got)
    )


def difference(mismatch: Mismatch) -> Iterator[Shown]:
    """The expected value beside the actual one."""
    expected, got = mismatch.expected, mismatch.got
    if mismatch.what in ("contains", "not_contains", "matches"):
        word = "unexpected" if mismatch.what == "not_contains" else "missing"
        yield from (Shown(f"{word}  {_format_plain(text)}", "got") for text in expected)
        yield from (Shown(f"in  {_format_plain(message)}") for message in got or ["no message"])
    elif isinstance(expected, list | dict) and isinstance(got, list | dict):
        yield Shown("- expected  + got", "faint")
        yield from _iter_lines(_format_entries(expected), _format_entries(got))
    else:
        yield Shown(f"- expected  {_format_plain(expected)}", "expected")
        yield Shown(f"+ got       {_format_plain(got)}", "got")


def _iter_lines(expected: list[str], got: list[str]) -> Iterator[Shown]:
    for line in ndiff(expected, got):
        # Lines of `ndiff` that mark single letters do not help with sentences.
        if line[:2] in _TONES:
            yield Shown(line, _TONES[line[:2]])


def _format_entries(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {_format_plain(entry)}" for name, entry in value.items()]
    return [_format_plain(entry) for entry in value] or ["(none)"]


def _format_plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# What XML 1.0 cannot hold, however it is escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(name: str, results: Sequence[Result], at: datetime, seconds: float) -> bytes:
    """One suite; a test that could not be run is an error, one that differs a failure.

    `seconds` is how long all of it took: tests run beside each other.
    """
    suite = Tree.Element(
        "testsuite",
        name=_clean(name),
        tests=str(len(results)),
        failures=str(sum(bool(result.mismatches) for result in results)),
        errors=str(sum(result.error is not None for result in results)),
        skipped="0",
        time=_seconds(seconds),
        timestamp=at.replace(microsecond=0, tzinfo=None).isoformat(),
        hostname="localhost",
    )
    suite.extend(map(_make_case, results))
    root = Tree.Element("testsuites")
    root.append(suite)
    Tree.indent(root)
    text = Tree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _make_case(result: Result) -> Tree.Element:
    file = result.where.rpartition(":")[0]
    case = Tree.Element(
        "testcase", classname=_clean(file), name=_clean(result.name), time=_seconds(result.seconds)
    )
    if not result.passed:
        kind = "error" if result.error is not None else "failure"
        told = Tree.SubElement(case, kind, message=_clean(headline(result)), type=kind)
        lines = [result.where, *(line.text for line in (*reasons(result), *transcript(result)))]
        told.text = _clean("\n".join(lines))
    return case


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
