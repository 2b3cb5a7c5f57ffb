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


class StyledLine(NamedTuple):
    """A line and its tone."""

    text: str
    tone: Tone = ""


def format_reasons(result: Result) -> Iterator[StyledLine]:
    """The failed expectations, each beside what was seen."""
    if result.error is not None:
        yield StyledLine(f"turn {result.turn} could not be run: {result.error}", "wrong")
    for mismatch in result.mismatches:
        yield StyledLine(f"turn {result.turn}, {mismatch.what}:")
        yield from (StyledLine(f"  {line.text}", line.tone) for line in format_difference(mismatch))


def format_transcript(result: Result) -> Iterator[StyledLine]:
    """The messages up to the failure."""
    yield StyledLine("transcript:", "faint")
    for line in result.transcript:
        said = line.text.replace("\n", "\n        ")
        yield StyledLine(f"  {line.who:>4}: {said}", "faint")


def format_failure(result: Result) -> str:
    """Where a test failed, why, and what was said up to there."""
    lines = [line.text for line in (*format_reasons(result), *format_transcript(result))]
    return "\n".join([result.where, *lines])


def format_headline(result: Result) -> str:
    """The first reason in a line."""
    if result.error is not None:
        return f"turn {result.turn} could not be run: {result.error}"
    first = result.mismatches[0]
    expected, got = _format_plain(first.expected), _format_plain(first.got)
    return f"turn {result.turn}, {first.what}: expected {expected}, got {got}"


def format_difference(mismatch: Mismatch) -> Iterator[StyledLine]:
    """The expected value beside the actual one."""
    expected, got = mismatch.expected, mismatch.got
    if mismatch.what in ("contains", "not_contains", "matches"):
        word = "unexpected" if mismatch.what == "not_contains" else "missing"
        yield from (StyledLine(f"{word}  {_format_plain(text)}", "got") for text in expected)
        yield from (StyledLine(f"in  {_format_plain(text)}") for text in got or ["no message"])
    elif isinstance(expected, list | dict) and isinstance(got, list | dict):
        yield StyledLine("- expected  + got", "faint")
        for line in ndiff(_format_entries(expected), _format_entries(got)):
            # Lines of `ndiff` that mark single letters do not help with sentences.
            if line[:2] in _TONES:
                yield StyledLine(line, _TONES[line[:2]])
    else:
        yield StyledLine(f"- expected  {_format_plain(expected)}", "expected")
        yield StyledLine(f"+ got       {_format_plain(got)}", "got")


def _format_entries(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {_format_plain(entry)}" for name, entry in value.items()]
    return [_format_plain(entry) for entry in value] or ["(none)"]


def _format_plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# What XML 1.0 cannot hold, however it is escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(name: str, results: Sequence[Result], at: datetime, seconds: float) -> bytes:
    """One suite; a test that could not be run is an error, one that differs a failure.

    `seconds` is how long all of it took: tests run beside each other.
    """
    suite = Tree.Element(
        "testsuite",
        name=_clean_xml(name),
        tests=str(len(results)),
        failures=str(sum(bool(result.mismatches) for result in results)),
        errors=str(sum(result.error is not None for result in results)),
        skipped="0",
        time=f"{seconds:.3f}",
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
    case = Tree.Element(
        "testcase",
        classname=_clean_xml(result.where.rpartition(":")[0]),
        name=_clean_xml(result.name),
        time=f"{result.seconds:.3f}",
    )
    if not result.passed:
        kind = "error" if result.error is not None else "failure"
        told = Tree.SubElement(case, kind, message=_clean_xml(format_headline(result)), type=kind)
        told.text = _clean_xml(format_failure(result))
    return case


def _clean_xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
