"""Results as JUnit XML, which build servers read."""

import re
from collections.abc import Sequence
from datetime import datetime
from xml.etree import ElementTree as Tree

from soni.testing.report import headline, reasons, transcript
from soni.testing.result import Result

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
